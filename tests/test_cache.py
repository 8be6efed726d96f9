"""A cache gives the fits that fitting gives, fits nothing twice, and stays small."""

import numpy as np
import pytest

from odevsr.fitting import cache as cache_module
from odevsr.fitting.cache import FitCache
from odevsr.fitting.fit import Effort, Failure, fit_programs, make_trials, start_multipliers
from odevsr.fitting.program import compile_program
from odevsr.language.expression import Constant, count
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse

NAMES = ("x0", "x1")
POINTS = np.random.default_rng(0).uniform(0.5, 2.0, (2, 50, 2))
TRIALS = make_trials(POINTS, 3 * np.sin(POINTS[..., 0]) + POINTS[..., 1])
STARTS = start_multipliers(4, np.random.default_rng(0))


def read(*texts):
    return [normal_form(parse(text, NAMES, open_symbols=True)) for text in texts]


@pytest.fixture
def fitted_programs(monkeypatch):
    """How many programs were fitted, call by call."""
    counts = []

    def counted(programs, *rest):
        counts.append(len(programs))
        return fit_programs(programs, *rest)

    monkeypatch.setattr(cache_module, "fit_programs", counted)
    return counts


def make_cache(**options):
    return FitCache(NAMES, TRIALS, STARTS, Effort(), **options)


def test_a_cache_gives_what_fitting_gives():
    expressions = read("C*x0 + C", "C*sin(C*x0) + C*x1")
    programs = [compile_program(expression, NAMES) for expression in expressions]
    direct = fit_programs(programs, TRIALS, STARTS, Effort())
    for fit, losses, constants in zip(
        make_cache().fit(expressions), direct.losses, direct.constants, strict=True
    ):
        np.testing.assert_array_equal(fit.losses, losses)
        np.testing.assert_array_equal(fit.constants, constants)
        assert fit.failure is Failure.NONE


def test_what_was_fitted_is_not_fitted_again(fitted_programs):
    cache = make_cache()
    first = cache.fit(read("C*x0", "C*x1", "C*x0"))
    second = cache.fit(read("C*x1", "C*x0 + 1", "x0*C"))
    assert fitted_programs == [2, 1]
    assert first[0] is first[2] is second[2]
    assert first[1] is second[0]


def test_a_full_cache_forgets_what_was_not_asked_for_longest(fitted_programs):
    cache = make_cache(most=2)
    cache.fit(read("C*x0", "C*x1"))
    cache.fit(read("C*x0"))
    cache.fit(read("C*x0*x1"))
    assert len(cache) == 2
    cache.fit(read("C*x0"))
    cache.fit(read("C*x1"))
    assert fitted_programs == [2, 0, 1, 0, 1]


def test_more_at_once_than_there_is_room_for_are_all_answered():
    expressions = read("C*x0", "C*x1", "C*x0 + C", "C*x1 + C")
    assert len(make_cache(most=1).fit(expressions)) == 4


def test_what_cannot_be_run_fails_with_its_cause():
    many = " + ".join(f"C*x0^{power}" for power in range(30))
    invalid, large, outside = make_cache().fit(read("1/0", many, "C*log(-x0)"))
    assert [fit.failure for fit in (invalid, large, outside)] == [
        Failure.INVALID,
        Failure.TOO_LARGE,
        Failure.DOMAIN,
    ]
    assert np.all(np.isnan([invalid.losses, large.losses, outside.losses]))
    assert large.constants.shape == (2, count(large.expression, Constant))
