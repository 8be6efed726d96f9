"""What a target can do, as its pilot found out: properties, and a sentence about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.kind import Kind
from odevsr.world.pilot.pilot import Pilot


@dataclass(frozen=True)
class Abilities:
    """What is known of a target before it is experimented on."""

    tells: str
    """What it tells of itself, such as derivatives; empty of what only moves."""
    coverage: float
    """Share of its ranges in which it can be set to any state."""
    runs_backwards: bool | None
    """None if nobody asked."""
    repeats_itself: bool
    remembers: bool
    """True if where it goes depends on more than the state it is set to."""
    time_step: float
    """Length of the steps that it moves in; 0 if it has none."""
    bounded: tuple[str, ...]
    """Variables that cannot have every value."""
    seconds: float
    """What a call takes for a state, where many are asked for at once."""

    @property
    def sentence(self) -> str:
        """All of it in words."""
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        share = "any state" if self.coverage == 1 else f"{100 * self.coverage:.2g} % of the states"
        does = f"tells {self.tells} at" if self.tells else "moves from"
        yield f"it {does} {share} of its ranges"
        if self.runs_backwards is not None:
            yield f"runs {'backwards too' if self.runs_backwards else 'forwards only'}"
        yield "repeats itself" if self.repeats_itself else "scatters"
        if self.time_step:
            yield f"moves in time steps of {self.time_step:.4g}"
        if self.remembers:
            yield "remembers more than its state"
        if self.bounded:
            yield f"has a domain in {', '.join(self.bounded)}"
        yield f"takes {_duration(self.seconds)} a state"


def abilities(pilot: Pilot, kind: Kind, names: Sequence[str], difference: str) -> Abilities:
    """What a pilot found out; `difference` is the one that was wanted."""
    unasked = not pilot.takes_differences or difference == "forward"
    ended = np.flatnonzero(np.isfinite(pilot.box.domain).any(axis=1))
    return Abilities(
        tells="" if pilot.takes_differences else f"{kind.value}s",
        coverage=pilot.coverage,
        runs_backwards=None if unasked else pilot.difference != "forward",
        repeats_itself=not pilot.is_noisy,
        remembers=any(pilot.remembering),
        time_step=0.0 if pilot.clock is None else pilot.clock.quantum,
        bounded=tuple(names[int(place)] for place in ended),
        seconds=pilot.seconds,
    )


def _duration(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds / 1e-6:.2g} us"
