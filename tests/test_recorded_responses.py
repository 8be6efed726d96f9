"""How motions respond to terms, beside fits with these terms."""

import numpy as np
import pytest
from noisy_runs import lorenz_laws, lorenz_paths

from odevsr.language.algebra.term import added
from odevsr.language.expression import CONSTANT, Apply, Op
from odevsr.language.parse import parse
from odevsr.recorded.motions.responses import responses_of
from odevsr.recorded.motions.systems import FittedLaw, fit_system

SEGMENTS = 10


@pytest.mark.parametrize(
    ("group", "text"), [((0,), "x2"), ((1,), "x1^2"), ((2,), "sin(x0)"), ((0, 2), "x0*x1^2")]
)
def test_a_term_brings_what_its_responses_promise_in_one_law_or_two(group, text):
    paths = lorenz_paths()
    system = fit_system(paths, lorenz_laws(), SEGMENTS, 25)
    term = parse(text, paths.names)
    responses = responses_of(paths, system)
    along = responses.along(paths.field([term]))
    promised = responses.additions([responses.to(k, along) for k in group])
    laws = list(system.laws)
    for k in group:
        law = added([laws[k].law, Apply(Op.MUL, (CONSTANT, term))])
        laws[k] = FittedLaw(law, np.append(laws[k].theta, 0.0))
    fitted = fit_system(paths, laws, SEGMENTS, 25, system)
    places = np.cumsum([len(each.theta) for each in fitted.laws])[list(group)] - 1
    theta = np.concatenate([each.theta for each in fitted.laws])
    assert promised.gains[0] == pytest.approx(system.chi2 - fitted.chi2, rel=0.1, abs=0.05)
    assert promised.errors[0] == pytest.approx(fitted.shot.errors[places], rel=0.05)
    off = (promised.coefficients[0] - theta[places]) / promised.errors[0]
    assert np.abs(off).max() < 0.1


def test_terms_that_a_law_has_bring_nothing():
    paths = lorenz_paths()
    system = fit_system(paths, lorenz_laws(), SEGMENTS, 25)
    terms = [parse(text, paths.names) for text in ("x0", "x1")]
    responses = responses_of(paths, system)
    promised = responses.additions([responses.to(0, responses.along(paths.field(terms)))])
    assert not promised.gains.any()
    assert np.isinf(promised.errors).all()
