"""What simpler methods make of the same number of states: polynomials, and SINDy.

Both get the true derivatives at random states of the box (5,000 at most, which is ample for their
few hundred terms), and so more than our own method gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from odevsr.evidence.data import Data
from odevsr.evidence.simplify import fit_terms
from odevsr.language.algebra.monomials import monomials
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.sample import Sample

HIGHEST_DEGREE = 5
MOST_TERMS = 500
MOST_STATES = 5000
CLOSE = 1e-4
SINDY_DEGREES = (2, 3)
SINDY_THRESHOLDS = (0.1, 0.01, 0.001)


def polynomial_is_exact(truth: Expression, names: Sequence[str], box: Box, count: int) -> bool:
    """Whether least squares over polynomials, idle terms left out, finds the law."""
    data = _data(truth, names, box, count)
    degree = highest_degree(len(names), count)
    law, _ = fit_terms(monomials(names, degree), Data(names, data))
    return _is_exact(law, truth, names, box, data)


def sindy_is_exact(truth: Expression, names: Sequence[str], box: Box, count: int) -> bool:
    """Whether SINDy finds the law, with any of several degrees and thresholds."""
    from odevsr.verdict.rival.sindy import plain_sindy

    data = _data(truth, names, box, count)
    return any(
        _is_exact(law, truth, names, box, data)
        for degree in SINDY_DEGREES
        for threshold in SINDY_THRESHOLDS
        if terms_of_degree(len(names), degree) <= MOST_TERMS
        for law in [plain_sindy(names, data.states, data.values, degree, threshold)]
    )


def _is_exact(
    law: Expression, truth: Expression, names: Sequence[str], box: Box, data: Sample
) -> bool:
    """Without noise an exact law leaves nothing over; what does need not be looked at further."""
    missed = compile_field([law], names)(data.states)[:, 0] - data.values
    fits = np.sqrt(np.mean(missed**2)) <= CLOSE * np.sqrt(np.mean(data.values**2))
    return bool(fits) and is_equivalent(law, truth, names, box)


def terms_of_degree(variables: int, degree: int) -> int:
    """How many monomials up to this degree there are."""
    return comb(variables + degree, degree)


def highest_degree(variables: int, states: int) -> int:
    """The highest degree whose monomials the states determine twice over.

    >>> highest_degree(3, 900), highest_degree(20, 2000)
    (5, 2)
    """
    most = min(MOST_TERMS, states // 2)
    fitting = [d for d in range(HIGHEST_DEGREE + 1) if terms_of_degree(variables, d) <= most]
    return max(fitting, default=1)


def _data(truth: Expression, names: Sequence[str], box: Box, count: int) -> Sample:
    states = random_states(box, min(count, MOST_STATES), np.random.default_rng(0))
    values = compile_field([truth], names)(states)[:, 0]
    usable = np.isfinite(values)
    values = values[usable]
    size = np.sqrt(np.mean(values**2)) if usable.any() else 1.0
    return Sample(states[usable], values, 1e-12 * np.abs(values) + 1e-13 * size)
