"""Terms that noise has hidden: found once the law of the strong ones leaves only the weak."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.evidence.form import honest_errors
from odevsr.evidence.law import Data
from odevsr.evidence.simplify import fit_terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.language.monomials import monomials
from odevsr.language.term import split_coefficient, terms

DEGREE, MOST_ADDED = 2, 8
SIGNIFICANT = 5.0
"""Errors by which a coefficient differs from nought if the term is there: of the many that are
tried, one would reach four by chance now and then."""
INDEPENDENT = 1e-3
"""Share of a candidate that the law's own terms must not be able to stand for."""


def completed(law: Expression, names: Sequence[str], data: Data) -> Expression:
    """The law with the low monomials it lacks, and without the terms that are not significant."""
    functions = [split_coefficient(term)[1] for term in terms(law)]
    candidates = [each for each in monomials(names, DEGREE) if each not in functions]
    if not candidates:
        return fit_terms(functions, names, data)[0]
    errors = honest_errors(data.values, data.errors)[:, None]
    own = compile_field(functions, names)(data.states) / errors
    others = compile_field(candidates, names)(data.states) / errors
    target = data.values[:, None] / errors
    size = np.linalg.norm(others, axis=0)
    for _ in range(MOST_ADDED):
        basis, _ = np.linalg.qr(own)
        missing, rest = (each - basis @ (basis.T @ each) for each in (target, others))
        norms = np.linalg.norm(rest, axis=0)
        usable = norms > INDEPENDENT * size
        significance = np.abs(rest.T @ missing)[:, 0] / np.where(usable, norms, np.inf)
        best = int(np.argmax(significance))
        if not significance[best] >= SIGNIFICANT:
            break
        functions.append(candidates[best])
        own = np.column_stack([own, others[:, best]])
    return fit_terms(functions, names, data)[0]
