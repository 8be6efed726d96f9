"""How motions respond to terms, beside fits with these terms."""

import numpy as np
import pytest
from noisy_runs import lorenz_laws, lorenz_paths

from odevsr.language.algebra.term import added
from odevsr.language.expression import CONSTANT, Apply, Op
from odevsr.language.parse import parse
from odevsr.recorded.motions.responses import responses_of
from odevsr.recorded.motions.systems import Fitted, fit_system

SEGMENTS = 10


@pytest.mark.parametrize(("equation", "text"), [(0, "x2"), (1, "x1^2"), (2, "sin(x0)")])
def test_a_term_brings_what_its_response_promises(equation, text):
    paths = lorenz_paths()
    system = fit_system(paths, lorenz_laws(), SEGMENTS, 25)
    term = parse(text, paths.names)
    promised = responses_of(paths, system).additions(equation, paths.field([term]))
    laws = list(system.laws)
    own = laws[equation]
    law = added([own.law, Apply(Op.MUL, (CONSTANT, term))])
    laws[equation] = Fitted(law, np.append(own.theta, 0.0))
    fitted = fit_system(paths, laws, SEGMENTS, 25, system)
    place = sum(len(each.theta) for each in fitted.laws[: equation + 1]) - 1
    assert promised.gains[0] == pytest.approx(system.chi2 - fitted.chi2, rel=0.1, abs=0.05)
    assert promised.errors[0] == pytest.approx(fitted.shot.errors[place], rel=0.05)


def test_terms_that_a_law_has_bring_nothing():
    paths = lorenz_paths()
    system = fit_system(paths, lorenz_laws(), SEGMENTS, 25)
    terms = [parse(text, paths.names) for text in ("x0", "x1")]
    promised = responses_of(paths, system).additions(0, paths.field(terms))
    assert not promised.gains.any()
    assert np.isinf(promised.errors).all()
