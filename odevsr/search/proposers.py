"""Proposers for the search loop: families of functions, and policies over a grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from odevsr.evidence.form import Problem
from odevsr.fitting.fit import Effort
from odevsr.language.expression import HOLE, Expression, variables
from odevsr.language.forest import Forest
from odevsr.language.grammar import Grammar, make_grammar
from odevsr.search.catalogue import READ_IN, TIERS
from odevsr.search.loop import Proposer
from odevsr.search.policy.policy import LstmSettings, Policy
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.rules import composing_grammar, is_allowed
from odevsr.search.readings import readings
from odevsr.settings import DEFAULT_OPERATORS, Settings

FAMILY_EFFORT = Effort(starts=16, probing=6, kept=2, hopeless=1e-7)
POLICY_EFFORT = Effort(starts=6, probing=5, kept=1, most=25, hopeless=1e-3)


@dataclass(frozen=True)
class FixedProposer:
    """Proposes what does not depend on any outcome, as far as the user's operators allow."""

    name: str
    make: Callable[[], Iterable[list[Expression]]]
    operators: Sequence[str]
    effort: Effort = FAMILY_EFFORT

    def batches(self) -> Iterator[list[Expression]]:
        """The batches made, less what is not allowed."""
        anything = set(DEFAULT_OPERATORS) <= set(self.operators)
        for batch in self.make():
            yield [each for each in batch if anything or is_allowed(each, self.operators)]

    def learn(self, losses: Mapping[Expression, float]) -> None:
        """There is nothing to learn."""


class PolicyProposer:
    """Samples a grammar by a policy, which learns from the losses of what it proposed."""

    effort = POLICY_EFFORT

    def __init__(
        self,
        make_policy: Callable[[], Policy],
        grammar: Grammar,
        reward: Callable[[float], float],
        *,
        name: str,
        batches: int,
        batch: int,
    ) -> None:
        self.name = name
        self._make_policy = make_policy
        self._grammar = grammar
        self._reward = reward
        self._batches = batches
        self._batch = batch

    def batches(self) -> Iterator[list[Expression]]:
        """Normal forms of sampled sequences; the policy is made when the first are wanted."""
        if not self._batches:
            return
        forest = Forest(self._grammar)
        self._policy = self._make_policy()
        for _ in range(self._batches):
            self._sequences = self._policy.sample(self._batch)
            self._planted = forest.plant(self._sequences)
            yield self._planted

    def learn(self, losses: Mapping[Expression, float]) -> None:
        """One update of the policy."""
        rewards = np.array([self._reward(losses[expression]) for expression in self._planted])
        self._policy.learn(self._sequences, rewards)


@dataclass(frozen=True)
class Proposers:
    """Who proposes in the rounds of one equation."""

    settings: Settings
    learnt: Sequence[Expression]
    rng: np.random.Generator

    @property
    def tiers(self) -> int:
        """How many tiers there are: those of the families, if settings want them, and policies."""
        return len(TIERS) + 1 if self.settings.families else 1

    def tier(self, number: int, variable: str, problem: Problem) -> list[Proposer]:
        """Who proposes functions of one variable in a tier; the last is that of the policies."""
        if number == self.tiers - 1:
            return self.policies(variable)
        operators = self.settings.operators
        families = partial(TIERS[number], variable, self._learnt_about(variable))
        proposers: list[Proposer] = [FixedProposer("families", families, operators)]
        if number == READ_IN:
            read = FixedProposer("readings", lambda: [readings(problem)], operators)
            proposers.insert(0, read)
        return proposers

    def policies(self, variable: str, start: Expression = HOLE) -> list[Proposer]:
        """The grammar's prior, then the policy, filling the holes of `start` with a variable."""
        settings = self.settings
        grammar = self._grammar(variable, start)
        reward = REWARDS[settings.reward]
        prior, policy = (int(seed) for seed in self.rng.integers(2**31, size=2))
        return [
            PolicyProposer(
                lambda: PriorPolicy(grammar, np.random.default_rng(prior)),
                grammar,
                reward,
                name="prior",
                batches=settings.prior_batches,
                batch=settings.batch,
            ),
            PolicyProposer(
                lambda: make_policy(settings, grammar, policy),
                grammar,
                reward,
                name=settings.policy,
                batches=settings.epochs,
                batch=settings.batch,
            ),
        ]

    def _grammar(self, variable: str, start: Expression) -> Grammar:
        """Bare operators, or rules that are richer where families are wanted, too."""
        learnt, settings = self._learnt_about(variable), self.settings
        if settings.families and start == HOLE:
            return composing_grammar(variable, settings.operators, learnt, settings.longest)
        return make_grammar(
            [variable],
            operators=settings.operators,
            start=start,
            learnt=learnt,
            longest=settings.longest,
        )

    def _learnt_about(self, variable: str) -> list[Expression]:
        return [each for each in self.learnt if variables(each) == {variable}]


def make_policy(settings: Settings, grammar: Grammar, seed: int) -> Policy:
    """The policy the settings name; torch is imported for one that learns."""
    if settings.policy == "uniform":
        return PriorPolicy(grammar, np.random.default_rng(seed))
    from odevsr.search.policy.lstm import LstmPolicy

    return LstmPolicy(
        grammar,
        seed,
        LstmSettings(
            layers=settings.layers,
            width=settings.width,
            learning_rate=settings.learning_rate,
            objective=settings.objective,
            entropy=settings.entropy,
            queue=settings.queue,
            prior=settings.begin_at_prior,
        ),
    )


def _reward_of_root(loss: float) -> float:
    """1/(1 + root of the normalised mean square): keeps its slope near a perfect fit."""
    return float(1.0 / (1.0 + np.sqrt(loss)))


def _reward_of_square(loss: float) -> float:
    """1/(1 + normalised mean square): the paper's."""
    return 1.0 / (1.0 + loss)


REWARDS: dict[str, Callable[[float], float]] = {
    "nrmse": _reward_of_root,
    "nmse": _reward_of_square,
}
