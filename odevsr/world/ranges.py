"""Between which values a variable may be set, how they are spread there, and what it can be at all.

Nobody need say more than (low, high): a positive range over more than a decade and a half is
spread over its powers of ten, so that small values are seen as well as large ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from odevsr.errors import UsageError, nearest

EVEN, LOG = "even", "log"
SCALES = {EVEN: EVEN, "linear": EVEN, LOG: LOG}
"""Scales as people call them, and what they are called here."""
WIDE = 30.0
"""A range whose ends differ by more than this factor is logarithmic, unless someone says."""

EXTREME = 1e60
"""Nothing is larger, nor smaller than one over it: of what laws are made, fifth powers and their
quotients, all stay numbers."""


@dataclass(frozen=True)
class Range:
    """A range, with its `scale` ("even" or "log") and `domain` where someone says them.

    >>> Range(1, 1000, scale="log", domain=(0, float("inf")))
    Range(low=1, high=1000, scale='log', domain=(0, inf))
    """

    low: float
    high: float
    scale: str = ""
    domain: tuple[float, float] | None = None
    """Values that the variable can have at all: nobody looks beyond."""

    @property
    def is_log(self) -> bool:
        """True if values are spread evenly over its logarithms.

        >>> Range(1, 1000).is_log, Range(1, 10).is_log, Range(1, 1000, scale="even").is_log
        (True, False, False)
        """
        if self.scale:
            return SCALES.get(self.scale) == LOG
        return self.low > 0 and self.high / self.low > WIDE

    @property
    def reach(self) -> tuple[float, float]:
        """The domain, or what is taken for it: what is never negative may not become so.

        >>> Range(0.1, 1).reach, Range(-1, 1).reach
        ((0.0, inf), (-inf, inf))
        """
        if self.domain is not None:
            return self.domain
        return (0.0 if self.low >= 0 else -math.inf), math.inf

    def changed(self, new: Range) -> Range:
        """The new range, with the old scale and domain where it does not say."""
        return replace(new, scale=new.scale or self.scale, domain=new.domain or self.domain)


RangeLike = Range | tuple[float, float]
Ranges = dict[str, Range]


OTHER_UNITS = f"give it in other units, in which it is between {1 / EXTREME:g} and {EXTREME:g}"


def is_extreme(size: float) -> bool:
    """Whether powers of something of that size are too large or too small for a computer.

    >>> is_extreme(1e-30), is_extreme(1e-70), is_extreme(1e200)
    (False, True, True)
    """
    return not 1 / EXTREME <= size <= EXTREME


def fault_of(given: Range) -> tuple[str, str] | None:
    """What is wrong with a range: with which of its fields, and in which words; None if nothing."""
    low, high = given.low, given.high
    span = f"[{low:g}, {high:g}]"
    if not (math.isfinite(low) and math.isfinite(high)):
        return "range", "has a range that is not finite; write plain numbers"
    if low >= high:
        return "range", f"has range {span}; the first number must be the smaller"
    if is_extreme(max(abs(low), abs(high))):
        return "range", f"has range {span}; {OTHER_UNITS}"
    if given.scale and given.scale not in SCALES:
        return "scale", f"has the unknown scale {given.scale!r}; {nearest(given.scale, SCALES)}"
    if given.is_log and low <= 0:
        return "scale", f"has a log scale over {span}; let the range begin above 0"
    least, most = given.reach
    if not (least <= low and high <= most):
        domain = f"[{least:g}, {most:g}]"
        return "domain", f"has the domain {domain}, which does not hold its range {span}; widen it"
    return None


def checked_range(name: str, given: object) -> Range:
    """What a user gave as the range of a variable: a pair, or a Range."""
    if isinstance(given, Mapping):
        raise UsageError(
            f"the range of {name} is (low, high), not {given!r}; names and ranges of what is set "
            "from outside go into inputs={...}"
        )
    found = given if isinstance(given, Range) else Range(*_pair(given, f"the range of {name}"))
    low, high = _pair((found.low, found.high), f"the range of {name}")
    domain = found.domain and _pair(found.domain, f"the domain of {name}")
    result = Range(low, high, _text(name, found.scale), domain)
    fault = fault_of(result)
    if fault is None:
        return result
    field, sentence = fault
    if field == "range" and not low < high:
        span = f"({low:g}, {high:g})"
        raise UsageError(f"the range of {name} is (low, high) with low below high, not {span}")
    raise UsageError(f"{name} {sentence}")


def _pair(given: object, what: str) -> tuple[float, float]:
    values = [] if isinstance(given, str) or not np.iterable(given) else list(given)
    if len(values) != 2 or not all(isinstance(value, Real) for value in values):
        raise UsageError(f"{what} is (low, high), two numbers, not {given!r}")
    low, high = (float(value) for value in values)
    return low, high


def _text(name: str, scale: object) -> str:
    if not isinstance(scale, str):
        raise UsageError(f"the scale of {name} is 'even' or 'log', not {scale!r}")
    return scale
