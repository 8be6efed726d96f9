"""The protocol that every policy keeps."""

from __future__ import annotations

from typing import Protocol

from odevsr.arrays import FloatArray, IntArray


class Policy(Protocol):
    """Draws sequences of rules of one grammar, and may learn from how well they did."""

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """One update from sequences as sampled and their finite rewards (B,), greater is better."""
