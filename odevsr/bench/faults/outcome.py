"""How a run ends that was disturbed."""

from enum import Enum


class Outcome(Enum):
    """What is left of it, in words."""

    SAME = "same equations"
    TOLD = "damage told"
    OTHER = "other equations"
    RAW = "raw error"
    OUTLIVED = "processes left"
    HALF_WRITTEN = "half-written"

    @property
    def is_allowed(self) -> bool:
        """Whether nothing is lost without a word."""
        return self in (Outcome.SAME, Outcome.TOLD)
