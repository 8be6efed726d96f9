"""Libraries of terms: what a law may be a sum of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.monomials import monomial, monomials
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.evaluate import Field, OpenField, compile_field, compile_open
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    with_constants,
)
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.atoms import (
    DIFFERENCES,
    FACTORS,
    FIXED,
    Atom,
    Values,
    fixed_atoms,
    of_pair,
    open_atoms,
    pair_atoms,
)
from odevsr.recorded.score import QUOTIENT, prior

MOST_MONOMIALS = 40
MOST_WIDE = 20
"""Monomials beside a function in the widest libraries, of which half are factors of it."""
HIGHEST_DEGREE, ALONE = 4, 6
"""Of a monomial, and of one where there is but one variable."""
HIGHEST_BELOW = 4
"""Power of one variable in a denominator."""


@dataclass(frozen=True, eq=False)
class Library:
    """Terms of which at least one from `plain` on must be taken, where there are any.

    With an `atom`, those from `plain` on are its factors; in a quotient they are the terms of a
    denominator that begins with 1.
    """

    label: str
    names: tuple[str, ...]
    plain: tuple[Expression, ...]
    special: tuple[Expression, ...] = ()
    atom: Atom | None = None
    is_quotient: bool = False

    @cached_property
    def field(self) -> Field:
        """All terms, to be evaluated together; those with an atom for each of its constants."""
        special = self.special if self.atom is None else self.products(self.atom.values)
        return compile_field([*self.plain, *special], self.names)

    @cached_property
    def priors(self) -> FloatArray:
        """What each term costs; with an atom, what its factor does."""
        return np.array([prior(each, len(self.names)) for each in (*self.plain, *self.special)])

    @cached_property
    def prior(self) -> float:
        """What a law costs besides its terms: for its atom, or for being a quotient."""
        if self.atom is not None:
            return prior(self.atom.function, len(self.names))
        return QUOTIENT if self.is_quotient else 0.0

    @property
    def terms(self) -> int:
        """How many there are; those with an atom count once for each of its constants."""
        scanned = 1 if self.atom is None else len(self.atom.values)
        return len(self.plain) + len(self.special) * scanned

    @property
    def constants(self) -> int:
        """Of the atom."""
        return 0 if self.atom is None else len(self.atom.values[0])

    def products(self, values: Sequence[Values]) -> list[Expression]:
        """The factors, each with the atom, for each choice of its constants in turn."""
        assert self.atom is not None
        functions = [with_constants(self.atom.function, each) for each in values]
        return [multiplied([each, factor]) for each in functions for factor in self.special]

    def open_field(self, factors: Sequence[Expression]) -> OpenField:
        """The products of some factors with the atom, at any of its constants."""
        assert self.atom is not None
        return compile_open(
            [multiplied([self.atom.function, factor]) for factor in factors], self.names
        )

    def law(self, subset: Sequence[int]) -> Expression:
        """The sum of some of its terms, whose order is that of their open coefficients."""
        above = [opened(self.plain[k]) for k in subset if k < len(self.plain)]
        other = [opened(self.special[k]) for k in self.factors(subset)]
        if self.is_quotient:
            below = Apply(Op.POW, (added([ONE, *other]), Number(-1)))
            return Apply(Op.MUL, (added(above or [Number(0)]), below))
        if self.atom is not None and other:
            return added([*above, Apply(Op.MUL, (added(other), self.atom.function))])
        return added([*above, *other])

    def factors(self, subset: Sequence[int]) -> list[int]:
        """Which of `special` are in a subset of all terms."""
        return [k - len(self.plain) for k in subset if k >= len(self.plain)]

    @property
    def comes_near_anything(self) -> bool:
        """Whether all terms together do: functions of every kind."""
        return bool(self.special) and not self.is_quotient


def opened(term: Expression) -> Expression:
    """The term with an open coefficient."""
    return CONSTANT if term == ONE else Apply(Op.MUL, (CONSTANT, term))


def libraries(paths: Paths) -> Iterator[Library]:
    """From polynomials to quotients; each is scanned on its own."""
    names = paths.names
    degree = HIGHEST_DEGREE if len(names) > 1 else ALONE
    yield Library("polynomial", names, polynomial(names, degree, MOST_MONOMIALS))
    moving = _moving(paths)
    low = polynomial(names, 2, MOST_MONOMIALS)
    for k in moving:
        atoms = fixed_atoms(names[k], FIXED, paths.each_run(k))
        factors = _factors(names, names[k])
        products = (_product(atom, factor) for atom in atoms for factor in factors)
        yield Library("fixed", names, low, _others(products, low))
    yield from _mixed(paths, moving)
    for k in moving:
        for atom in open_atoms(names[k], paths.states[:, k]):
            yield Library("open", names, low, _factors(names, names[k]), atom)
    yield from _quotients(names, moving)


def wide_libraries(paths: Paths) -> Iterator[Library]:
    """One function of one or two variables each, with its factors and beside terms of low order.

    They are too wide for noisy runs, and come near much that they do not hold.
    """
    names = paths.names
    plain, factors = polynomial(names, 3, MOST_WIDE), polynomial(names, 2, MOST_WIDE // 2)
    known = set(plain)
    for atom, more in _wide_atoms(paths):
        special = [_product(each, factor) for each in more for factor in factors]
        own = [each for each in special if normal_form(_product(atom.function, each)) not in known]
        yield Library("wide", names, plain, tuple(own), atom)


def _wide_atoms(paths: Paths) -> Iterator[tuple[Atom, Sequence[Expression]]]:
    """Atoms, and what else their factors may be multiplied with: sines with cosines."""
    names = paths.names
    moving = _moving(paths)
    for k in moving:
        for function in fixed_atoms(names[k], FIXED, paths.each_run(k)):
            is_wave = isinstance(function, Apply) and function.op in (Op.SIN, Op.COS)
            cosine = (Apply(Op.COS, (Variable(names[k]),)),) if is_wave else ()
            yield Atom(function, [()]), (ONE, *cosine)
        yield from ((atom, (ONE,)) for atom in open_atoms(names[k], paths.states[:, k]))
    for one, other in combinations(moving, 2):
        yield from ((atom, (ONE,)) for atom in pair_atoms(paths, one, other))


def _moving(paths: Paths) -> list[int]:
    """Which variables and inputs ever move."""
    return [k for k in range(len(paths.names)) if paths.high[k] > paths.low[k]]


def polynomial(names: Sequence[str], degree: int, most: int) -> tuple[Expression, ...]:
    """All monomials up to this degree, or the highest that makes no more than so many."""
    fitting = [d for d in range(1, degree + 1) if math.comb(len(names) + d, d) <= most]
    return tuple(monomials(names, max(fitting, default=1)))


def _mixed(paths: Paths, moving: Sequence[int]) -> Iterator[Library]:
    """Products of atoms of two variables, and waves of their difference, beside a plane."""
    names = paths.names
    atoms = {k: fixed_atoms(names[k], FACTORS, paths.each_run(k)) for k in moving}
    few = tuple(monomials(names, 1))
    for one, other in combinations(moving, 2):
        pairs = [_product(u, w) for u in atoms[one] for w in atoms[other]]
        pairs += of_pair(DIFFERENCES, names[one], names[other])
        yield Library("mixed", names, few, _others([*atoms[one], *atoms[other], *pairs], few))


def _quotients(names: Sequence[str], moving: Sequence[int]) -> Iterator[Library]:
    """f*(1 + q) = p; q has powers of one variable, two and their product, or all variables."""
    above = polynomial(names, 3, MOST_MONOMIALS // 2)
    below = [monomials([names[k]], HIGHEST_BELOW)[1:] for k in moving]
    pairs = [(names[one], names[other]) for one, other in combinations(moving, 2)]
    below += [[*monomials(pair, 1)[1:], monomial(pair)] for pair in pairs]
    if len(names) > 2:
        below.append(monomials(names, 1)[1:])
    for terms in below:
        yield Library("quotient", tuple(names), above, tuple(terms), is_quotient=True)


def _factors(names: Sequence[str], name: str) -> tuple[Expression, ...]:
    """What an atom of a variable may be multiplied with: one other variable, and itself."""
    others = [other for other in names if other != name]
    return (*monomials(names, 1), monomial((name, name)), *(monomial((name, o)) for o in others))


def _product(first: Expression, second: Expression) -> Expression:
    return first if second == ONE else multiplied([first, second])


def _others(terms: Iterable[Expression], plain: Sequence[Expression]) -> tuple[Expression, ...]:
    """Each term once, unless it is plain: 1/x**2*x is 1/x, and 1/x*x is 1."""
    known = set(map(normal_form, plain))
    return tuple(each for each in dict.fromkeys(map(normal_form, terms)) if each not in known)
