"""What speaks against calling a law identified, in words, and what that means for its status."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Weight(Enum):
    """What a doubt means for the status of a law."""

    BREAKS = "no one law is it"
    REFUTES = "it is not the law"
    LEAVES_OPEN = "it may well be the law, but so may others"
    TOLD = "it is the law, as far as it was asked"


@dataclass(frozen=True)
class Doubt:
    """What speaks against calling a law identified, in words."""

    sentence: str
    weight: Weight = Weight.REFUTES

    @property
    def refutes(self) -> bool:
        """True if the law is not it."""
        return self.weight in (Weight.REFUTES, Weight.BREAKS)
