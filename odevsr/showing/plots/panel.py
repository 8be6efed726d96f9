"""Panels: what a picture is made of, each drawn on Axes of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Axes: TypeAlias = Any
Figure: TypeAlias = Any
"""Those of matplotlib, an optional library that type checkers need not have."""


@dataclass(frozen=True)
class Panel:
    """One part of a picture; a `deep` one has three axes if it may. Sizes are in inches."""

    caption: str
    draw: Callable[[Axes], None]
    deep: bool = False
    width: float = 4.6
    height: float = 3.0
