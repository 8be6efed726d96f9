"""Judgements: each doubt where it is due, none against the truth, and a status that follows."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FunctionOracle, law

from odevsr.errors import SimulationError
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.data import Data
from odevsr.evidence.imitation import is_determined, may_be_one_function, may_imitate
from odevsr.evidence.law import FittedNumber, Law
from odevsr.language.parse import parse
from odevsr.limits import DEFAULT_LIMITS
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.equation import Status
from odevsr.vertical.judging.doubt import Doubt, Weight
from odevsr.vertical.judging.judge import doubts, nmse_of, status_of, varies
from odevsr.world.sample import Sample

CALM, NOISY = Agreement(), Agreement(is_noisy=True)


def fitted(text, deviation=1.0, constants=()):
    return Law(parse(text, ["x", "y"]), constants, deviation)


def doubted(judged, function, agreement=CALM, seed=0, **options):
    oracle = FunctionOracle(function, is_noisy=agreement.is_noisy, **options)
    found = doubts(judged, Measuring(oracle, agreement), np.random.default_rng(seed))
    return [each.sentence for each in found if each.weight is not Weight.TOLD]


def fresh(values, error):
    values = np.array(values, dtype=float)
    return Sample(np.zeros((len(values), 1)), values, np.full(len(values), error))


@given(st.integers(0, 1000), st.sampled_from([CALM, NOISY]))
def test_nothing_speaks_against_the_truth(seed, agreement):
    assert doubted(fitted("x*y"), lambda x, y: x * y, agreement, seed, error=1e-4) == []


def test_a_law_from_which_fresh_measurements_deviate_is_doubted():
    (doubt,) = doubted(fitted("x*y", deviation=3.4), lambda x, y: x * y)
    assert doubt == "fresh measurements deviate from it by 3.4 errors"
    assert doubted(fitted("x*y", deviation=2.9), lambda x, y: x * y) == []


def test_noise_leaves_a_law_less_to_deviate_as_it_is_measured_more_often():
    (doubt,) = doubted(fitted("x*y", deviation=1.4), lambda x, y: x * y, NOISY, error=1e-4)
    assert "1.4 errors" in doubt


@pytest.mark.parametrize(
    ("bend", "where"),
    [
        (lambda x, y: np.maximum(x - 2.5, 0), "x above 2.5"),
        (lambda x, y: np.maximum(0.5 - x, 0), "x below 0.5"),
        (lambda x, y: np.maximum(-1 - y, 0), "y below -1"),
    ],
)
def test_a_law_that_is_another_one_outside_the_ranges_is_doubted(bend, where):
    assert doubted(fitted("x*y"), lambda x, y: x * y + bend(x, y)) == [f"it fails for {where}"]


def test_where_the_simulator_does_not_go_nothing_is_held_against_a_law():
    oracle = FunctionOracle(lambda x, y: x)

    def refuse(states):
        raise SimulationError("outside")

    oracle.measure = refuse
    found = list(doubts(fitted("x"), Measuring(oracle, CALM), np.random.default_rng(0)))
    assert {each.weight for each in found} == {Weight.TOLD}
    assert found[0].sentence == "not checked for x below 0.5: nothing is measured there"


def test_a_constant_that_its_errors_could_hide_is_doubted():
    (doubt,) = doubted(fitted("0"), lambda x, y: 0 * x, error=1.0)
    assert doubt.startswith("the derivative cannot be measured")
    assert doubted(fitted("0"), lambda x, y: 0 * x, error=1e-9) == []
    (doubt,) = doubted(fitted("7"), lambda x, y: 7 + 0 * x, error=0.7)
    assert doubt.startswith("errors could hide terms of up to")
    assert doubted(fitted("7"), lambda x, y: 7 + 0 * x, error=1e-4) == []


def test_numbers_that_may_be_any_are_a_doubt():
    judged = fitted("x", constants=(FittedNumber(1.0, 2.0),))
    assert doubted(judged, lambda x, y: x) == ["some of its numbers might as well be others"]


def test_an_imitation_is_doubted():
    text = " + ".join(f"0.7391*x**{power}" for power in range(7))
    judged = Law(law(text), (FittedNumber(0.7391, 1e-9),) * 7, 1.0)
    (doubt,) = doubted(judged, lambda x, y: sum(0.7391 * x**power for power in range(7)))
    assert doubt == "with so many odd numbers it could follow any smooth function"


def test_many_functions_of_one_variable_with_odd_numbers_may_be_an_imitation():
    def written(text, *, exact):
        constants = [FittedNumber(0.7391, 1e-9)] * (7 - exact)
        constants += [FittedNumber(0.5, 1e-9, Fraction(1, 2))] * exact
        return Law(parse(text, ["x", "y"]), tuple(constants), 1.0)

    dense = " + ".join(f"0.7391*x**{power}" for power in range(7))
    assert may_imitate(written(dense, exact=1), DEFAULT_LIMITS)
    assert not may_imitate(written(dense, exact=5), DEFAULT_LIMITS)
    several = "0.7391*x**2 + 0.31*x*y + 0.62*y**2 + 0.41*x + 0.77*y + 0.1234"
    assert not may_imitate(written(several, exact=0), DEFAULT_LIMITS)


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("0.0079*y + 0.426*y/(y**2 + 10.12)", True),
        ("0.43*x - 1.31*sin(1.72*x) + y", True),
        ("0.43*x - 1.31*sin(2*x)", False),
        ("1.31*sin(1.72*x + 0.12)", False),
        ("0.43*x - 1.31*x**2 + 0.72*x**3", False),
        ("0.43*x - 1.31*abs(x - 0.72)", False),
    ],
)
def test_within_errors_functions_of_one_variable_with_odd_numbers_may_be_one_function(
    text, is_open
):
    assert may_be_one_function(law(text), DEFAULT_LIMITS) == is_open


def test_a_law_is_not_determined_while_a_number_may_be_any():
    def known(*numbers):
        return Law(parse("x", ["x"]), numbers, 1.0)

    assert is_determined(known(FittedNumber(2.0, 0.5), FittedNumber(0.0, 1.0, 0)))
    assert not is_determined(known(FittedNumber(2.0, 0.5), FittedNumber(7e15, 7e179)))


def test_a_status_follows_from_doubts_and_from_how_near_the_law_is():
    wave = fresh(np.sin(np.arange(50)), 1e-9)
    refuted, unsure = Doubt("it fails"), Doubt("so may others", Weight.LEAVES_OPEN)
    assert status_of([], 0.5, wave) is Status.IDENTIFIED
    assert status_of([unsure], 0.5, wave) is Status.UNDECIDED
    assert status_of([unsure, refuted], 0.009, wave) is Status.APPROXIMATE
    assert status_of([refuted], 0.011, wave) is Status.NOT_IDENTIFIED
    flat = fresh(np.zeros(50), 1.0)
    assert status_of([refuted], 0.0, flat) is Status.NOT_IDENTIFIED


def test_the_nmse_of_what_does_not_vary_is_nought_within_the_errors_or_infinite():
    flat = fresh(np.full(50, 2.0), 0.1)
    assert not varies(flat)
    assert nmse_of(parse("2", []), Data(["x"], flat)) == 0.0
    assert nmse_of(parse("3", []), Data(["x"], flat)) == np.inf


def test_the_nmse_of_what_varies_is_relative_to_its_variance():
    wave = fresh([1.0, -1.0] * 20, 1e-3)
    assert varies(wave)
    assert nmse_of(parse("0", []), Data(["x"], wave)) == pytest.approx(1.0)


def test_noise_that_could_hide_a_term_leaves_a_law_open():
    (doubt,) = doubted(fitted("x*y"), lambda x, y: x * y, NOISY, error=0.5)
    assert doubt.startswith("noise could hide terms of up to")


def test_a_term_that_noisy_measurements_show_and_the_law_lacks_refutes_it():
    (doubt,) = doubted(fitted("x"), lambda x, y: x + 0.01 * y, NOISY, error=0.01)
    assert doubt.startswith("measurements show a dependence on")


def test_noise_that_is_alike_from_one_measurement_to_the_next_leaves_a_law_open():
    alike = FunctionOracle(lambda x, y: x * y, is_noisy=True, error=1e-4)
    measure = alike.measure

    def drifting(states):
        sample = measure(states)
        slow = np.sin(np.arange(sample.values.size) / 20).reshape(sample.values.shape)
        return replace(sample, values=sample.values + 2e-4 * slow)

    alike.measure = drifting
    found = doubts(fitted("x*y"), Measuring(alike, NOISY), np.random.default_rng(0))
    said = [each.sentence for each in found if each.weight is Weight.LEAVES_OPEN]
    assert said == [
        "noise is alike from one measurement to the next, and hides more than it seems to"
    ]


def test_errors_that_could_hide_a_term_leave_a_law_open():
    blurred = Law(law("x"), (), 1.0, blur=0.05)
    (doubt,) = doubted(blurred, lambda x, y: x)
    assert doubt == "errors could hide terms of up to 15 % of the derivative"


def test_a_step_is_no_steep_wave():
    judged = fitted("tanh(4000*y)")
    doubt, *_ = doubted(judged, lambda x, y: np.sign(y))
    assert re.fullmatch(r"it fails about y = -?[\d.e-]+, where it is steep", doubt)
    assert doubted(judged, lambda x, y: np.tanh(4000 * y)) == []


def test_a_variable_that_hardly_varied_may_matter():
    box = ((1000.0, 1000.1), (-1.0, 2.0))
    (doubt,) = doubted(fitted("y"), lambda x, y: y, box=box)
    assert doubt.startswith("x was varied by only 0.01 % of its value")
    assert doubted(fitted("x*y"), lambda x, y: x * y, box=box) == []


def test_numbers_that_balance_one_another_are_a_doubt():
    balanced = FittedNumber(2.0, 1e-3, error_alone=1e-9)
    (doubt,) = doubted(fitted("x", constants=(balanced,)), lambda x, y: x)
    assert doubt == "its numbers balance one another, as those of an imitation do"
    exact = FittedNumber(2.0, 1e-3, 2, error_alone=1e-9)
    assert doubted(fitted("x", constants=(exact,)), lambda x, y: x) == []


def test_a_law_that_is_another_one_for_small_values_is_doubted():
    box = ((0.0, 1000.0), (-1.0, 2.0))
    switched = doubted(fitted("y"), lambda x, y: y + 1e-5 / (1e-5 + x**2), box=box)
    assert switched[0] == "it fails for small x"
    assert doubted(fitted("y"), lambda x, y: y + 0 * x, box=box) == []


@pytest.mark.parametrize("extra", [lambda some: 0, lambda some: np.exp(-10 * some[7] ** 2)])
def test_many_variables_that_a_law_lacks_are_small_together(extra):
    names = tuple(f"x{number}" for number in range(100))
    oracle = FunctionOracle(lambda *some: some[0] + extra(some), box=((0.0, 1000.0),) * 100)
    oracle.names, oracle.component = names, 1
    judged = Law(parse("x0", names), (), 1.0)
    found = doubts(judged, Measuring(oracle, CALM), np.random.default_rng(0))
    failures = [each.sentence for each in found if each.refutes]
    assert failures == ([] if extra((0.0,) * 8) == 0 else ["it fails for small x1 to x13"])
    assert oracle.cost.states < 200


def test_a_single_state_that_no_error_explains_refutes_a_law():
    def pulse(x, y):
        return x * y + (np.abs(x - 1.3) < 1e-3)

    states = np.array([[0.7, 0.2], [1.3, 0.5], [2.0, -0.5]] * 20)
    seen = Sample(states, pulse(*states.T), np.full(len(states), 1e-9))
    found = doubts(
        fitted("x*y"), Measuring(FunctionOracle(pulse), CALM), np.random.default_rng(0), seen
    )
    assert next(found).sentence == "it fails at x = 1.3, y = 0.5"


@pytest.mark.parametrize(("wild", "refutes"), [(1, False), (2, False), (30, True)])
def test_few_measurements_that_agree_when_asked_again_were_wild(wild, refutes):
    states = np.random.default_rng(0).uniform((0.5, -1), (2.5, 2), (200, 2))
    seen = Sample(states, states[:, 0] * states[:, 1], np.full(200, 1e-9))
    seen.values[:wild] += 1
    oracle = FunctionOracle(lambda x, y: x * y)
    found = list(doubts(fitted("x*y"), Measuring(oracle, CALM), np.random.default_rng(0), seen))
    assert any(each.refutes for each in found) == refutes
    told = f"{wild} of 200 measurements were wild, and agree when asked again"
    assert (told in [each.sentence for each in found]) != refutes


def test_within_noise_fewer_numbers_could_follow_anything():
    numbers = tuple(FittedNumber(value, 1e-4, None) for value in (0.123, 0.456, 0.789))
    series = fitted("0.123*x + 0.456*x**2 + 0.789*x**3", constants=numbers)

    def cubic(x, y):
        return 0.123 * x + 0.456 * x**2 + 0.789 * x**3

    assert doubted(series, cubic) == []
    assert any("could follow any" in each for each in doubted(series, cubic, NOISY, error=1e-4))
