"""Numbers as JSON has them: it knows no infinity, so null stands for what is not finite."""

from __future__ import annotations

import math


def finite(value: float) -> float | None:
    """The number if it is finite.

    >>> finite(0.5), finite(math.inf)
    (0.5, None)
    """
    return value if math.isfinite(value) else None


def number(value: float | None, absent: float) -> float:
    """A number that was written with `finite`, `absent` in place of null."""
    return absent if value is None else float(value)
