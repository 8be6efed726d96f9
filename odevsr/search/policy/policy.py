"""The protocol that every policy keeps, and the settings of the one that learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import UsageError

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


class Policy(Protocol):
    """Draws sequences of rules of one grammar, and may learn from how well they did."""

    name: str

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """One update from sequences as sampled and their finite rewards (B,), greater is better."""


@dataclass(frozen=True)
class LstmSettings:
    """The recurrent policy and how it learns; the defaults are the quick ones, not the paper's."""

    layers: int = 1
    """Recurrent layers, one above the other; the paper has 3."""

    width: int = 64
    """Size of embeddings and hidden states; the paper has 512."""

    learning_rate: float = 0.01
    """Step of the Adam optimiser; the paper has 0.009."""

    objective: Literal["mean", "risk"] = "risk"
    """Learn from all sequences against their mean reward, or from the best distinct ones alone."""

    quantile: float = 0.05
    """Share of the distinct sequences that the "risk" objective learns from."""

    entropy: float = 0.0
    """Weight of a bonus for staying near the distribution of the beginning."""

    queue: int = 0
    """How many of the best distinct sequences so far are learnt again in every update; 10 helps."""

    prior: bool = True
    """Begin at the grammar's prior, which favours short forms, or with all legal rules alike."""

    def __post_init__(self) -> None:
        if self.objective not in ("mean", "risk"):
            raise UsageError(f"unknown objective {self.objective!r}; known ones: mean, risk")
        if min(self.layers, self.width) < 1 or min(self.queue, self.entropy) < 0:
            raise UsageError("layers and width must be at least 1, queue and entropy not negative")
        if not 0 < self.quantile <= 1 or not self.learning_rate > 0:
            raise UsageError("the quantile must lie in (0, 1], the learning rate above 0")
