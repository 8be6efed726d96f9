"""Which variables act as one, read off gradients: sums, products, distances, powers, scalings.

If a quantity is F(p(x) + q(y), ...), the ratio of its slopes in x and y is p'(x)/q'(y), whatever F
is and whatever else it depends on; with powers for p and q the logarithm of the ratio is linear in
those of x and y. One least squares a pair tells x - y from x*y, x/y**3 and x**2 + y**2. If it does
not change, or only by a factor, when several variables are scaled by powers of one number, then
sum a_i x_i df/dx_i = k f everywhere: a null space tells all such scalings, as dimensions would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Real
from odevsr.limits import LIKELY, SAME, VAGUE
from odevsr.vertical.simpler.slopes import Slopes

SIMPLE = 6
"""Largest denominator of an exponent that is taken for exact, and largest exponent: higher powers
imitate exponentials."""


@dataclass(frozen=True)
class Member:
    """A variable of a group: its power in the sum, zero for a logarithm, and its weight."""

    index: int
    power: Real
    weight: Real


Group = tuple[Member, ...]
"""Variables that act as one: by the sum of their weighted powers, or of their logarithms."""


@dataclass(frozen=True)
class Scaling:
    """Scaling a variable changes the quantity by a power, if others are scaled by powers, too."""

    index: int
    others: tuple[tuple[int, Real], ...]
    degree: Real


def groups(slopes: Slopes) -> list[Group]:
    """Disjoint groups of variables that act as one; those that act alone are left out."""
    found: list[Group] = []
    rest = list(range(slopes.states.shape[1]))
    while rest:
        first, *rest = rest
        related = [pair for second in rest if (pair := _relation(slopes, first, second))]
        others = [other for own, other in related if own.power == related[0][0].power]
        if others:
            found.append((related[0][0], *others))
            rest = [index for index in rest if index not in {each.index for each in others}]
    return found


def _relation(slopes: Slopes, first: int, second: int) -> tuple[Member, Member] | None:
    """The two as members of one group; None if they do not act as one."""
    pair = [first, second]
    x, y = slopes.states[:, pair].T
    partials = slopes.partials[:, pair]
    with np.errstate(all="ignore"):
        vague = slopes.errors[:, pair] / np.abs(partials)
    clear = np.all(vague < VAGUE, axis=1)
    if np.sum(clear) < 5:
        return None
    x, y, partials, vague = x[clear], y[clear], partials[clear], vague[clear]
    ratio = partials[:, 1] / partials[:, 0]
    rows = np.column_stack([np.ones(len(x)), np.log(np.abs(y)), -np.log(np.abs(x))])
    blur = SAME + np.sum(vague, axis=1)
    inverse = np.linalg.pinv(rows / blur[:, None])
    exponents, rooms = inverse @ (np.log(np.abs(ratio)) / blur), np.linalg.norm(inverse, axis=1)
    powers = [simple_number(1 + float(exponents[i]), room=LIKELY * float(rooms[i])) for i in (2, 1)]
    if not all(_is_possible(power, values) for power, values in zip(powers, (x, y), strict=True)):
        return None
    shape = _slope(y, powers[1]) / _slope(x, powers[0])
    weights = ratio / shape
    weight = float(np.median(weights))
    if np.any(np.abs(weights / weight - 1) > 3 * blur):
        return None
    return Member(first, powers[0], 1), Member(second, powers[1], simple_number(weight, least=0.0))


def _slope(values: FloatArray, power: Real) -> FloatArray:
    """The slope of a power, or of the logarithm."""
    exponent = float(power)
    return exponent * values ** (exponent - 1) if power else 1 / values


def _is_possible(power: Real, values: FloatArray) -> bool:
    """Whether all values have this power."""
    return abs(float(power)) <= SIMPLE and (bool(np.all(values > 0)) or float(power).is_integer())


def simple_number(value: float, least: float = 1.0, room: float = 0.0) -> Real:
    """A fraction of small denominator where the value is one as far as slopes tell.

    Values below `least` are told apart as if they were as large; factors, unlike exponents, may be
    small. What has more `room`, as where a variable hardly varies, is the simplest in it.

    >>> simple_number(0.3333333333333), simple_number(1e-12), simple_number(1e-12, least=0.0)
    (Fraction(1, 3), 0, 1e-12)
    >>> simple_number(0.97, room=0.1)
    1
    """
    room = max(room, VAGUE * max(least, abs(value)))
    for denominator in range(1, SIMPLE + 1):
        fraction = Fraction(round(value * denominator), denominator)
        if abs(float(fraction) - value) <= room:
            return fraction.numerator if fraction.denominator == 1 else fraction
    return value


def scalings(slopes: Slopes, order: Sequence[int]) -> list[Scaling]:
    """Independent scalings, each of a variable of its own; those first in `order` if possible."""
    count = slopes.states.shape[1]
    columns = np.column_stack([slopes.states * slopes.partials, slopes.values])
    lengths = np.linalg.norm(columns, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths) & (lengths > 0)):
        return []
    columns = columns / lengths
    sizes = np.linalg.norm(columns, axis=0)
    if not np.all(sizes > 0):
        return []
    _, singular, right = np.linalg.svd(columns / sizes)
    null = right[np.sum(singular > SAME * singular[0]) :] / sizes
    rows, pivots = _echelon(null, order)
    others = [index for index in range(count) if index not in pivots]
    return [
        Scaling(
            pivot,
            tuple(
                (i, simple_number(float(row[i]))) for i in others if simple_number(float(row[i]))
            ),
            simple_number(-float(row[count])),
        )
        for row, pivot in zip(rows, pivots, strict=True)
    ]


def _echelon(null: FloatArray, order: Sequence[int]) -> tuple[FloatArray, list[int]]:
    """Null vectors, each with a one at a pivot of its own, where the others have zeros."""
    rows = null.copy()
    pivots: list[int] = []
    for index in order:
        done = len(pivots)
        if done == len(rows):
            break
        best = done + int(np.argmax(np.abs(rows[done:, index])))
        if abs(rows[best, index]) < SAME * np.max(np.abs(rows[done:])):
            continue
        rows[[done, best]] = rows[[best, done]]
        rows[done] /= rows[done, index]
        others = [i for i in range(len(rows)) if i != done]
        rows[others] -= rows[others][:, [index]] * rows[done]
        pivots.append(index)
    return rows[: len(pivots)], pivots
