"""Where points lie: a value, so that the same question put twice gets the same points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class Draw(IntEnum):
    """What is drawn at random in the search for a law."""

    SCREENING = 0
    BASE = 1
    TRIALS = 2
    CHECKS = 3
    INTERACTIONS = 4
    PAIRS = 5
    FITS = 6
    POLICY = 7
    CONSTANTS = 8
    FINISH = 9
    JUDGE = 10
    SYMMETRIES = 11
    OUTER = 12
    SPREAD = 13
    BREAKS = 14


@dataclass(frozen=True)
class Design:
    """The root of all random choices of one question; nothing is used up by drawing from it."""

    entropy: int
    path: tuple[int, ...] = ()

    def rng(self, draw: Draw, *which: int) -> np.random.Generator:
        """A fresh generator for one purpose, the same whenever it is asked for."""
        sequence = np.random.SeedSequence(self.entropy, spawn_key=(*self.path, draw, *which))
        return np.random.default_rng(sequence)

    @property
    def root(self) -> Design:
        """What all designs of a run come from."""
        return Design(self.entropy)

    def part(self, *which: int) -> Design:
        """The design of a question within this one."""
        return Design(self.entropy, (*self.path, *which))


def design_of(seeds: np.random.SeedSequence) -> Design:
    """The design that a sequence of seeds stands for."""
    entropy = seeds.entropy
    if not isinstance(entropy, int):
        entropy = int(np.random.default_rng(seeds).integers(2**63))
    return Design(entropy, tuple(seeds.spawn_key))
