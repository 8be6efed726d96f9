"""Laws that are too long to be read, shortened."""

from __future__ import annotations

from odevsr.language.algebra.term import added, terms
from odevsr.language.expression import Expression
from odevsr.language.text import to_text


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
