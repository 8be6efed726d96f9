"""Formulas that a run has recorded, read again, and what stands for what in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from odevsr.errors import ExpressionError
from odevsr.language.expression import (
    FUNCTIONS,
    Expression,
    Number,
    Real,
    Variable,
    rebuild,
    substitute,
    walk,
)
from odevsr.language.number import DIGITS, known_value, number_text
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.vertical.asking.story import function_named_in

StandsFor = Sequence[tuple[str, str]]
"""Names and what they stand for, from the outermost on; each in terms of those before it."""


def read(text: str) -> Expression | None:
    """A recorded formula, all names in it being variables; None of what is no formula of ours."""
    names = set(re.findall(r"[^\W\d]\w*", text)) - set(FUNCTIONS)
    try:
        return parse(text, names)
    except ExpressionError:
        return None


def written_out(law: Expression, stands_for: StandsFor) -> Expression:
    """A law in coordinates as one in the variables themselves.

    >>> to_text(written_out(Variable("x"), [("x", "x*y"), ("x", "x - 2*z")]))
    'x*y - 2*z'
    """
    for name, text in reversed(stands_for):
        meaning = read(text)
        if meaning is not None:
            law = substitute(law, {name: meaning})
    return law


def called(names: Iterable[str], stands_for: StandsFor) -> list[str]:
    """What coordinates of these names are, in the variables themselves."""
    return [to_text(with_short_numbers(written_out(Variable(name), stands_for))) for name in names]


def with_short_numbers(law: Expression) -> Expression:
    """The law with numbers no longer than is worth reading; what comes out whole is said so.

    >>> to_text(with_short_numbers(parse("1.3999999999999866*x + 8/3", ["x"])))
    '1.4*x + 8/3'
    """
    numbers = [node.value for node in walk(law) if isinstance(node, Number)]
    short = [each if len(number_text(each)) <= DIGITS else _short(float(each)) for each in numbers]
    return rebuild(law, iter([Number(each) for each in short]), Number)


def _short(value: float) -> Real:
    rounded = known_value(value, math.inf)
    return int(rounded) if rounded.is_integer() else rounded


def left_side(left: str, stands_for: StandsFor) -> str:
    """What is studied in place of the left side of a law.

    >>> left_side("ds/dt", [("s", "its logarithm")]), left_side("f", [("f", "f over x**2")])
    ('the logarithm of ds/dt', 'f over x**2')
    """
    for name, text in stands_for:
        if (function := function_named_in(text)) is not None:
            left = f"the {function} of {left}"
        elif read(text) is None:
            left = f"{left}{text.removeprefix(name)}"
    return left


def is_of_variables(stands_for: StandsFor) -> bool:
    """Whether only variables stand for something else, and what is studied is the quantity."""
    return all(read(text) is not None for _, text in stands_for)
