"""Where the CPU seconds of a validation go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Spent:
    """CPU seconds by what they went into, those of ended child processes included."""

    discovery: float = 0.0
    held_out: float = 0.0
    """Fresh states, held-out trajectories, the Lyapunov exponent."""
    judging_ours: float = 0.0
    """Our own laws: their form, their errors, following them."""
    sindy_regression: float = 0.0
    sindy_judging: float = 0.0

    @property
    def total(self) -> float:
        """All of it."""
        return float(sum(vars(self).values()))

    @property
    def sindy(self) -> float:
        """What SINDy and its laws took."""
        return self.sindy_regression + self.sindy_judging

    @property
    def sindy_share(self) -> float:
        """SINDy's part of the total, from 0 to 1."""
        return self.sindy / self.total if self.total else 0.0

    @contextmanager
    def on(self, purpose: str) -> Iterator[None]:
        """Adds what is spent inside to the field of that name."""
        began = cpu_seconds()
        try:
            yield
        finally:
            setattr(self, purpose, getattr(self, purpose) + cpu_seconds() - began)


def cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])
