"""Fits recover constants, tell why they fail, and are the same for any number of threads."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from derivations import sampled

from odevsr.fitting.descent import workspace
from odevsr.fitting.fit import (
    Effort,
    fit_programs,
    make_trials,
    start_multipliers,
)
from odevsr.fitting.program import compile_program
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, count, with_constants
from odevsr.language.parse import parse

NAMES = ("x0", "x1")
STARTS = start_multipliers(12, np.random.default_rng(0))


def read(text):
    return normal_form(parse(text, NAMES, open_symbols=True))


def points_of(trials=1, number=200, low=0.5, high=3.0):
    return np.random.default_rng(2).uniform(low, high, (trials, number, 2))


def fit(text, points, targets, errors=None, **effort):
    program = compile_program(read(text), NAMES)
    trials = make_trials(points, targets, errors)
    return fit_programs([program], trials, STARTS, Effort(**({"starts": 12} | effort)))


def value(text, points, constants=()):
    filled = with_constants(read(text), list(constants))
    return compile_field([filled], NAMES)(points)[..., 0]


@pytest.mark.parametrize(
    ("text", "constants"),
    [
        ("C*x0 + C*x1 + C", [2.0, -3.0, 1.0]),
        ("C*x0*x1/(x0^4 + C)", [100.0, 0.07]),
        ("C*x0 + C*exp(C*x0)", [1.0, 3.0, -1.3]),
        ("C*x0^C*x1^C", [0.3, 0.33, 0.67]),
        ("C*log(x0 + C) + C*x0/(x1 + C)", [1.0, 1.5, 0.5, 2.0]),
        ("x0^2 + C*sqrt(x0 + C)", [-0.7, 0.4]),
        ("C/(x0 + C)", [1.0, -1.7]),
        ("C/(x0*x1 + C*x0 + C)", [0.77, -0.93, -2.36]),
        ("sin(C*x0^2)*x1", [2.0]),
        ("x0 + tanh(C*x1 + C)", [0.8, -1.2]),
        ("abs(x0 + C)", [-1.2]),
    ],
)
def test_constants_are_recovered(text, constants):
    points = points_of()
    fitted = fit(text, points, value(text, points, constants))
    assert fitted.losses[0, 0] < 1e-20
    predicted = value(text, points, fitted.constants[0][0])
    assert predicted == pytest.approx(value(text, points, constants), rel=1e-8)
    assert np.abs(fitted.constants[0][0]) == pytest.approx(np.abs(constants), rel=1e-6)


def test_each_trial_has_constants_of_its_own():
    points = points_of(trials=4)
    constants = [[1.0, 0.5], [2.0, 0.7], [-3.0, 0.9], [4.0, 2.0]]
    targets = np.stack(
        [value("C*exp(C*x0)", points[k], constants[k]) for k in range(len(constants))]
    )
    fitted = fit("C*exp(C*x0)", points, targets)
    assert np.all(fitted.losses < 1e-20)
    assert fitted.constants[0] == pytest.approx(np.array(constants))


def test_weights_make_uncertain_points_count_less():
    points = points_of()
    targets = value("3*x0 + 1", points)
    errors = np.full(targets.shape, 1e-3)
    targets[0, :20] += 100.0
    errors[0, :20] = 1e6
    fitted = fit("C*x0 + C", points, targets, errors)
    assert fitted.constants[0][0] == pytest.approx([3.0, 1.0], rel=1e-6)


def test_losses_are_relative_to_the_variance():
    points = points_of()
    targets = value("x0^2", points)
    fitted = fit("C + 0*x0", points, targets)
    assert fitted.losses[0, 0] == pytest.approx(1.0)


def test_a_target_that_does_not_move_is_explained_by_a_constant():
    points = points_of()
    fitted = fit("C", points, np.full(points.shape[:2], 7.0))
    assert fitted.losses[0, 0] < 1e-20


@pytest.mark.parametrize(
    "text",
    [
        "C*x0 + 1/(x1 - 1)",
        "C*log(-x0)",
        "C*log(x0 - 100)",
        "C*sqrt(-x0 - 1)",
        "C*acos(x0 + 5)",
        "C + exp(x0^12*1000)",
        "C*exp(exp(exp(x0 + 9)))",
        "C*x0 + x0^64*x0^64*1e290",
        "C*cosh(x0*1e4)",
    ],
)
def test_candidates_without_a_value_have_no_loss(text):
    points = points_of()
    points[:, :, 1] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = fit(text, points, points[..., 0])
    assert np.isnan(fitted.losses[0, 0])


def test_where_a_later_trial_has_no_value_the_earlier_keep_theirs():
    points = points_of(trials=2)
    points[1] -= 10.0
    fitted = fit("C*log(x0)", points, points[..., 0])
    assert np.isnan(fitted.losses[0]).tolist() == [False, True]


def test_a_hopeless_first_trial_spares_the_others():
    points = points_of(trials=3)
    targets = np.sin(5 * points[..., 0])
    fitted = fit("C*x1", points, targets, hopeless=1e-3)
    assert np.isnan(fitted.losses[0]).tolist() == [False, True, True]


def test_fits_do_not_depend_on_what_stood_in_memory_before(monkeypatch):
    points = points_of()
    targets = np.log(points[..., 0] + 0.4) * points[..., 1]
    clean = fit("C*exp(C*x0) + C*x1/(x0 + C)", points, targets)

    def poisoned(*shape):
        work = workspace(*shape)
        for array in work:
            array.fill(np.nan if array.dtype == float else 2**40)
        return work

    monkeypatch.setattr("odevsr.fitting.fit.workspace", poisoned)
    again = fit("C*exp(C*x0) + C*x1/(x0 + C)", points, targets)
    np.testing.assert_array_equal(clean.constants[0], again.constants[0])
    assert clean.runs == again.runs


def test_a_program_without_constants_is_just_compared():
    points = points_of()
    fitted = fit("x0*x1 + sin(x0)", points, value("x0*x1 + sin(x0)", points))
    assert fitted.losses[0, 0] < 1e-28
    assert fitted.constants[0].shape == (1, 0)


def candidates(number, seed):
    grammar = make_grammar(NAMES, longest=25)
    forest = Forest(grammar)
    rng = np.random.default_rng(seed)
    found = {}
    while len(found) < number:
        planted = forest.plant(sampled(grammar, 200, rng))
        found.update(
            (tree, None)
            for tree in planted
            if not is_invalid(tree) and 0 < count(tree, Constant) < 9
        )
    return [compile_program(tree, NAMES) for tree in list(found)[:number]]


def test_any_number_of_threads_gives_the_same():
    programs = candidates(150, seed=4)
    points = points_of(trials=2)
    targets = np.sin(2 * points[..., 0]) * points[..., 1] + 0.1
    trials = make_trials(points, targets)
    alone = fit_programs(programs, trials, STARTS, Effort())
    for number in (1, 2, 3):
        with ThreadPoolExecutor(number) as threads:
            together = fit_programs(programs, trials, STARTS, Effort(), threads)
        np.testing.assert_array_equal(alone.losses, together.losses)
        for one, other in zip(alone.constants, together.constants, strict=True):
            np.testing.assert_array_equal(one, other)
        assert alone.runs == together.runs


def test_the_company_a_program_is_fitted_in_does_not_matter():
    programs = candidates(60, seed=5)
    points = points_of()
    trials = make_trials(points, np.exp(-points[..., 0]) * points[..., 1])
    together = fit_programs(programs, trials, STARTS, Effort())
    alone = [fit_programs([program], trials, STARTS, Effort()).losses for program in programs]
    np.testing.assert_array_equal(together.losses, np.concatenate(alone))


def test_no_programs_give_no_fits():
    points = points_of()
    fitted = fit_programs([], make_trials(points, points[..., 0]), STARTS, Effort())
    assert fitted.losses.shape == (0, 1)
    assert fitted.constants == ()


@pytest.mark.parametrize("number", [3, 10, 64, 100])
def test_few_points_are_enough(number):
    points = points_of(number=number)
    fitted = fit("C*x0*exp(C*x1)", points, value("C*x0*exp(C*x1)", points, [2.0, -0.4]))
    assert fitted.losses[0, 0] < 1e-20


def test_trials_keep_their_points_together_and_put_extremes_first():
    points = points_of(trials=2, number=130)
    targets = points.sum(axis=2)
    trials = make_trials(points, targets)
    np.testing.assert_allclose(trials.points.sum(axis=1), trials.targets)
    np.testing.assert_allclose(np.sort(trials.targets), np.sort(targets))
    deviation = np.abs(trials.targets - np.median(targets, axis=1, keepdims=True))
    assert np.all(deviation[:, :8].min(axis=1) >= deviation[:, 8:].max(axis=1))


def test_near_points_are_those_about_the_middle():
    points = points_of(trials=1, number=130)
    near = make_trials(points, points[..., 0]).near(10)
    middle = np.median(points[0], axis=0)
    assert near.points.shape == (1, 2, 10)
    assert np.max(np.abs(near.points[0] - middle[:, None])) < 1.0


def test_starts_cover_both_signs_and_two_decades():
    starts = start_multipliers(10, np.random.default_rng(0))
    assert np.all(starts[0] == 1.0)
    assert np.mean(starts > 0) == pytest.approx(0.5, abs=0.05)
    sizes = np.abs(starts)
    assert np.quantile(sizes, 0.95) > 10
    assert 0.1 < np.mean(sizes < 0.02) < 0.3
