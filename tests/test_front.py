"""Simpler laws beside the law, and experiments that decide between them."""

import numpy as np
from laws import FunctionOracle, law, measured

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.law import Law
from odevsr.language.expression import variables
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.limits import DEFAULT_LIMITS
from odevsr.settings import Settings
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.judging.case import Case, JudgedLaw
from odevsr.vertical.judging.front import beside_rivals, simpler_laws
from odevsr.world.experiments.budget import LimitedOracle

FRESH = measured(law("3.0*x"))


def noisy(function, **changes):
    """A case whose noise hides weak terms."""
    oracle = FunctionOracle(function, error=0.1, is_noisy=True)
    return Case(LimitedOracle(oracle, 10_000), Settings(**changes))


def judged(text):
    return JudgedLaw(Law(parse(text, ["x", "y"]), (), 1.0), (), FRESH)


def weak(**changes):
    """A case whose noise hides a term of the law, and that law."""
    return noisy(lambda x, y: 3 * x + 0.03 * y, **changes), judged("3.0*x + 0.03*y")


def test_a_simpler_law_as_good_as_the_law_comes_with_the_experiment_that_tells():
    case, best = weak()
    kept, (simpler,) = beside_rivals(case, best, np.random.default_rng(0))
    assert kept is best
    assert to_text(simpler.expression).endswith("*x")
    assert simpler.experiment is not None
    assert simpler.experiment.repeats(DEFAULT_LIMITS) > 1
    assert not simpler.is_refuted


def test_the_telling_experiment_decides_for_the_truth():
    case, best = weak(decide=True)
    kept, left = beside_rivals(case, best, np.random.default_rng(0))
    assert kept is best
    assert [each.is_refuted for each in left] == [each.experiment is not None for each in left]
    assert any(each.is_refuted for each in left)


def test_the_telling_experiment_decides_against_a_law_with_a_term_too_many():
    case, long = noisy(lambda x, y: 3 * x, decide=True), judged("3.0*x + 0.02*y**2")
    kept, left = beside_rivals(case, long, np.random.default_rng(0))
    assert kept is not long
    assert left[-1].expression == long.law.expression
    assert left[-1].is_refuted


def test_a_law_without_noise_or_doubts_has_no_rivals():
    case, best = weak()
    case.oracle.is_noisy = False
    assert beside_rivals(case, best, np.random.default_rng(0)) == (best, ())
    assert beside_rivals(case, None, np.random.default_rng(0)) == (None, ())


def test_simpler_laws_lose_their_weakest_terms_one_by_one_and_show_what_that_costs():
    oracle = FunctionOracle(lambda x, y: 5 * x * y + 2 * x + 0.1 * y, error=1e-3)
    found = simpler_laws(
        judged("5.0*x*y + 2.0*x + 0.1*y").law,
        Measuring(oracle, Agreement()),
        np.random.default_rng(0),
    )
    assert [variables(each.expression) for each in found] == [{"x", "y"}, {"x", "y"}]
    assert to_text(found[0].expression).count("*") == 3
    assert 10 < found[0].deviation < found[1].deviation
