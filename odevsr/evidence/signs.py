"""One sign of two: C*tanh(C*x + C) is the same function with all three constants negated.

Trials are fitted one by one and may come out with either sign. Only with one choice for all can
their constants be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import EVEN, ODD, split_coefficient, terms
from odevsr.language.algebra.term import factors_of
from odevsr.language.expression import Apply, Constant, Expression, count


def with_one_sign(expression: Expression, constants: FloatArray) -> FloatArray:
    """Constants (K, m) of equal value in which the first rate of each such function is positive."""
    return _turned(constants, _mirrored(expression))


def with_steady_signs(expression: Expression, constants: FloatArray) -> FloatArray:
    """The same with one sign for that constant whose size differs least between trials.

    So one that all trials share is seen to be shared: of sin(x*y), whose sign is that of y, not the
    rate is positive but the factor.
    """
    sizes = np.abs(constants)
    spread = np.ptp(sizes, axis=0) / (np.max(sizes, axis=0) + np.finfo(float).tiny)
    chosen = (
        (min([leading, *together], key=lambda index: spread[index]), together)
        for leading, together in _mirrored(expression)
    )
    return _turned(constants, chosen)


def _turned(constants: FloatArray, mirrored: Iterable[tuple[int, list[int]]]) -> FloatArray:
    """Constants of which the first of each group is positive, the others turned with it."""
    fixed = constants.copy()
    for leading, together in mirrored:
        signs = np.where(fixed[:, [leading]] < 0, -1.0, 1.0)
        fixed[:, together] *= signs
    return fixed


def _mirrored(expression: Expression) -> Iterator[tuple[int, list[int]]]:
    """Position of a rate, and of all constants that change sign with it, in preorder."""
    position = 0
    for term in terms(expression):
        coefficient, rest = split_coefficient(term)
        scale = [position] if isinstance(coefficient, Constant) else []
        position += len(scale)
        for factor in factors_of(rest):
            inside = list(range(position, position + count(factor, Constant)))
            position += len(inside)
            if not isinstance(factor, Apply) or not _is_linear(factor.args[0]):
                continue
            if factor.op in EVEN:
                yield inside[0], inside
            elif factor.op in ODD and scale:
                yield inside[0], scale + inside


def _is_linear(argument: Expression) -> bool:
    """True for a sum of terms whose coefficients, and nothing else in them, are open."""
    parts = [split_coefficient(term) for term in terms(argument)]
    return all(isinstance(c, Constant) and not count(rest, Constant) for c, rest in parts)
