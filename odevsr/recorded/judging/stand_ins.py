"""What may stand for something else in a law that explains recordings.

What is conserved along one orbit makes a square the function of another variable: `v**2` of a
swing is one of its angle, and a law may have the one for the other. And where there is noise,
several functions of one variable together come near any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.term import terms
from odevsr.language.expression import (
    TRIGONOMETRIC,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    variables,
    walk,
)
from odevsr.recorded.judging.one_sided import even_powers
from odevsr.recorded.paths import Paths

DEGREE = 24
"""Of a polynomial that a function of one variable is near to,"""
NEAR = 1e-4
"""as a share of what it moves, if it is one."""
REVERSALS = 2
"""So often a variable must turn, for on the way once any other is a function of it."""


def has_stand_in(paths: Paths, law: Expression) -> bool:
    """Whether the law has an even power of a variable whose square is a function of another."""
    return any(even_powers(law, name) for name in set(_conserved(paths)))


def _conserved(paths: Paths) -> Iterator[str]:
    """Variables whose square is a function of another, along all runs."""
    states, names = paths.states[:, : paths.variables], paths.names
    for k in range(paths.variables):
        if np.sum(np.diff(np.sign(paths.slopes[:, k])) != 0) < REVERSALS:
            continue
        for j in range(paths.variables):
            if j != k and _is_function_of(states[:, j] ** 2, states[:, k]):
                yield names[j]


def _is_function_of(values: FloatArray, of: FloatArray) -> bool:
    """Whether a polynomial of the one leaves next to nothing of the other."""
    within = 2 * (of - of.min()) / (np.ptp(of) + 1e-300) - 1
    basis = np.linalg.qr(np.polynomial.chebyshev.chebvander(within, DEGREE))[0]
    left = values - basis @ (basis.T @ values)
    return bool(len(values) > 2 * DEGREE and np.std(left) <= NEAR * np.std(values))


def mixes_functions(law: Expression) -> bool:
    """Whether two terms of the law have functions of one variable, waves alone excepted."""
    kinds: dict[str, list[bool]] = defaultdict(list)
    for term in terms(law):
        for name in variables(term):
            functions = set(_functions(term, name))
            if functions:
                kinds[name].append(functions <= TRIGONOMETRIC)
    return any(len(each) > 1 and not all(each) for each in kinds.values())


def _functions(term: Expression, name: str) -> Iterator[Op]:
    """The functions of a variable in a term; a whole power of it is none."""
    for node in walk(term):
        match node:
            case Apply(Op.POW, (Variable(), Number(power))) if power == int(power) and power > 0:
                continue
            case Apply(Op.ADD | Op.MUL):
                continue
            case Apply(op) if name in variables(node):
                yield op
