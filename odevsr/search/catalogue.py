"""Families of one-variable functions that sciences keep using, as proposals of growing complexity.

A proposal is a polynomial plus a weight times an atom, or plus two atoms. Atoms are rules like
those of the grammar, only longer: they hold open constants where nature does (a rate inside an
exponential, a half-saturation in a denominator).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, islice, product

from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    substitute,
)
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.language.term import added, multiplied

LOW_DEGREES, HIGH_DEGREES = range(5), range(5, 9)
COMMON = 16
"""So many of the simple atoms are also tried in pairs with a factor of the variable."""
LARGEST_BATCH = 1000
VARIABLES = 256
"""Lists of atoms kept, four for each variable."""
REMEMBERED = 40_000
"""Normal forms kept for the next round over the same variable."""

# In each, x is the variable and C an open constant; ordered by how often they are met.
SIMPLE_ATOMS = (
    "1/x", "1/x^2", "1/x^3", "sin(x)", "cos(x)", "exp(C*x)", "1/(x + C)", "log(x)", "sqrt(x)",
    "sin(C*x)", "cos(C*x)", "1/(x^2 + C)", "abs(x)", "x^C", "1/(x^3 + C)", "1/(x^4 + C)",
    "exp(C/x)", "exp(C*x^2)", "sqrt(x + C)", "sqrt(C - x)", "sqrt(x^2 + C)", "sqrt(C - x^2)",
    "log(x + C)", "log(C - x)", "log(x^2 + C)", "abs(x + C)", "sin(x^2)", "cos(x^2)", "sin(C*x^2)",
    "cot(x)",
    "tan(x)", "1/(x + C)^2", "1/(x^2 + C)^2", "1/sin(x)", "1/cos(x)", "atan(C*x)",
    "log(x)^2", "sin(x)^2", "sin(x)^3", "cos(x)^3", "sin(x)*cos(x)", "1/(C + cos(x))",
    "1/(C + sin(x))", "1/(C + cos(x)^2)", "asin(C*x)", "1/(C + cos(2*x))", "sin(x)/(C + cos(x)^2)",
    "sin(x)*cos(x)/(C + cos(x)^2)", "cos(x)/(C + cos(x)^2)", "1/(1 + C*x)",
)  # fmt: skip
RICH_ATOMS = (
    "tanh(C*x + C)", "1/(exp(C*x) + C)", "exp(C*x)/(exp(C*x) + C)^2", "sin(C*x + C)", "1/(x^C + C)",
    "cosh(C*x + C)", "x^C/(x^C + C)", "(x + C)^C", "(C - x)^C", "(x^2 + C)^C", "(C - x^2)^C",
    "exp(C/(x + C))", "1/(x^2 + C*x + C)",
    "exp(C*x^2 + C*x)", "sqrt(x^2 + C*x + C)", "(x^2 + C*x + C)^C", "x^C*exp(C*x)",
    "atan(C*x + C)", "log(x^2 + C*x + C)", "sin(C*x)/(C + cos(C*x))", "log(exp(C*x) + C)",
    "abs(sin(C*x + C))", "sin(C*x^2 + C*x + C)", "1/(exp(C*x^2) + C)", "log(x^C + C)",
    "exp(C*x)*sin(C*x + C)",
    "sin(x + C)/(C + cos(x + C))", "sin(2*x + C)/(C + cos(x + C))",
    "sin(x + C)/(C + cos(2*x + C))", "sin(2*x + C)/(C + cos(2*x + C))",
)  # fmt: skip
MIXED_ATOMS = ("x^C", "(C - x)^C", "exp(C*x)", "tanh(C*x + C)", "1/(x + C)", "1/(exp(C*x) + C)")
SHARED_ATOMS = (
    "x^C", "(1 - x)^C", "(1 - x)*x^C", "x*(1 - x)^C",
    *(
        f"{factor}*{function}"
        for factor in ("1", "x", "(1 - x)", "x*(1 - x)")
        for function in ("log(x)", "log(1 - x)", "exp(C*x)")
    ),
)  # fmt: skip
"""Where x is a share of a whole, 1 - x is the other."""


def alone(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """Polynomials, and polynomials with one atom, in batches of normal forms, simplest first.

    `learnt` are functions of the variable found elsewhere; they count as atoms without constants,
    and as factors.
    """
    simple = [*learnt, *_atoms(SIMPLE_ATOMS, variable)]
    rich = _atoms(RICH_ATOMS, variable)
    yield [_polynomial(variable, degree) for degree in LOW_DEGREES]
    for atoms in (simple, rich):
        yield _combined(variable, atoms, (-1, 0, 1, 2), [_monomial(variable, p) for p in (0, 1)])
    if learnt:
        yield [
            _family(variable, degree, (known, other))
            for known, atom, degree in product(learnt, [*simple, *rich], (-1, 0))
            for other in (atom, multiplied((known, atom)))
        ]


def dense(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """High polynomials, a tier of their own: on a short range they follow anything smooth.

    Before that all that follows from simpler forms of other variables is tried.
    """
    yield [_polynomial(variable, degree) for degree in HIGH_DEGREES]


def weighted(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """One atom with a factor of the variable, or the product of two common atoms."""
    simple = [*learnt, *_atoms(SIMPLE_ATOMS, variable)]
    powers = [_monomial(variable, power) for power in (-2, -1, 2, 3)]
    for atoms in (simple, _atoms(RICH_ATOMS, variable)):
        for factors in ([_shifted(variable)], powers):
            yield _combined(variable, atoms, (-1, 0, 1, 2, 3), factors)
    yield _combined(variable, [*simple, *_atoms(RICH_ATOMS, variable)], (3, 4), [ONE])
    products = [multiplied(pair) for pair in combinations(simple[: len(learnt) + COMMON], 2)]
    yield _combined(variable, products, (-1, 0, 1), [ONE])


def paired(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """Sums of two atoms."""
    x = Variable(variable)
    simple = [*learnt, *_atoms(SIMPLE_ATOMS, variable)]
    common = simple[: len(learnt) + COMMON]
    yield from _pairs(variable, simple, simple)
    yield from _pairs(variable, common, [multiplied((x, atom)) for atom in common])
    shared = _atoms(SHARED_ATOMS, variable)
    yield from _pairs(variable, shared, shared)
    mixed = [*_atoms(MIXED_ATOMS, variable)]
    factors = (x, _shifted(variable))
    mixed += [multiplied((factor, atom)) for factor in factors for atom in mixed]
    yield from _pairs(variable, mixed, mixed)
    yield from _pairs(variable, simple, _atoms(RICH_ATOMS, variable))


TIERS = (alone, dense, weighted, paired)
"""The plainest and cheapest first."""
READ_IN = 1
"""The tier in which forms read off the data join: they are as good at following as polynomials."""


@lru_cache(maxsize=VARIABLES)
def _atoms(texts: tuple[str, ...], variable: str) -> tuple[Expression, ...]:
    here = {"x": Variable(variable)}
    return tuple(substitute(parse(text, ["x"], open_symbols=True), here) for text in texts)


def _shifted(variable: str) -> Expression:
    return Apply(Op.ADD, (Variable(variable), CONSTANT))


def _monomial(variable: str, power: int) -> Expression:
    return ONE if power == 0 else Apply(Op.POW, (Variable(variable), Number(power)))


def _polynomial(variable: str, degree: int) -> Expression:
    return _family(variable, degree, ())


@lru_cache(maxsize=REMEMBERED)
def _family(variable: str, degree: int, parts: tuple[Expression, ...]) -> Expression:
    """A polynomial of this degree (-1: none) plus each part with a coefficient, in normal form."""
    pieces = [_monomial(variable, power) for power in range(degree + 1)]
    return normal_form(added([multiplied((CONSTANT, piece)) for piece in [*pieces, *parts]]))


def _combined(
    variable: str,
    atoms: Sequence[Expression],
    backgrounds: Sequence[int],
    weights: Sequence[Expression],
) -> list[Expression]:
    """Polynomial + weight * atom."""
    return [
        _family(variable, degree, (multiplied((weight, atom)),))
        for degree, weight, atom in product(backgrounds, weights, atoms)
    ]


def _pairs(
    variable: str, first: Sequence[Expression], second: Sequence[Expression]
) -> Iterator[list[Expression]]:
    """Two atoms and a low polynomial, in batches of at most `LARGEST_BATCH`."""
    chosen = combinations_with_replacement(first, 2) if first is second else product(first, second)
    forms = (_family(variable, degree, pair) for pair in chosen for degree in (-1, 0, 1))
    while batch := list(islice(forms, LARGEST_BATCH)):
        yield batch
