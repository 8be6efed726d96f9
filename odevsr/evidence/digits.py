"""Laws with numbers as long as they are known, for people; programs get all digits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from odevsr.evidence.law import FittedNumber
from odevsr.language.expression import Expression, Number, rebuild, walk

DIGITS = 6
"""Digits of a number of whose error nothing is known."""
BEYOND = 2
"""Digits written after the first that the error makes doubtful."""


def rounded(law: Expression, constants: Sequence[FittedNumber] = ()) -> Expression:
    """The law with its inexact numbers as long as the errors of its constants justify.

    >>> from odevsr.language.expression import Number
    >>> rounded(Number(-9.997994897182133), [FittedNumber(-9.997994897182133, 0.016)])
    Number(value=-9.998)
    """
    known = {abs(each.value): _digits(each) for each in constants}
    # A number that was computed from the constants is taken to be known as well as the best.
    otherwise = max(known.values(), default=DIGITS)
    numbers = [node for node in walk(law) if isinstance(node, Number)]
    short = [
        Number(float(f"{node.value:.{known.get(abs(node.value), otherwise)}g}"))
        if isinstance(node.value, float)
        else node
        for node in numbers
    ]
    return rebuild(law, iter(short), Number)


def _digits(constant: FittedNumber) -> int:
    value, error = abs(constant.value), constant.error
    if not (math.isfinite(error) and error > 0 and value):
        return DIGITS
    shared = math.floor(math.log10(value)) - math.floor(math.log10(error)) + 1
    return min(max(shared + BEYOND, BEYOND + 1), 17)
