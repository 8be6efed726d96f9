"""Outer functions: a law may be simple in its reciprocal, square, logarithm, sine, ...

f = F(g) with a known F is no harder than g. Each outer function has its inverse, and says which
values it can be asked about. Of several variables, those outer functions are worth a search that
make the quantity separate: a matrix of values, one variable along the rows, with a row for each
setting of the others, then has a low rank.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.language.expression import Apply, Expression, Number, Op
from odevsr.limits import BEST, FINEST, SAME
from odevsr.vertical.asking.quantity import Quantity, SameVariables
from odevsr.vertical.asking.states import lines, uniform_states
from odevsr.vertical.asking.story import function_of_it
from odevsr.world.box import Box
from odevsr.world.sample import Sample

GRID, TO_SPARE = 6, 2
"""Values of a variable by which a rank is told: it is low if so much below the largest that there
could be, and so many values may have failed, as may so many more settings of the others."""
SMALL_TURN = 0.3
"""Without it the cosine of a few degrees seems as simple as the square of what is one."""
MOST_GROWTH = -math.log(FINEST)
"""Values whose exponentials can be told from one another."""

Function = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Outer:
    """A function of a quantity: its slope, its inverse as an expression, and where it applies."""

    name: str
    ahead: Function
    slope: Function
    inverse: Callable[[Expression, float], Expression]
    applies: Callable[[FloatArray], bool]


def _applied(op: Op, law: Expression, scale: float) -> Expression:
    """The function of a law, times a scale."""
    inside = Apply(op, (law,))
    return inside if scale == 1 else Apply(Op.MUL, (Number(scale), inside))


def _one_sign(values: FloatArray) -> bool:
    return bool(np.all(values > 0) or np.all(values < 0))


def _within(low: float, high: float) -> Callable[[FloatArray], bool]:
    return lambda values: bool(np.all(values >= low) and np.all(values <= high))


def _turns(angles: FloatArray, low: float) -> bool:
    """Whether these may be angles from `low` on: of a small turn any function is a line."""
    return _within(low, low + math.pi)(angles) and float(np.ptp(angles)) > SMALL_TURN


def _of_angles(name: str, function: Function, slope: Function, op: Op, low: float) -> list[Outer]:
    """The function that undoes an arc function of angles from `low` on, also of degrees."""

    def outer(name: str, unit: float) -> Outer:
        return Outer(
            name,
            lambda values: function(values / unit),
            lambda values: slope(values / unit) / unit,
            lambda law, sign: _applied(op, law, unit),
            lambda values: _turns(values / unit, low),
        )

    return [outer(name, 1.0), outer(f"{name} of degrees", 180 / math.pi)]


def _of_occupation(name: str, shift: float, most: float) -> Outer:
    """What undoes 1/(exp(g) + shift): how full states of an energy g are, in units of the heat."""

    def inverse(law: Expression, sign: float) -> Expression:
        return Apply(Op.DIV, (Number(1), Apply(Op.ADD, (Apply(Op.EXP, (law,)), Number(shift)))))

    return Outer(
        name,
        lambda f: np.log1p(1 / f - shift - 1),
        lambda f: 1 / (f * (1 - shift * f)),
        inverse,
        lambda values: bool(np.all((values > 0) & (values < most))),
    )


OUTERS = (
    Outer("reciprocal", lambda f: 1 / f, lambda f: 1 / f**2,
          lambda law, sign: Apply(Op.DIV, (Number(1), law)), _one_sign),
    Outer("square", lambda f: f**2, lambda f: 2 * f,
          lambda law, sign: _applied(Op.SQRT, law, sign), _one_sign),
    Outer("root", lambda f: np.sqrt(np.abs(f)), lambda f: 0.5 / np.sqrt(np.abs(f)),
          lambda law, sign: Apply(Op.MUL, (Number(sign), law, law)), _one_sign),
    Outer("logarithm", lambda f: np.log(np.abs(f)), lambda f: 1 / f,
          lambda law, sign: _applied(Op.EXP, law, sign), _one_sign),
    _of_occupation("Bose's energy", -1.0, math.inf),
    _of_occupation("Fermi's energy", 1.0, 1.0),
    *_of_angles("sine", np.sin, np.cos, Op.ASIN, -math.pi / 2),
    *_of_angles("cosine", np.cos, np.sin, Op.ACOS, 0.0),
    *_of_angles("tangent", np.tan, lambda angle: 1 / np.cos(angle) ** 2, Op.ATAN, -math.pi / 2),
    Outer("exponential", np.exp, np.exp,
          lambda law, sign: Apply(Op.LOG, (law,)), _within(-MOST_GROWTH, MOST_GROWTH)),
    Outer("arcsine", np.arcsin, lambda f: 1 / np.sqrt(1 - f**2),
          lambda law, sign: Apply(Op.SIN, (law,)), _within(-1.0, 1.0)),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class OuterView(SameVariables):
    """A quantity as it is seen through an outer function; it has no value where that has none."""

    outer: Outer
    sign: float
    """That of the quantity."""

    def measure(self, states: FloatArray) -> Sample:
        """The function of the quantity, with the errors that follow."""
        return through_outer(self.outer, self.whole.measure(states))

    def written_out(self, law: Expression) -> Expression:
        """A law of the function as one of the quantity."""
        return self.outer.inverse(law, self.sign)

    def meanings(self, label: str) -> list[tuple[str, str]]:
        """What stands for what: the function for the quantity."""
        return [(label, function_of_it(self.outer.name))]


def through_outer(outer: Outer, sample: Sample) -> Sample:
    """The sample as an outer function makes it."""
    with np.errstate(all="ignore"):
        values = outer.ahead(sample.values)
        errors = sample.errors * np.abs(outer.slope(sample.values))
    usable = sample.usable & np.isfinite(values) & np.isfinite(errors)
    return Sample(sample.states, np.where(usable, values, 0.0), np.where(usable, errors, np.inf))


def promising_views(quantity: Quantity, rng: np.random.Generator) -> list[OuterView]:
    """The quantity through outer functions that make it simpler, the simplest first."""
    grids = quantity.measure(_grids(quantity.box, rng))
    values = grids.values[grids.usable]
    if not len(values):
        return []
    sign = 1.0 if values[0] > 0 else -1.0
    outers = [each for each in OUTERS if each.applies(values)]
    if len(quantity.names) == 1:
        return [OuterView(quantity, each, sign) for each in outers]
    plain = sum(ranks(grids))
    ranked = [(ranks(through_outer(each, grids)), each) for each in outers]
    simpler = [(sum(found), each) for found, each in ranked if found and sum(found) < plain]
    simpler.sort(key=lambda pair: pair[0])
    return [OuterView(quantity, each, sign) for _, each in simpler[:BEST]]


def _grids(box: Box, rng: np.random.Generator) -> FloatArray:
    """States (n, settings, GRID, n): each variable along a row, the others as drawn for it."""
    settings = uniform_states(box, GRID + TO_SPARE if len(box) > 1 else 1, rng)
    return lines(box, settings, (np.arange(GRID) + 0.5) / GRID)


def ranks(grids: Sample) -> list[int]:
    """The rank of each variable's grid, all of `GRID` if it is not low.

    None at all if too little of a grid could be measured.
    """
    found = []
    for values, errors, usable in zip(grids.values, grids.errors, grids.usable, strict=True):
        rows, columns = _measured_part(usable)
        if min(len(rows), len(columns)) < GRID - TO_SPARE:
            return []
        part = np.ix_(rows, columns)
        singular = np.linalg.svd(values[part], compute_uv=False)
        blur = 3 * np.linalg.norm(errors[part])
        rank = int(np.sum(singular > SAME * singular[0] + blur))
        found.append(rank if rank <= len(singular) - TO_SPARE else GRID)
    return found


def _measured_part(usable: BoolArray) -> tuple[IntArray, IntArray]:
    """Rows and columns less those that lack most, until what is left was measured."""
    rows, columns = (np.arange(length) for length in usable.shape)
    while len(rows) and len(columns):
        lacking = ~usable[np.ix_(rows, columns)]
        if not lacking.any():
            break
        of_rows, of_columns = lacking.mean(axis=1), lacking.mean(axis=0)
        if of_rows.max() >= of_columns.max():
            rows = np.delete(rows, np.argmax(of_rows))
        else:
            columns = np.delete(columns, np.argmax(of_columns))
    return rows, columns
