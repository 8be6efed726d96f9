"""What the search for an equation has spent, beside states, and whether it may go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from odevsr.search.loop import Epoch
from odevsr.settings import Settings
from odevsr.world.experiments.budget import OutOfBudgetError


@dataclass(eq=False)
class Spending:
    """Candidates and CPU seconds so far."""

    settings: Settings
    on_epoch: Callable[[Epoch], None] = lambda epoch: None
    candidates: int = 0
    began: float = field(default_factory=time.process_time)

    @property
    def elapsed_s(self) -> float:
        """CPU seconds since the start."""
        return time.process_time() - self.began

    def count(self, epoch: Epoch) -> None:
        """Take note of an epoch, and tell it on."""
        self.candidates += epoch.candidates
        self.on_epoch(epoch)

    def check(self) -> None:
        """Candidates decide, as states do, so that all machines end alike; seconds only end it."""
        settings = self.settings
        if self.candidates > settings.most_candidates:
            raise OutOfBudgetError(f"stopped after {settings.most_candidates:,} candidates")
        if self.elapsed_s > settings.most_seconds:
            raise OutOfBudgetError(
                f"stopped after {settings.most_seconds:g} CPU seconds", by_time=True
            )
