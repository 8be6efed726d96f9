"""A quantity that remembers what was measured last, so that the same is not measured twice."""

from __future__ import annotations

from dataclasses import dataclass, field

from odevsr.arrays import FloatArray
from odevsr.vertical.quantity import MOST_REMEMBERED, Around
from odevsr.world.sample import Sample


@dataclass(frozen=True, eq=False)
class Remembered(Around):
    """A quantity that is measured only once at the same states."""

    seen: dict[tuple[tuple[int, ...], bytes], Sample] = field(default_factory=dict)

    def measure(self, states: FloatArray) -> Sample:
        """What was measured, or is now."""
        key = states.shape, states.tobytes()
        if key not in self.seen:
            if len(self.seen) >= MOST_REMEMBERED:
                self.seen.pop(next(iter(self.seen)))
            self.seen[key] = self.whole.measure(states)
        return self.seen[key]
