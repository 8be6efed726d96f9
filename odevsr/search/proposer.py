"""Proposers of expressions to the search loop: fixed lists, and policies over a grammar."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.fitting.fit import CAREFUL, QUICK, Effort
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import Grammar
from odevsr.language.expression import Expression
from odevsr.search.policy.rules import is_allowed
from odevsr.search.policy.sequences import likeliest
from odevsr.settings import DEFAULT_OPERATORS

Losses = dict[Expression, float]
"""Normalised losses of all expressions so far, in the worst trial."""
Batches = Iterator[list[Expression]]
"""Batches of normal forms."""


class Policy(Protocol):
    """Draws sequences of rules of one grammar, and may learn from how well they did."""

    def sample(self, count: int) -> IntArray:
        """Complete sequences of rule numbers, (count, grammar.longest), rows padded with -1."""

    def learn(self, sequences: IntArray, rewards: FloatArray) -> None:
        """One update from sequences as sampled and their finite rewards (B,), greater is better."""


class Proposer(Protocol):
    """Proposes batch after batch, and may learn from the losses of what it proposed."""

    @property
    def name(self) -> str:
        """Its name, for the record."""

    @property
    def effort(self) -> Effort:
        """How hard its expressions are to be fitted."""

    def batches(self, losses: Losses) -> Batches:
        """Batches of normal forms; the end means that nothing is left to propose.

        When a batch is asked for, `losses` holds those of all before it.
        """


@dataclass(frozen=True)
class FixedProposer:
    """Proposes what does not depend on any outcome, as far as the user's operators allow."""

    name: str
    make: Callable[[], Iterable[list[Expression]]]
    operators: Sequence[str]
    effort: Effort = CAREFUL

    def batches(self, losses: Losses) -> Batches:
        """The batches made, less what is not allowed."""
        anything = set(DEFAULT_OPERATORS) <= set(self.operators)
        for batch in self.make():
            yield [each for each in batch if anything or is_allowed(each, self.operators)]


@dataclass(frozen=True)
class PolicyProposer:
    """Samples a grammar by a policy, which learns from the losses of what it proposed.

    Sequences that were drawn before do not count towards the number of batches, and cost no fit. A
    policy that has collapsed draws hardly anything else: then another begins anew, so many times
    at most.
    """

    name: str
    make_policy: Callable[[int], Policy]
    """Makes the policy that begins after so many have collapsed."""
    grammar: Grammar
    reward: Callable[[float], float]
    number: int
    """Batches of new sequences."""
    size: int
    """Sequences in a batch."""
    effort: Effort = QUICK
    oversampling: int = 1
    """If more than 1, so many times more sequences are drawn, and the likeliest new ones proposed.
    Drawn in proportion, the right form of most compositions comes after hundreds of others."""
    collapsed: float = 0.1
    """A policy has collapsed if a smaller share of its batch is new to it. On the fourth equation
    of MHD one that had went on drawing a tenth of new candidates, none better, for 20 batches."""
    most_restarts: int = 8

    def batches(self, losses: Losses) -> Batches:
        """Normal forms of sampled sequences; the policy is made when the first are wanted."""
        if not self.number:
            return
        forest = Forest(self.grammar)
        known: set[Expression] = set()
        drawn: set[bytes] = set()
        for policy in map(self.make_policy, range(1 + self.most_restarts)):
            while len(drawn) < self.number * self.size:
                sequences = policy.sample(self.oversampling * self.size)
                if self.oversampling > 1:
                    sequences = likeliest(sequences, drawn, self.size)
                expressions = forest.plant(sequences)
                yield expressions
                before = len(known)
                known.update(expressions)
                drawn.update(row.tobytes() for row in sequences)
                if len(known) - before < self.collapsed * self.size:
                    break
                rewards = [self.reward(losses[each]) for each in expressions]
                policy.learn(sequences, np.array(rewards))
            else:
                return


REWARDS: dict[str, Callable[[float], float]] = {
    "nrmse": lambda loss: 1 / (1 + math.sqrt(loss)),
    "nmse": lambda loss: 1 / (1 + loss),
}
"""Rewards of a normalised mean square: by its root, whose slope stays near a perfect fit, or as the
paper has it."""
