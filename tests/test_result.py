"""What a discovery is, and what can be done with it."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy

from odevsr.discovery.result import Discovery
from odevsr.errors import UsageError
from odevsr.evidence.law import FittedNumber
from odevsr.language.expression import Number
from odevsr.language.parse import parse
from odevsr.settings import Settings
from odevsr.vertical.asking.story import Round
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.oracle import Cost

NAMES = ("x", "y")


def equation(variable="x", text="2*x - y", **changes):
    plain = Equation(
        variable=variable,
        expression=parse(text, NAMES),
        status=Status.IDENTIFIED,
        constants=(FittedNumber(2.0000001, 1e-6, 2), FittedNumber(0.3333, 1e-4, Fraction(1, 3))),
        r2=1.0,
        nmse=0.0,
        deviation=0.9,
        rounds=(
            Round("x", "x", 5, 40, "prior", "C*x + C", 1.0, 7),
            Round("x", "y", 5, 40, "catalogue", "C*y", 1.1, 5),
            Round("x.0", "y", 5, 40, None, "C", np.inf, 9),
        ),
        cost=Cost(3, 100, 400),
        candidates=21,
        elapsed_s=0.5,
    )
    return replace(plain, **changes)


def discovery(*equations, **changes):
    plain = Discovery(
        target="spiral",
        names=NAMES,
        ranges=((0.0, 1.0), (-1.0, 1.0)),
        equations=equations or (equation("x", "-x/10 + y"), equation("y", "-x - y/10")),
        seed=4,
        settings=Settings(),
        cost=Cost(6, 200, 800),
        elapsed_s=1.0,
        versions={"odevsr": "1"},
    )
    return replace(plain, **changes)


def test_a_status_is_a_word_for_files_and_a_sentence_for_people():
    assert [status.value for status in Status] == [
        "identified",
        "undecided",
        "approximate",
        "not identified",
    ]
    assert Status("approximate") is Status.APPROXIMATE
    assert len({status.sentence for status in Status}) == 4


def test_who_proposed_is_told_once_each_and_nobody_is_none():
    assert equation().proposers == ("catalogue", "prior")


def test_an_equation_is_plain_json():
    values = json.loads(json.dumps(equation().to_json(), allow_nan=False))
    assert values["expression"] == "2*x - y"
    assert values["status"] == "identified"
    assert values["exact"] is None
    assert values["constants"][1] == {
        "value": 0.3333, "error": 1e-4, "exact": "1/3", "certain": True,
    }  # fmt: skip
    assert values["oracle"] == {"experiments": 3, "states": 100, "simulations": 400}
    assert [each["deviation"] for each in values["rounds"]] == [1.0, 1.1, None]


def test_what_is_infinite_or_no_number_is_null_in_json():
    poor = equation(
        r2=-np.inf, nmse=np.inf, deviation=np.nan, constants=(FittedNumber(1.5, np.inf),)
    )
    values = json.loads(json.dumps(poor.to_json(), allow_nan=False))
    assert (values["r2"], values["nmse"], values["deviation"]) == (None, None, None)
    assert values["constants"] == [{"value": 1.5, "error": None, "exact": None, "certain": True}]


def test_the_scores_of_a_constant_are_null_in_json():
    values = equation("x", "3", r2=-0.00016, nmse=1.00016).to_json()
    assert (values["r2"], values["nmse"]) == (None, None)
    missed = equation("x", "3", r2=-0.00016, nmse=1.00016, status=Status.NOT_IDENTIFIED)
    assert missed.to_json()["r2"] == -0.00016


def test_a_discovery_is_plain_json_with_all_that_made_it():
    values = json.loads(json.dumps(discovery().to_json(), allow_nan=False))
    assert (values["schema"], values["target"], values["seed"]) == (1, "spiral", 4)
    assert [each["variable"] for each in values["equations"]] == ["x", "y"]
    assert values["variables"][1] == {"name": "y", "range": [-1.0, 1.0]}
    assert values["settings"]["trials"] == 5
    assert values["versions"] == {"odevsr": "1"}


def test_a_discovery_is_identified_if_all_its_equations_are_and_none_is_missing():
    assert discovery().identified
    assert not discovery(equation(), equation("y", status=Status.APPROXIMATE)).identified
    assert not discovery(interrupted=True).identified


def test_a_discovery_prints_one_equation_a_line(capsys):
    discovery(equation("x", "2*x - y"), equation("y", "x*y")).print()
    assert capsys.readouterr().out == "dx/dt = 2*x - y\ndy/dt = x*y\n"


def test_a_law_that_is_not_identified_is_never_printed_without_its_status():
    poor = equation("y", "x*y", status=Status.APPROXIMATE)
    assert str(poor) == "dy/dt = x*y    (approximate: close inside the ranges, but not the law)"
    assert str(discovery(equation("x", "2*x"), poor)).splitlines() == ["dx/dt = 2*x", str(poor)]
    assert poor.latex() == r"\frac{d y}{d t} \approx x y"
    assert r"\frac{d y}{d t} &\approx x y" in discovery(equation("x", "2*x"), poor).latex()


def test_an_interrupted_discovery_says_that_equations_are_missing():
    assert str(discovery(equation("x", "2*x"), interrupted=True)).splitlines()[1:] == [
        "interrupted: equations that were asked for are missing"
    ]


@pytest.mark.parametrize("states", ["abc", [[1.0, 2.0], [1.0]]])
def test_states_that_are_no_numbers_are_refused(states):
    with pytest.raises(UsageError, match="states must be numbers"):
        discovery().predict(states)
    with pytest.raises(UsageError, match="derivatives must be numbers"):
        discovery().score(np.ones((5, 2)), states)


def test_predictions_are_the_values_of_the_equations():
    found = discovery(equation("x", "2*x - y"), equation("y", "x*y"))
    assert found.predict([3.0, 4.0]).tolist() == [2.0, 12.0]
    assert found.predict(np.ones((5, 3, 2))).shape == (5, 3, 2)


@pytest.mark.parametrize("states", [1.0, [1.0, 2.0, 3.0], np.ones((4, 1))])
def test_states_of_another_shape_are_refused(states):
    with pytest.raises(UsageError, match=r"none of spiral; give \(\.\.\., 2\): x, y"):
        discovery().predict(states)


def test_a_perfect_prediction_scores_one_and_the_mean_scores_nought():
    states = np.random.default_rng(0).random((50, 2))
    found = discovery(equation("x", "2*x - y"), equation("y", "x*y"))
    assert found.score(states, found.predict(states)).tolist() == [1.0, 1.0]
    truth = found.predict(states)
    mean = equation("x", expression=Number(float(truth[:, 0].mean())))
    assert discovery(mean).score(states, truth[:, :1])[0] == pytest.approx(0.0, abs=1e-12)


def test_a_constant_derivative_that_is_met_scores_one():
    found = discovery(equation("x", "3"))
    assert found.score(np.ones((5, 2)), np.full((5, 1), 3.0)).tolist() == [1.0]


def test_a_score_of_one_state_is_refused():
    with pytest.raises(UsageError, match="over several states"):
        discovery().score([1.0, 2.0], [1.0, 2.0])


def test_derivatives_of_another_shape_are_refused():
    with pytest.raises(UsageError, match=r"derivatives of shape \(5, 1\)"):
        discovery().score(np.ones((5, 2)), np.ones((5, 1)))


def test_an_equation_can_be_had_in_latex():
    assert equation("x", "2*x - y/3").latex() == r"\frac{d x}{d t} = 2 x - \frac{y}{3}"


def test_a_discovery_in_latex_aligns_its_equations():
    found = discovery(equation("x", "2*x - y"), equation("y", "x*y"))
    assert found.latex().splitlines() == [
        r"\begin{aligned}",
        r"\frac{d x}{d t} &= 2 x - y \\",
        r"\frac{d y}{d t} &= x y",
        r"\end{aligned}",
    ]


def test_an_equation_can_be_had_from_sympy():
    x, y = sympy.symbols("x y", real=True)
    assert sympy.simplify(equation("x", "2*(x - y)").sympy() - 2 * x + 2 * y) == 0


def test_a_discovery_moves_as_its_equations_say():
    times = np.linspace(0.0, 10.0, 21)
    states = discovery().simulate([1.0, 0.0], times)
    decay = np.exp(-times / 10)
    expected = np.stack([decay * np.cos(times), -decay * np.sin(times)], axis=1)
    np.testing.assert_allclose(states, expected, atol=1e-8)


def test_a_discovery_with_inputs_moves_as_they_are_set():
    found = discovery(equation("x", "x - y"), names=NAMES)
    assert found.simulate([3.0], [0.0, 1.0], inputs={"y": 3.0})[:, 0].tolist() == [3.0, 3.0]
    with pytest.raises(UsageError, match="y has neither an equation nor a value"):
        found.simulate([3.0], [0.0, 1.0])
