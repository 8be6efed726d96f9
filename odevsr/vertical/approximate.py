"""What to show when no law was found: the polynomial that comes nearest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from odevsr.language.evaluate import compile_field
from odevsr.language.expression import ONE, Apply, Expression, Number, Op, Variable
from odevsr.language.normal import normal_form
from odevsr.vertical.refine import Data, FittedNumber, Refined, deviation

DEGREES = (4, 3, 2, 1)


def best_polynomial(names: Sequence[str], data: Data) -> Refined:
    """The polynomial of the highest degree that the data determine well, up to degree 4."""
    for degree in DEGREES:
        monomials = _monomials(names, degree)
        if 3 * len(monomials) <= len(data.values) or degree == DEGREES[-1]:
            break
    columns = compile_field(monomials, names)(data.states)
    scale = np.linalg.norm(columns, axis=0)
    scale[scale == 0] = 1.0
    coefficients = np.linalg.lstsq(columns / scale, data.values, rcond=1e-12)[0] / scale
    pieces = tuple(
        Apply(Op.MUL, (Number(float(c)), monomial))
        for c, monomial in zip(coefficients, monomials, strict=True)
    )
    law = normal_form(Apply(Op.ADD, (*pieces, Number(0))))
    constants = tuple(FittedNumber(float(c), float("inf")) for c in coefficients)
    return Refined(law, constants, deviation(law, names, data))


def _monomials(names: Sequence[str], degree: int) -> list[Expression]:
    return [
        normal_form(Apply(Op.MUL, (ONE, ONE, *(Variable(name) for name in chosen))))
        for total in range(degree + 1)
        for chosen in combinations_with_replacement(names, total)
    ]
