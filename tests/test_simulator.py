import math
import re
import sys
from pathlib import Path

import adapted
import numpy as np
import pytest
import simulators

from odevsr import Range, discover
from odevsr.errors import OdevsrError, SimulationError, UsageError
from odevsr.language.parse import parse
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Status
from odevsr.world.box import box_of
from odevsr.world.simulators.simulator import import_simulator, inputs_of, ranges_of, simulator
from odevsr.world.studied import is_reference, study


def laws(discovery):
    return [str(each) for each in str(discovery).splitlines()]


def test_a_simulator_with_no_equations_behind_it_is_discovered():
    found = discover(simulators.lotka)
    assert found.identified
    assert laws(found) == ["dx/dt = x*(1.5 - y)", "dy/dt = y*(x - 3)"]
    assert found.target == "simulators:lotka"


@pytest.mark.parametrize("name", ["raises_backwards", "stays_backwards"])
def test_a_simulator_that_cannot_run_backwards_is_noticed_and_discovered(name):
    messages = []
    found = discover(
        getattr(simulators, name), on_event=lambda event: messages.append(event.message)
    )
    assert found.identified
    assert laws(found) == ["dx/dt = x*(1.5 - y)", "dy/dt = y*(x - 3)"]
    assert any("backwards" in message for message in messages)


def test_a_range_where_the_simulator_fails_shrinks_with_a_warning():
    messages = []
    found = discover(
        simulators.fails_below_zero, on_event=lambda event: messages.append(event.message)
    )
    assert found.identified
    assert laws(found) == ["dx/dt = -2", "dy/dt = x*y"]
    low, high = found.ranges[0]
    assert 0 <= low < 0.5
    assert high > 2.5
    assert found.ranges[1] == (0, 1)
    assert any("experiments keep to x from" in message for message in messages)


def test_components_that_rest_or_move_evenly_have_their_laws():
    found = discover(simulators.rests)
    assert found.identified
    assert laws(found) == ["dx/dt = 0", "dy/dt = 2"]
    assert [each.r2 for each in found.equations] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("raises", "raised RuntimeError: the rotor broke"),
        ("gives_nan", "a finite state from none of"),
        ("gives_another_shape", r"shape \(1,\) for states \(1, 2\)"),
        ("gives_text", "returned a str, not states"),
    ],
)
def test_a_simulator_that_does_not_work_is_refused_with_the_reason(name, sentence):
    with pytest.raises(SimulationError, match=sentence):
        discover(getattr(simulators, name))


def test_a_simulator_that_hangs_is_given_up_after_the_time_allowed():
    with pytest.raises(SimulationError, match="did not return within"):
        discover(simulators.hangs, timeout=0.2)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("unmarked", "mark it with @odevsr.simulator"),
        ("back_to_front", "low below high"),
        ("named_like_time", "kept for time"),
    ],
)
def test_a_simulator_must_name_its_variables_and_their_ranges(name, sentence):
    with pytest.raises(OdevsrError, match=sentence):
        discover(getattr(simulators, name))


@pytest.mark.parametrize(
    "limits", [1, (0,), ("a", 1), "01", ("0", "1"), None, (0, float("inf")), (float("nan"), 1)]
)
def test_a_range_is_two_finite_numbers(limits):
    with pytest.raises(UsageError, match=r"range of x|x has a range that is not finite"):
        ranges_of(simulator(x=limits)(lambda states, steps: states))


def test_a_range_may_say_its_scale_and_domain():
    declared = Range(1, 1000, scale="log", domain=(0, math.inf))
    marked = simulator(x=declared, inputs={"u": Range(1, 1000, "even")})(lambda s, h, u: s)
    assert (ranges_of(marked), inputs_of(marked)) == (
        {"x": declared},
        {"u": Range(1, 1000, "even")},
    )
    assert study(marked).box == box_of([declared, Range(1, 1000, "even")])


def test_ranges_of_a_simulator_can_be_changed_and_its_digest_is_that_of_pairs_where_they_are():
    plain = study(simulators.lotka)
    assert study(simulators.lotka, ranges={"y": (0.1, 2)}).digest == plain.digest
    other = study(simulators.lotka, ranges={"y": (1, 3)})
    assert other.box == box_of([Range(0.1, 2), Range(1, 3)])
    assert other.digest != plain.digest
    assert study(simulators.lotka, ranges={"y": Range(0.1, 2, "log")}).digest != plain.digest
    with pytest.raises(UsageError, match="lotka has no variable 'z'"):
        study(simulators.lotka, ranges={"z": (0, 1)})


@pytest.mark.parametrize("name", ["never_negative", "without_domain"])
def test_what_is_never_negative_is_identified_and_said_not_to_be_checked_there(name):
    (equation,) = discover(getattr(simulators, name)).equations
    assert equation.status is Status.IDENTIFIED
    assert str(equation) == "dmass/dt = -0.25*mass + 0.5"
    assert equation.note == "not checked below mass = 0"


def test_an_input_that_hardly_varies_is_told_of_and_leaves_the_law_undecided():
    told = []
    found = discover(simulators.hardly_heated, on_event=told.append)
    assert "b is varied by only 0.01 % of its value" in [each.message for each in told]
    (equation,) = found.equations
    assert equation.status is Status.UNDECIDED
    assert "a dependence on it is not excluded" in equation.note


