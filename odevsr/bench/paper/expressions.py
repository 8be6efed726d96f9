"""Expressions drawn by the rules of the paper's algebraic data sets (its section 6.1).

One of n variables has s single terms (each of another variable), c cross terms (products over
distinct pairs) and a constant; factors are the variable itself or an operator of it, coefficients
have four decimals in (-1, 1), and variables are drawn log-uniformly from [0.1, 10].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from odevsr.world.ranges import LOG, Range
from odevsr.world.simulators.algebraic import formula
from odevsr.world.systems.system import System

LOW, HIGH = 0.1, 10.0
OPERATORS: dict[str, tuple[str, ...]] = {
    "sin, cos": ("{0}", "sin({0})", "cos({0})"),
    "1/x": ("{0}", "1/{0}"),
    "sin, cos, 1/x": ("{0}", "sin({0})", "cos({0})", "1/{0}"),
}
"""Factors that each set of operators allows."""
RULES: dict[str, tuple[str, ...]] = {
    "sin, cos": ("+", "-", "*", "sin", "cos"),
    "1/x": ("+", "-", "*", "/"),
    "sin, cos, 1/x": ("+", "-", "*", "/", "sin", "cos"),
}
"""The operators that the paper gives its methods for each set."""


@dataclass(frozen=True)
class Group:
    """A data set: variables, single terms and cross terms, operators, and variables in all."""

    variables: int
    singles: int
    crosses: int
    operators: str = "sin, cos"
    total: int = 0
    """So many variables, most of which do not matter; 0 if all do."""

    @property
    def name(self) -> str:
        """Such as (5,5,5) of 50.

        >>> Group(5, 5, 5, total=50).name
        '(5,5,5) of 50'
        """
        shape = f"({self.variables},{self.singles},{self.crosses})"
        return f"{shape} of {self.total}" if self.total else shape


def drawn(group: Group, number: int) -> System:
    """The expression of a group that has this number; always the same."""
    sizes = [group.variables, group.singles, group.crosses, group.total, number]
    rng = np.random.default_rng([*sizes, *group.operators.encode()])
    total = group.total or group.variables
    chosen = rng.choice(total, group.variables, replace=False) if group.total else range(total)
    names = [f"x{index}" for index in chosen]
    text = " + ".join(_terms(group, names, rng))
    ranges = {f"x{index}": Range(LOW, HIGH, LOG) for index in range(total)}
    return formula(text, ranges)


def _terms(group: Group, names: Sequence[str], rng: np.random.Generator) -> list[str]:
    factors = OPERATORS[group.operators]
    pairs = list(combinations(names, 2))
    singles = [(names[i],) for i in rng.choice(len(names), group.singles, replace=False)]
    crosses = [pairs[i] for i in rng.choice(len(pairs), group.crosses, replace=False)]
    products = [
        "*".join([_coefficient(rng), *(str(rng.choice(factors)).format(name) for name in term)])
        for term in (*singles, *crosses)
    ]
    return [*products, _coefficient(rng)]


def _coefficient(rng: np.random.Generator) -> str:
    """Four decimals in (-1, 1), nought excepted."""
    size = int(rng.integers(1, 10_000))
    return f"({'-' if rng.random() < 0.5 else ''}{size / 10_000:.4f})"
