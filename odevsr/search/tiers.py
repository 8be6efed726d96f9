"""Tiers of growing cost, and in each the proposers that the settings name.

Cheap proposals are tried for all variables, and all that follows from the forms found, before
expensive ones are tried for any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from odevsr.evidence.controlled import Controlled
from odevsr.fitting.fit import CAREFUL, QUICK
from odevsr.language.algebra.term import terms
from odevsr.language.drawing.grammar import Grammar, make_grammar
from odevsr.language.expression import HOLE, Expression, variables
from odevsr.search.catalogue import alone, dense, paired, weighted
from odevsr.search.plain_sums import plain_sums
from odevsr.search.policy.examples import TRAINING
from odevsr.search.policy.genetic import GeneticPolicy
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.rules import composing_grammar
from odevsr.search.policy.tree import TreePolicy
from odevsr.search.products import products
from odevsr.search.proposer import REWARDS, FixedProposer, Policy, PolicyProposer, Proposer
from odevsr.search.readings import readings, short_fractions
from odevsr.settings import CHEAP, Settings


@dataclass(frozen=True)
class Proposers:
    """The proposers of functions of one variable in the rounds of an equation."""

    settings: Settings
    learnt: tuple[Expression, ...] = ()
    """What other equations, or other constants of this one, are made of."""

    def tiers(self, *, sampling: bool) -> list[int]:
        """The tiers that have proposers; that of sampling, if it is asked for or the only one."""
        used = sorted({tier for name in self.settings.proposers for tier in _tiers_of(name)})
        cheap = [tier for tier in used if tier != SAMPLING]
        return used if sampling or not cheap else cheap

    def tier(
        self, number: int, variable: str, controlled: Controlled, rng: np.random.Generator
    ) -> list[Proposer]:
        """The proposers of a tier, in the order of the settings."""
        if number == SAMPLING:
            return self.policies(variable, controlled, rng)
        learnt = self._learnt_about(variable)
        makers = {
            "readings": [partial(make, controlled) for make in READINGS],
            "catalogue": [partial(make, variable, learnt) for make in FAMILIES],
        }
        return [
            FixedProposer(name, makers[name][number], self.settings.operators)
            for name in self.settings.proposers
            if number in _tiers_of(name)
        ]

    def policies(
        self,
        variable: str,
        controlled: Controlled,
        rng: np.random.Generator,
        start: Expression = HOLE,
    ) -> list[Proposer]:
        """The policies alone, filling the holes of `start` with functions of a variable."""
        grammar = self._grammar(variable, start)
        return [
            self._policy(name, grammar, controlled, int(rng.integers(2**31)))
            for name in self.settings.proposers
            if name not in CHEAP
        ]

    def _policy(self, name: str, grammar: Grammar, controlled: Controlled, seed: int) -> Proposer:
        """One policy over a grammar; a trained one proposes less at a time, and more often."""
        settings, is_trained = self.settings, name == "trained"
        parts = TRAINING.batch_divisor if is_trained else 1
        return PolicyProposer(
            name=name,
            make_policy=lambda restarts: make_policy(
                name, settings, grammar, seed + restarts, controlled
            ),
            grammar=grammar,
            reward=REWARDS[settings.reward],
            number=parts * (settings.prior_batches if name == "prior" else settings.epochs),
            size=-(-settings.batch // parts),
            effort=CAREFUL if is_trained else QUICK,
            oversampling=TRAINING.oversampling if is_trained else 1,
        )

    def _learnt_about(self, variable: str) -> list[Expression]:
        """What is known to be a function of this variable alone."""
        return [each for each in self.learnt if variables(each) == {variable}]

    def _grammar(self, variable: str, start: Expression) -> Grammar:
        learnt, settings = self._learnt_about(variable), self.settings
        if settings.rules == "composing" and start == HOLE:
            return composing_grammar(variable, settings.operators, learnt, settings.longest)
        return make_grammar(
            [variable],
            operators=settings.operators,
            start=start,
            learnt=learnt,
            longest=settings.longest,
            is_weighted=settings.rules == "weighted",
        )


def _tiers_of(proposer: str) -> Sequence[int]:
    """The tiers of a proposer."""
    fixed = {"readings": READINGS, "catalogue": FAMILIES}.get(proposer)
    return (SAMPLING,) if fixed is None else range(len(fixed))


def _short_readings(controlled: Controlled) -> Iterator[list[Expression]]:
    """What is read off at once: a short sum, or a fraction of fewer terms, and a product.

    Many powers follow a fraction whose pole is far off.
    """
    sums = plain_sums(controlled)
    is_long = any(len(terms(each)) > controlled.agreement.limits.few for each in sums)
    fractions = short_fractions(controlled) if is_long else []
    yield [min((each, *fractions), key=lambda form: len(terms(form))) for each in sums]
    yield products(controlled)


def _all_readings(controlled: Controlled) -> Iterator[list[Expression]]:
    yield readings(controlled)


def make_policy(
    name: str, settings: Settings, grammar: Grammar, seed: int, controlled: Controlled
) -> Policy:
    """The policy of this name; torch is imported for those that learn by it."""
    rng = np.random.default_rng(seed)
    match name:
        case "genetic":
            return GeneticPolicy(grammar, rng)
        case "tree":
            return TreePolicy(grammar, rng)
        case "lstm" | "melded":
            from odevsr.search.policy.lstm import LstmPolicy

            policy = LstmPolicy(grammar, seed, settings)
            return policy if name == "lstm" else GeneticPolicy(grammar, rng, policy)
        case "trained":
            from odevsr.search.policy.lstm import LstmPolicy
            from odevsr.search.policy.trained import load_network

            return LstmPolicy(grammar, seed, settings, load_network(grammar, controlled))
    return PriorPolicy(grammar, rng)


READINGS = (_short_readings, _all_readings)
"""What is read off the data, tier by tier; a brief search ends with them."""
FAMILIES = (alone, dense, weighted, paired)
"""What the catalogue proposes, tier by tier."""
SAMPLING = len(FAMILIES)
"""The tier in which grammars are sampled."""