def test_a_law_over_decades_is_found():
    (equation,) = discover(simulators.over_decades).equations
    assert equation.status is Status.IDENTIFIED
    assert_is(equation, "w**1.5/(b**2 + 4*w)")


def test_a_law_that_is_another_one_in_every_decade_is_found_or_not_identified():
    (equation,) = discover(simulators.occupied, most_candidates=2000).equations
    if equation.status is Status.IDENTIFIED:
        assert_is(equation, "1/(exp(0.3*w**1.5/b**2) + 1)")


def assert_is(equation, truth):
    names, box = ("x", "w", "b"), box_of([Range(0, 1), Range(1, 100), Range(1, 100)])
    assert is_equivalent(equation.expression, parse(truth, names), names, box)


def test_a_simulator_marked_without_brackets_is_told_how_to_mark_it():
    with pytest.raises(UsageError, match=r"write @odevsr\.simulator\(x=\(low, high\), \.\.\.\)"):

        @simulator
        def decay(states, steps):
            return states


def test_the_law_of_a_simulator_with_inputs_and_time_holds_them():
    found = discover(simulators.driven)
    assert found.identified
    assert laws(found) == ["dx/dt = 3*u*sin(t) - 2*x"]
    assert found.names == ("x", "u", "t")


@pytest.mark.parametrize(
    "function",
    [
        lambda states, steps: states,
        lambda states, steps, w: states,
        lambda states: states,
        lambda states, steps, u, more: states,
    ],
)
def test_a_simulator_that_does_not_take_its_arguments_is_told_how_it_is_called(function):
    careless = simulator(x=(0, 1), inputs={"u": (0, 1)})(function)
    with pytest.raises(UsageError, match=r"cannot be called as <lambda>\(states, steps, u\)"):
        study(careless)


def test_a_simulator_of_unknown_arguments_is_taken_at_its_word():
    study(simulator(x=(0, 1))(np.frompyfunc(lambda states, steps: states, 2, 1)))


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"u": (1, 0)}, "the range of u"),
        ({"x": (0, 1)}, "x is declared twice"),
        (["u"], "names and"),
    ],
)
def test_inputs_are_names_with_ranges(inputs, sentence):
    function = simulator(x=(0, 1))(lambda states, steps: states)
    function.inputs = inputs
    with pytest.raises(OdevsrError, match=sentence):
        ranges_of(function)


def test_references_name_a_module_and_a_function():
    assert is_reference("package.module:function")
    for other in ["lorenz", "a/b:c", "x.toml", "module:", ":f", "a b:c", "C:/x.toml"]:
        assert not is_reference(other)
    assert import_simulator("simulators:lotka") is simulators.lotka
    with pytest.raises(UsageError, match="no module 'nowhere'"):
        import_simulator("nowhere.at_all:f")
    with pytest.raises(UsageError, match="no function 'g'"):
        import_simulator("simulators:g")
    with pytest.raises(UsageError, match=r"would import it: simulators:lotka"):
        import_simulator("simulators.py:lotka")


def test_what_a_module_holds_can_be_named_too():
    assert import_simulator("adapted:hunt.rate") == adapted.hunt.rate
    assert is_reference("adapted:hunt.rate")
    with pytest.raises(UsageError, match=r"no function 'hunt\.nothing'"):
        import_simulator("adapted:hunt.nothing")


def test_modules_of_the_working_folder_are_found_and_the_path_is_left_as_it_was(
    tmp_path, monkeypatch
):
    (tmp_path / "found_here.py").write_text("import beside\nmove = beside.move\n")
    (tmp_path / "beside.py").write_text("def move(states, steps):\n    return states\n")
    (tmp_path / "fails_here.py").write_text("raise SystemExit(4)\n")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert import_simulator("found_here:move").__name__ == "move"
    with pytest.raises(SimulationError, match="SystemExit"):
        import_simulator("fails_here:move")
    assert sys.path == before


def test_a_module_that_fails_when_imported_is_told(tmp_path, monkeypatch):
    (tmp_path / "broken_module.py").write_text("1/0\n")
    (tmp_path / "needy_module.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SimulationError, match="ZeroDivisionError"):
        import_simulator("broken_module:f")
    with pytest.raises(SimulationError, match="nothing_of_this_name"):
        import_simulator("needy_module:f")


def test_what_cannot_be_studied_is_refused():
    with pytest.raises(UsageError, match="a int cannot be studied"):
        study(7)


@pytest.mark.parametrize("target", [simulators.lotka, "lorenz"])
@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_time_limit_that_is_no_time_is_refused_whatever_is_studied(target, timeout):
    with pytest.raises(UsageError, match="time limit"):
        study(target, timeout=timeout)


def test_the_example_in_the_readme_is_discovered():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n([^`]*@odevsr\.simulator[^`]*)```", readme)
    names = {}
    exec(code, names)
    found = names["found"]
    assert laws(found) == ["dangle/dt = speed", "dspeed/dt = -0.3*speed - 9.81*sin(angle)"]
    assert found.identified
