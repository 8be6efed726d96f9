import numpy as np
import pytest
from outcomes import exact

from odevsr.discovery.discover import discover
from odevsr.errors import SystemFileError, UsageError
from odevsr.language.expression import ONE, ZERO
from odevsr.vertical.equation import Status
from odevsr.world.simulators.launch import make_launcher
from odevsr.world.simulators.lifted import lift
from odevsr.world.systems.file import parse_system
from odevsr.world.systems.registry import get_system

FORCED = """
format = 1
name = "forced"
[state]
x = { range = [-2, 2], start = 1 }
v = { range = [-2, 2], start = 0 }
[parameters]
u = 0.5
[equations]
x = "v"
v = "-x - 0.1*v + u*cos(1.2*t)"
"""


def test_a_lifted_parameter_is_an_input_that_stays_as_it_is_set():
    lorenz = get_system("lorenz")
    lifted = lift(lorenz, {"sigma": (5, 15)})
    assert lifted.inputs == ("sigma",)
    assert lifted.components == ("x0", "x1", "x2")
    assert lifted.equations[-1] == ZERO
    assert "sigma" not in lifted.parameters
    state = [1.0, 2.0, 3.0]
    later = make_launcher(lifted)(np.array([[*state, 10.0]]), 0.1)[0]
    assert later[3] == 10.0
    assert later[:3] == pytest.approx(make_launcher(lorenz)(np.array([state]), 0.1)[0], rel=1e-12)


def test_a_lifted_system_reads_back_from_its_text():
    lifted = lift(get_system("lorenz"), {"rho": (20, 40), "beta": (2, 4)})
    assert parse_system(lifted.text, "a test") == lifted


def test_a_lifted_parameter_starts_at_its_value_or_in_the_middle():
    lifted = lift(get_system("lorenz"), {"sigma": (5, 15), "rho": (30, 40)})
    assert list(lifted.start[-2:]) == [10.0, 35.0]


@pytest.mark.parametrize(
    ("varied", "sentence"),
    [
        ({"sigm": (1, 2)}, "did you mean sigma"),
        ({"sigma": (2, 1)}, "low below high"),
        ({"sigma": (1, float("inf"))}, "not finite"),
        ({"x0": (0, 1)}, "has no parameter 'x0'"),
        ({"sigma": 5}, "two numbers, not 5"),
        ({"sigma": "a,b"}, "not 'a,b'"),
    ],
)
def test_what_cannot_be_varied_is_refused(varied, sentence):
    with pytest.raises(UsageError, match=sentence):
        lift(get_system("lorenz"), varied)


def test_time_in_an_equation_is_an_input_that_runs_over_the_simulation():
    system = parse_system(FORCED, "a test")
    assert system.inputs == ("t",)
    assert system.equations[-1] == ONE
    assert list(system.box.limits[-1]) == [0.0, 10.0]
    assert list(lift(system, {"t": (0, 5)}).box.limits[-1]) == [0.0, 5.0]


def test_an_input_has_a_range_and_no_equation():
    text = FORCED.replace("[parameters]\nu = 0.5", "[inputs]\nu = { range = [-1, 1] }")
    system = parse_system(text, "a test")
    assert system.inputs == ("u", "t")
    assert parse_system(system.text, "a test") == system
    with pytest.raises(SystemFileError, match="u has an equation but is not under"):
        parse_system(text + 'u = "1"\n', "a test")


def test_time_is_no_state_and_no_parameter():
    with pytest.raises(SystemFileError, match="kept for time"):
        parse_system(FORCED.replace("u = 0.5", "u = 0.5\nt = 1"), "a test")


def test_the_law_comes_out_with_the_parameters_that_were_varied():
    system = lift(get_system("lorenz"), {"sigma": (5, 15), "rho": (20, 40), "beta": (2, 4)})
    found = discover(system)
    assert [each.variable for each in found.equations] == ["x0", "x1", "x2"]
    assert {each.status for each in found.equations} == {Status.IDENTIFIED}
    assert all(exact(found, system))


def test_a_law_with_time_and_an_input_comes_out():
    system = lift(parse_system(FORCED, "a test"), {"u": (-1, 1)})
    found = discover(system, components=["v"])
    assert found.equations[0].status is Status.IDENTIFIED
    assert all(exact(found, system))
