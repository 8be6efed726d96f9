"""How much fits of motion may cost."""

from __future__ import annotations

from dataclasses import dataclass

BUDGET = 2e8
"""Numbers that fits of motion may follow from sample to sample: of three chaotic variables some
forty CPU seconds, of those that move slowly ten."""


@dataclass(eq=False)
class Effort:
    """What fits of motion have cost so far; once it is too much, constants stay where they are."""

    spent: float = 0.0

    def spend(self, numbers: float) -> None:
        """Count what a fit has followed."""
        self.spent += numbers

    @property
    def left(self) -> float:
        """What fits may still cost."""
        return BUDGET - self.spent

    @property
    def is_over(self) -> bool:
        """Whether no more fits are to be made."""
        return self.left < 0
