"""Laws as they are read: their numbers with errors, and shortened where they are too long."""

from __future__ import annotations

import math

from odevsr.evidence.law import FittedNumber
from odevsr.language.algebra.term import added, terms
from odevsr.language.expression import Expression
from odevsr.language.number import known_value, number_text
from odevsr.language.text import to_text

NUMBER_HEADINGS = ("number", "measured", "error", "")


def number_row(constant: FittedNumber) -> tuple[str, str, str, str]:
    """A number as it stands in its law, as it was measured, its error, and how sure it is.

    >>> from fractions import Fraction
    >>> number_row(FittedNumber(2.66666666712, 3.1e-9, Fraction(8, 3)))
    ('8/3', '2.6666666671', '3.1e-09', 'exact')
    """
    value, error = constant.value, constant.error
    measured = number_text(known_value(value, error))
    said = measured if constant.exact is None else number_text(constant.exact)
    known = f"{error:.2g}" if math.isfinite(error) and error > 0 else "unknown"
    return said, measured, known, constant.sureness


def short_text(law: Expression, longest: int) -> str:
    """The law as text; where that is too long, its first terms and how many more there are.

    >>> from odevsr.language.parse import parse
    >>> short_text(parse("x + 2*x**2 + 3*x**3 + 4*x**4", ["x"]), 20)
    'x + 2*x**2 + 3*x**3 + ... (1 more term)'
    """
    text = to_text(law)
    if len(text) <= longest:
        return text
    summands = terms(law)
    beginnings = [to_text(added(summands[:count])) for count in range(1, len(summands))]
    short = [each for each in beginnings if len(each) <= longest]
    if not short:
        return f"{text[:longest]}... ({len(text) - longest:,} more characters)"
    more = len(summands) - len(short)
    return f"{short[-1]} + ... ({more} more term{'s' if more > 1 else ''})"
