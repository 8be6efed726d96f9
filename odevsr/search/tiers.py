"""Who proposes when: tiers of growing cost, and in each the proposers that the settings name.

Cheap proposals are tried for all variables, and all that follows from the forms found, before dear
ones are tried for any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from odevsr.evidence.controlled import Controlled
from odevsr.language.algebra.term import terms
from odevsr.language.drawing.grammar import Grammar, make_grammar
from odevsr.language.expression import HOLE, Expression, variables
from odevsr.search.catalogue import alone, dense, paired, weighted
from odevsr.search.plain_sums import plain_sums
from odevsr.search.policy.genetic import GeneticPolicy
from odevsr.search.policy.policy import Policy
from odevsr.search.policy.prior import PriorPolicy
from odevsr.search.policy.rules import composing_grammar
from odevsr.search.policy.tree import TreePolicy
from odevsr.search.products import products
from odevsr.search.proposer import REWARDS, FixedProposer, PolicyProposer, Proposer
from odevsr.search.readings import readings, short_fractions
from odevsr.settings import Settings

Families = Callable[[str, Sequence[Expression]], Iterator[list[Expression]]]


@dataclass(frozen=True)
class Proposers:
    """Who proposes functions of one variable in the rounds of an equation."""

    settings: Settings
    learnt: tuple[Expression, ...] = ()
    """What other equations, or other constants of this one, are made of."""

    def tiers(self, *, sampling: bool) -> list[int]:
        """The tiers in which anybody proposes, less that of sampling, which is dear.

        Where nobody else proposes, sampling is all there is.
        """
        used = [tier for tier in range(SAMPLING + 1) if self._sources(tier)]
        cheap = [tier for tier in used if tier != SAMPLING]
        return used if sampling or not cheap else cheap

    def tier(
        self, number: int, variable: str, controlled: Controlled, rng: np.random.Generator
    ) -> list[Proposer]:
        """Who proposes in a tier, in the order of the settings."""
        asked = _Asked(self, variable, controlled, rng)
        return [source(asked) for source in self._sources(number)]

    def policies(
        self,
        variable: str,
        controlled: Controlled,
        rng: np.random.Generator,
        start: Expression = HOLE,
    ) -> list[Proposer]:
        """The policies alone, filling the holes of `start` with functions of a variable."""
        return [
            self.policy(name, variable, controlled, rng, start)
            for name in self.settings.proposers
            if name in POLICIES
        ]

    def policy(
        self,
        name: str,
        variable: str,
        controlled: Controlled,
        rng: np.random.Generator,
        start: Expression = HOLE,
    ) -> Proposer:
        """One policy over the grammar of a variable."""
        settings, grammar = self.settings, self._grammar(variable, start)
        seed = int(rng.integers(2**31))
        parts = SMALLER if name == "trained" else 1

        def make(restarts: int) -> Policy:
            return POLICIES[name](settings, grammar, seed + restarts, controlled)

        return PolicyProposer(
            name=name,
            make_policy=make,
            grammar=grammar,
            reward=REWARDS[settings.reward],
            number=parts * (settings.prior_batches if name == "prior" else settings.epochs),
            size=-(-settings.batch // parts),
        )

    def learnt_about(self, variable: str) -> list[Expression]:
        """What is known to be a function of this variable alone."""
        return [each for each in self.learnt if variables(each) == {variable}]

    def _sources(self, tier: int) -> list[Source]:
        plans = [SOURCES[name] for name in self.settings.proposers]
        return [plan[tier] for plan in plans if tier in plan]

    def _grammar(self, variable: str, start: Expression) -> Grammar:
        learnt, settings = self.learnt_about(variable), self.settings
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


@dataclass(frozen=True)
class _Asked:
    """What a proposer is made for."""

    proposers: Proposers
    variable: str
    controlled: Controlled
    rng: np.random.Generator


Source = Callable[[_Asked], Proposer]


def _families(families: Families, asked: _Asked) -> Proposer:
    known = asked.proposers.learnt_about(asked.variable)
    make = partial(families, asked.variable, known)
    return FixedProposer("catalogue", make, asked.proposers.settings.operators)


def _readings(asked: _Asked) -> Proposer:
    operators = asked.proposers.settings.operators
    return FixedProposer("readings", lambda: [readings(asked.controlled)], operators)


def _plain(asked: _Asked) -> Proposer:
    operators = asked.proposers.settings.operators
    controlled = asked.controlled

    def make() -> Iterator[list[Expression]]:
        sums = plain_sums(controlled)
        yield [_unless_a_fraction_is_shorter(each, controlled) for each in sums]
        yield products(controlled)

    return FixedProposer("readings", make, operators)


def _unless_a_fraction_is_shorter(long: Expression, controlled: Controlled) -> Expression:
    """The sum, or a fraction of fewer terms: many powers follow one whose pole is far off."""
    if len(terms(long)) <= FEW:
        return long
    return min((long, *short_fractions(controlled)), key=lambda form: len(terms(form)))


def _policy(name: str, asked: _Asked) -> Proposer:
    return asked.proposers.policy(name, asked.variable, asked.controlled, asked.rng)


def _prior(settings: Settings, grammar: Grammar, seed: int, controlled: Controlled) -> Policy:
    return PriorPolicy(grammar, np.random.default_rng(seed))


def _lstm(settings: Settings, grammar: Grammar, seed: int, controlled: Controlled) -> Policy:
    """The policy that learns; torch is imported for it."""
    from odevsr.search.policy.lstm import LstmPolicy

    return LstmPolicy(grammar, seed, settings)


def _genetic(settings: Settings, grammar: Grammar, seed: int, controlled: Controlled) -> Policy:
    return GeneticPolicy(grammar, np.random.default_rng(seed))


def _tree(settings: Settings, grammar: Grammar, seed: int, controlled: Controlled) -> Policy:
    return TreePolicy(grammar, np.random.default_rng(seed))


def _trained(settings: Settings, grammar: Grammar, seed: int, controlled: Controlled) -> Policy:
    """The policy that learns, from where training on other functions has left it."""
    from odevsr.search.policy.lstm import LstmPolicy
    from odevsr.search.policy.trained import load_network

    return LstmPolicy(grammar, seed, settings, load_network(grammar, controlled))


POLICIES: dict[str, Callable[[Settings, Grammar, int, Controlled], Policy]] = {
    "prior": _prior,
    "uniform": _prior,
    "lstm": _lstm,
    "trained": _trained,
    "genetic": _genetic,
    "tree": _tree,
}
SMALLER = 4
"""Batches of the policy that was trained are so many times smaller, and more: what it finds, it
mostly finds among its first hundreds."""

FEW = 3
"""Sums of no more terms are no imitations of fractions."""
SAMPLING = 4
"""The tier in which grammars are sampled."""
SOURCES: dict[str, dict[int, Source]] = {
    "readings": {0: _plain, 1: _readings},
    "catalogue": {
        number: partial(_families, families)
        for number, families in enumerate((alone, dense, weighted, paired))
    },
    **{name: {SAMPLING: partial(_policy, name)} for name in POLICIES},
}
"""What each proposer proposes in which tier."""
