"""Laws that are not smooth: only a formula with the very same kinks may be called identified."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import NOT_SMOOTH, RoughCase
from odevsr.bench.rough.motion import motion_along

Rate = Callable[..., FloatArray]
"""The rate of the last variable; those before it change at the rate of the one that follows."""

TABLE = (np.array([-2.0, -1.2, -0.5, 0.1, 0.9, 2.0]), np.array([1.5, 1.1, 0.2, -0.1, -1.0, -1.2]))
ONE_VARIABLE: dict[str, tuple[Rate, str]] = {
    "sign": (lambda x: -np.sign(x), "dry friction"),
    "two_slopes": (lambda x: np.where(x > 0, -x, -0.3 * x), "one slope above 0, another below"),
    "clipped": (lambda x: -np.clip(2 * x, -1, 1), "a saturated response"),
    "table": (lambda x: np.interp(x, *TABLE), "a table with lines between its entries"),
    "threshold": (lambda x: np.where(x > 0.7, 1 - x, -0.5 * x), "a jump at a threshold"),
    "dead_zone": (lambda x: -np.sign(x) * np.maximum(np.abs(x) - 0.5, 0), "a dead zone"),
    "stairs": (lambda x: -np.floor(2 * x) / 2, "stairs"),
    "kink": (lambda x: 1 - np.abs(x - 0.3), "a kink"),
    "rare": (lambda x: -x + np.where(x > 1.9, 0.5 * (x - 1.9), 0.0), "a kink near the end"),
    "stop": (lambda x: -x - 20 * np.maximum(x - 2.2, 0), "an end stop a little beyond the range"),
    "small_dead_zone": (lambda x: -np.where(np.abs(x) > 0.02, x, 0), "a small dead zone"),
    "fine_stairs": (lambda x: -np.rint(1000 * x) / 1000, "stairs of a thousandth"),
    "pulse": (lambda x: -x + 0.2 * (np.abs(x - 0.5) < 0.05), "a narrow pulse"),
    "line": (lambda x: -x + np.exp(-(((x - 0.7) / 0.01) ** 2)), "a line of a resonance"),
}
TWO_VARIABLES: dict[str, tuple[Rate, str]] = {
    "sliding": (lambda x, v: -x - 0.2 * np.sign(v), "an oscillator with dry friction"),
    "backlash": (
        lambda x, v: -np.where(np.abs(x) > 0.4, x - 0.4 * np.sign(x), 0) - 0.1 * v,
        "play",
    ),
    "corner": (lambda x, v: -x - 0.1 * v + 0.3 * ((x > 1.2) & (v > 1.2)), "a jump in a corner"),
    "slanted": (lambda x, v: np.where(x + v > 0.8, -x, 0.5 - v), "two laws beside a slanted line"),
    "gate": (lambda x, v: -x + v * (x > 1.2), "a term that acts beyond a round number"),
    "ring": (lambda x, v: -x - 0.5 * v * (x**2 + v**2 > 2.5), "friction outside a ring"),
    "lesser": (lambda x, v: -np.minimum(x, 1.3 * v), "the lesser of two"),
    "drag": (lambda x, v: -2 * x - 0.5 * v * np.abs(v), "drag by the square of the speed"),
    "wind": (lambda x, v: -x - 0.7 * (v - 0.3) * np.abs(v - 0.3), "the same in a wind"),
    "stiffer": (lambda x, v: -x * (1 + 0.8 * np.abs(x)) - 0.4 * v, "a spring that stiffens"),
    "one_sided": (lambda x, v: -np.maximum(x, 0) - 0.1 * v, "a spring that only pushes"),
}


def kinked_cases() -> tuple[RoughCase, ...]:
    """Of one variable, and oscillators of two."""
    first = {"x": (-2.0, 2.0)}
    both = {"x": (-2.0, 2.0), "v": (-2.0, 2.0)}
    return (
        *(_case(name, says, first, rate) for name, (rate, says) in ONE_VARIABLE.items()),
        *(_case(name, says, both, rate) for name, (rate, says) in TWO_VARIABLES.items()),
    )


def _case(name: str, says: str, ranges: dict[str, tuple[float, float]], rate: Rate) -> RoughCase:
    def field(states: FloatArray) -> FloatArray:
        return np.column_stack([states[:, 1:], rate(*states.T)])

    motion = motion_along(field)
    return RoughCase(
        name=f"kinked_{name}",
        kind=NOT_SMOOTH,
        says=says,
        ranges=ranges,
        make=lambda rng: motion,
        rate=field,
        expected=False,
    )
