"""The box of states: the ranges of all variables, how states are spread in them, how far they go.

Whoever draws or probes states does so by shares of the ranges, from 0 at the low end to 1 at the
high one: evenly, or evenly in the logarithm where a range spans decades.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import BoolArray, FloatArray
from odevsr.world.ranges import Range

SMALLEST = float(np.nextafter(0.0, 1.0))
NARROW = 0.01
"""A range of less than this share of its middle shows little of what a variable does."""


@dataclass(frozen=True, eq=False)
class Box:
    """Ranges (n, 2), which of them are logarithmic (n,), and what values there can be (n, 2)."""

    limits: FloatArray
    is_log: BoolArray
    domain: FloatArray

    def __post_init__(self) -> None:
        for name, kind in (("limits", np.float64), ("is_log", np.bool_), ("domain", np.float64)):
            array = np.array(getattr(self, name), dtype=kind)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.limits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.limits.tobytes(), self.is_log.tobytes(), self.domain.tobytes()))

    @property
    def low(self) -> FloatArray:
        """Low ends, (n,)."""
        return self.limits[:, 0]

    @property
    def high(self) -> FloatArray:
        """High ends, (n,)."""
        return self.limits[:, 1]

    @property
    def width(self) -> FloatArray:
        """Widths of the ranges, (n,)."""
        width: FloatArray = self.high - self.low
        return width

    @property
    def farthest(self) -> FloatArray:
        """Of each range the end that is farther from nought, (n,)."""
        return np.where(np.abs(self.low) >= np.abs(self.high), self.low, self.high)

    @property
    def middle(self) -> FloatArray:
        """The state half-way along every range, (n,)."""
        return self.at(np.full(len(self), 0.5))

    def at(self, shares: FloatArray) -> FloatArray:
        """States (..., n) at shares (..., n) of the ranges; no share leads out of them."""
        shares = np.clip(shares, 0.0, 1.0)
        states = self.low + self.width * shares
        if self.is_log.any():
            low, high = np.log(self.limits[self.is_log]).T
            states[..., self.is_log] = np.exp(low + (high - low) * shares[..., self.is_log])
        return np.clip(states, self.low, self.high)

    def shares(self, states: FloatArray) -> FloatArray:
        """Where along the ranges states (..., n) are: what `at` undoes."""
        shares: FloatArray = (states - self.low) / self.width
        if self.is_log.any():
            low, high = np.log(self.limits[self.is_log]).T
            logs = np.log(np.maximum(states[..., self.is_log], SMALLEST))
            shares[..., self.is_log] = (logs - low) / (high - low)
        return shares

    def along(self, variable: int, shares: FloatArray) -> FloatArray:
        """Values (...) of one variable at shares (...) of its range."""
        values: FloatArray = self.part((variable,)).at(shares[..., None])[..., 0]
        return values

    def part(self, kept: Sequence[int]) -> Box:
        """The ranges of some variables."""
        rows = list(kept)
        return Box(self.limits[rows], self.is_log[rows], self.domain[rows])

    def with_limits(self, variable: int, low: float, high: float) -> Box:
        """The box with another range of one variable, on the same scale."""
        limits = self.limits.copy()
        limits[variable] = low, high
        return replace(self, limits=limits)

    def with_range(self, variable: int, given: Range) -> Box:
        """The box with another range of one variable, on another scale."""
        box = self.with_limits(variable, given.low, given.high)
        is_log, domain = box.is_log.copy(), box.domain.copy()
        is_log[variable], domain[variable] = given.is_log, given.reach
        return replace(box, is_log=is_log, domain=domain)

    def stretched(self, variable: int, share: float) -> tuple[float, float]:
        """The ends of a range, moved out by a share of its width, which is a factor if it is log.

        The domain may end before.
        """
        low, high = map(float, self.limits[variable])
        if self.is_log[variable]:
            factor = math.exp(share * (math.log(high) - math.log(low)))
            return low / factor, high * factor
        margin = share * (high - low)
        return low - margin, high + margin

    def beyond(self, variable: int, share: float) -> tuple[Box | None, Box | None]:
        """The boxes just below and just above a range; None where the domain leaves nothing."""
        low, high = map(float, self.limits[variable])
        lowest, highest = self.stretched(variable, share)
        least, most = map(float, self.domain[variable])
        below = self._within(variable, max(lowest, least), low)
        return below, self._within(variable, high, min(highest, most))

    def _within(self, variable: int, low: float, high: float) -> Box | None:
        return self.with_limits(variable, low, high) if low < high else None

    def narrow(self, names: Sequence[str]) -> dict[str, str]:
        """Variables that hardly vary, and by which share of their value they do.

        >>> plain_box([[1000, 1000.1], [0, 1]]).narrow(["x", "y"])
        {'x': '0.01 %'}
        """
        sizes = zip(names, self.width, np.abs(self.middle), strict=True)
        return {
            name: f"{100 * width / size:.2g} %"
            for name, width, size in sizes
            if width < NARROW * size
        }

    def to_json(self) -> dict[str, Any]:
        """Plain values; null where a domain has no end."""
        ends = [
            [end if math.isfinite(end) else None for end in row] for row in self.domain.tolist()
        ]
        return {"limits": self.limits.tolist(), "is_log": self.is_log.tolist(), "domain": ends}


def box_of(ranges: Iterable[Range]) -> Box:
    """The box of these ranges."""
    given = list(ranges)
    return Box(
        np.array([(each.low, each.high) for each in given], dtype=np.float64).reshape(-1, 2),
        np.array([each.is_log for each in given], dtype=np.bool_),
        np.array([each.reach for each in given], dtype=np.float64).reshape(-1, 2),
    )


def plain_box(limits: ArrayLike) -> Box:
    """A box of even ranges (n, 2) of variables that can have any value."""
    array = np.asarray(limits, dtype=np.float64)
    count = len(array)
    return Box(array, np.zeros(count, dtype=bool), np.tile([-np.inf, np.inf], (count, 1)))


def box_from_json(values: dict[str, Any] | list[list[float]]) -> Box:
    """A box as `to_json` wrote it, or the plain limits of earlier files."""
    if isinstance(values, list):
        return plain_box(values)
    ends = [
        (-math.inf if low is None else low, math.inf if high is None else high)
        for low, high in values["domain"]
    ]
    return Box(np.array(values["limits"]), np.array(values["is_log"]), np.array(ends))
