"""What may stand for something else in a law that explains recordings.

What is conserved along one orbit makes a square the function of another variable: `v**2` of a
swing is one of its angle, and a law may have the one for the other. And where there is noise,
several functions of one variable together come near any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import multiplied, terms
from odevsr.language.expression import (
    TRIGONOMETRIC,
    Apply,
    Expression,
    Number,
    Op,
    variables,
)
from odevsr.recorded.judging.one_sided import even_powers
from odevsr.recorded.paths import Paths

DEGREE = 24
"""Of a polynomial that a function of one variable is near to,"""
ROWS = 8
"""for each degree of which there are so many states;"""
NEAREST, BLURRED = 1e-4, 20.0
"""it leaves this share of what the function moves, if it is one, or so many times what samples do
not tell."""
MOST = 5_000
"""States that are looked at."""
REVERSALS = 2
"""So often a variable must turn, for on the way once any other is a function of it."""


def has_stand_in(seen: Sequence[Paths], law: Expression) -> bool:
    """Whether the law has an even power of a variable whose square is a function of another.

    It must be one along all runs that were seen.
    """
    return any(
        _is_conserved(seen, j) for j, name in enumerate(seen[0].names) if even_powers(law, name)
    )


def _is_conserved(seen: Sequence[Paths], j: int) -> bool:
    """Whether the square of a variable or input is a function of another, along all runs."""
    slopes = np.vstack([each.slopes for each in seen])
    reversals = np.sum(np.diff(np.sign(slopes), axis=0) != 0, axis=0)
    others = [k for k in np.flatnonzero(reversals >= REVERSALS).tolist() if k != j]
    states = _states(seen)
    least = max(NEAREST, BLURRED * max(each.blur for each in seen))
    return any(_left(states[:, j] ** 2, states[:, k]) <= least for k in others)


def _states(seen: Sequence[Paths]) -> FloatArray:
    """States (N, n) along all runs, at samples and between them; of very many, every few."""
    whole = np.vstack([rows for each in seen for rows in (each.states, *each.nodes.swapaxes(0, 1))])
    return whole[:: 1 + len(whole) // MOST]


def _left(values: FloatArray, of: FloatArray) -> float:
    """The share that a polynomial of the one leaves of what the other moves."""
    within = 2 * (of - of.min()) / (np.ptp(of) + 1e-300) - 1
    degree = min(DEGREE, len(of) // ROWS)
    basis = np.linalg.qr(np.polynomial.chebyshev.chebvander(within, degree))[0]
    left = values - basis @ (basis.T @ values)
    return float(np.std(left) / (np.std(values) + 1e-300))


def mixes_functions(law: Expression) -> bool:
    """Whether the law has several functions of one variable, waves alone excepted.

    A function beside other factors of its variable is another one than alone.
    """
    found: dict[str, dict[Expression, list[bool]]] = defaultdict(dict)
    for term in terms(law):
        for name in variables(term):
            own = _with(term, name)
            found[name][own] = _are_waves(own, name)
    kinds = [[each for its in parts.values() for each in its] for parts in found.values()]
    return any(len(each) > 1 and not all(each) for each in kinds)


def _with(term: Expression, name: str) -> Expression:
    """The factors of a term that have a variable."""
    factors = term.args if isinstance(term, Apply) and term.op is Op.MUL else (term,)
    return multiplied([each for each in factors if name in variables(each)])


def _are_waves(node: Expression, name: str) -> list[bool]:
    """For each function of a variable, whether it is a wave; a whole power of it is none.

    What stands inside of a function is part of it.
    """
    match node:
        case Apply(Op.POW, (base, Number(power))) if power == int(power) and power > 0:
            return _are_waves(base, name)
        case Apply(Op.ADD | Op.MUL, args):
            return [each for arg in args for each in _are_waves(arg, name)]
        case Apply(op) if name in variables(node):
            return [op in TRIGONOMETRIC]
    return []
