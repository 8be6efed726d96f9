"""How laws were found in recordings, in words and formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator

from odevsr.language.expression import Expression
from odevsr.language.number import numbers_of, rounded
from odevsr.showing.prose import Formula, Heading, Part, said
from odevsr.showing.words import counted
from odevsr.vertical.equation import Equation
from odevsr.vertical.judging.rivals import Alternative

METHOD = (
    "Nothing could be set here, only watched: laws were sought in what was recorded. The samples "
    "of each variable were smoothed, and the size of their noise told. Sums and quotients of many "
    "functions were fitted to them, the best again as motions, all constants and the states at the "
    "beginning together. The law chosen leaves least, counting what its constants and its form "
    "cost. What it leaves is told in sizes of the noise (chi): about 1 if that is all it is."
)
SHOWN = 4
"""Rivals that are written out."""


def rival_law(rival: Alternative, equation: Equation) -> Expression:
    """A rival with as many digits as the law's best constant has: none is known better."""
    errors = [each.error / abs(each.value) for each in equation.constants if each.value]
    best = min(errors, default=math.inf)
    sizes = [abs(float(value)) for value in numbers_of(rival.expression)]
    return rounded(rival.expression, {size: best * size for size in sizes})


def recorded_story(equation: Equation) -> Iterator[Part]:
    """The law, what it leaves, and what else would do as well."""
    law = Formula(rounded(equation.expression, equation.errors), equation.left)
    yield Heading(equation.left, 2)
    yield said(f"Found, and {equation.status.value}: ", law, ".")
    likely = sum(each.exact is not None and not each.certain for each in equation.constants)
    if likely:
        yield said(f"Of its numbers {likely} are likely to be so simple, but not certain.")
    yield said(
        f"It leaves chi {equation.deviation:.2g} of {counted(equation.cost.states, 'sample')}"
        + (f"; {equation.note}." if equation.note else ".")
    )
    for rival in equation.alternatives[:SHOWN]:
        yield said(
            "A rival, ", Formula(rival_law(rival, equation)), f", leaves chi {rival.deviation:.2g}."
        )
    if (more := len(equation.alternatives) - SHOWN) > 0:
        yield said(f"There are {more} more such laws in the run's result.")
