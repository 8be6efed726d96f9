"""How laws were found in recordings, in words and formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator

from odevsr.discovery.result import Discovery
from odevsr.language.expression import Expression
from odevsr.language.number import numbers_of, rounded
from odevsr.showing.laws import NUMBER_HEADINGS, number_row
from odevsr.showing.prose import Formula, Heading, Part, said, table
from odevsr.showing.words import counted, plural
from odevsr.vertical.equation import Equation
from odevsr.vertical.judging.rivals import Alternative
from odevsr.world.systems.checks import TIME

METHOD = (
    "Nothing could be set here, only watched: laws were sought in what was recorded. The samples "
    "of each variable were smoothed, and the size of their noise told. Sums and quotients of many "
    "functions were fitted to them, the best again as motions, all constants and the states at the "
    "beginning together. The law chosen leaves least, counting what its constants and its form "
    "cost. What it leaves is told in sizes of the noise (chi): about 1 if that is all it is."
)
SHOWN = 4
"""Rivals that are written out."""


def chi_text(deviation: float) -> str:
    """What a motion leaves of samples.

    >>> chi_text(0.97654), chi_text(float("inf"))
    ('chi 0.977', 'chi without bound')
    """
    return f"chi {deviation:.3g}" if math.isfinite(deviation) else "chi without bound"


def visited(found: Discovery) -> str:
    """Where the recordings have been; elsewhere laws are only presumed."""
    pairs = zip(found.names, found.ranges, strict=True)
    ranges = [f"{found.heading(name)} {low:.3g} to {high:.3g}" for name, (low, high) in pairs]
    return ", ".join(ranges) + (f"; time is in {found.units[TIME]}" if TIME in found.units else "")


def recordings_told(found: Discovery) -> Iterator[Part]:
    """The method in a few words, where the recordings have been, and what they leave open."""
    yield said(METHOD)
    yield said(f"The recordings visited {visited(found)}.")
    for note in found.notes:
        yield said(f"Note: {note}.")


def rival_law(rival: Alternative, equation: Equation) -> Expression:
    """A rival with as many digits as the law's best constant has: none is known better."""
    errors = [each.error / abs(each.value) for each in equation.constants if each.value]
    best = min(errors, default=math.inf)
    sizes = [abs(float(value)) for value in numbers_of(rival.expression)]
    return rounded(rival.expression, {size: best * size for size in sizes})


def recorded_story(equation: Equation) -> Iterator[Part]:
    """The law, its numbers, what it leaves, and what else would do as well."""
    law = Formula(rounded(equation.expression, equation.errors), equation.left)
    yield Heading(equation.left, 2)
    yield said(f"Found, and {equation.status.value}: ", law, ".")
    if equation.constants:
        yield table(NUMBER_HEADINGS, map(number_row, equation.constants))
    likely = sum(each.exact is not None and not each.certain for each in equation.constants)
    if likely:
        yield said(
            f"Likely, but not certain, to be so simple: {plural(likely, 'number')} of these."
        )
    yield from rest_told(equation)


def rest_told(equation: Equation) -> Iterator[Part]:
    """What a law leaves of the samples, what would decide, and its rivals."""
    samples = counted(equation.cost.states, "sample")
    yield said(
        f"It leaves {chi_text(equation.deviation)} of {samples}."
        + (f" Said beside it: {equation.note}." if equation.note else "")
    )
    for rival in equation.alternatives[:SHOWN]:
        law = Formula(rival_law(rival, equation))
        yield said("A rival, ", law, f", leaves {chi_text(rival.deviation)}.")
    if (more := len(equation.alternatives) - SHOWN) > 0:
        yield said(f"There are {more:,} more such laws in the run's result.")
