"""What people must know about recordings beside the laws that are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added
from odevsr.language.expression import Apply, Expression, Number, Op, Variable
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.limits import FINEST
from odevsr.recorded.judging.left_out import LeftOut
from odevsr.recorded.judging.one_sided import even_powers, one_sided
from odevsr.recorded.judging.sums import constant_sums
from odevsr.recorded.paths import Paths

HIDDEN = 0.1
"""Share of a law's rate that no left-out term may make up unseen, for noisy runs to decide."""
UNFINISHED = "the search ended with its budget; shorter runs, or fewer of them, may tell more"


def notes_of(
    paths: Paths,
    laws: Sequence[Expression],
    hidden: Sequence[Sequence[LeftOut]],
    is_cut_short: bool,
) -> Iterator[str]:
    """A sentence each; `hidden` are the terms that each equation has not."""
    yield from _unmoved(paths)
    yield from _one_sided(paths, laws)
    yield from _hiding(paths, hidden)
    if is_cut_short:
        yield UNFINISHED


def _hiding(paths: Paths, hidden: Sequence[Sequence[LeftOut]]) -> Iterator[str]:
    """For each equation, how large what was left out could be; of clean runs, if it matters."""
    least = HIDDEN if paths.clean.all() else 0.0
    for name, terms in zip(paths.names, hidden, strict=False):
        bounds = [
            f"{each.most:.2g} for {to_text(rounded(each.term))}"
            for each in terms
            if each.share > least
        ]
        if bounds:
            yield f"coefficients that d{name}/dt could have unseen: up to {', '.join(bounds)}"


def _unmoved(paths: Paths) -> Iterator[str]:
    """Variables that never moved, or never apart from others: laws cannot tell them apart."""
    names, sizes = np.array(paths.names), np.maximum(np.abs(paths.low), np.abs(paths.high))
    moves = np.std(paths.states, axis=0) > FINEST * sizes
    yield from (f"{each} never moved; what depends on it cannot be seen" for each in names[~moves])
    known = "" if paths.clean.all() else ", as far as errors tell"
    for factors in constant_sums(paths, np.flatnonzero(moves)):
        among = names[factors != 0]
        if len(among) == 1:
            yield f"{among[0]} never moved by more than its errors"
        elif len(among) == 2:
            yield f"{among[0]} and {among[1]} never moved independently of each other{known}"
        else:
            total = _written(factors, paths.names)
            yield f"{total} never changed{known}: what depends on one may depend on the others"


def _written(factors: FloatArray, names: Sequence[str]) -> str:
    """A sum of variables, with factors of two digits."""
    pairs = [(factor, name) for factor, name in zip(factors, names, strict=True) if factor]
    terms = (Apply(Op.MUL, (Number(float(f"{each:.2g}")), Variable(name))) for each, name in pairs)
    return to_text(normal_form(added(list(terms))))


def _one_sided(paths: Paths, laws: Sequence[Expression]) -> Iterator[str]:
    """Even powers of variables that never changed sign, though nothing in their laws keeps it."""
    for each in one_sided(paths, laws):
        powers = ", ".join(sorted(set().union(*(even_powers(law, each.name) for law in laws))))
        if powers:
            yield f"nothing is decided for {each.where}, where {powers} may have its sign"
