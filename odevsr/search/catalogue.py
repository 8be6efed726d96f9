"""The catalogue: one-variable functions that sciences keep using, as proposals of growing cost.

A proposal is a polynomial plus a weight times an atom, or plus two atoms. Atoms are rules like
those of the grammar, only longer: they hold open constants where nature does (a rate inside an
exponential, a half-saturation in a denominator).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product

from odevsr.language.algebra.normal import open_sum
from odevsr.language.algebra.term import CACHED, multiplied
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
from odevsr.language.parse import parse
from odevsr.limits import DEGREE

LOW_DEGREES = range(DEGREE)

# In each table x is the variable and C an open constant; beside an atom stands where it is met. The
# order is that in which they are tried: how often they are met.
COMMON_ATOMS = {
    "1/x": "hyperbolic decay, potentials",
    "1/x^2": "forces between points",
    "1/x^3": "dipoles, centrifugal barriers",
    "sin(x)": "angles",
    "cos(x)": "angles",
    "exp(C*x)": "growth, decay, diodes",
    "1/(x + C)": "saturation: Monod, Michaelis-Menten",
    "log(x)": "entropies, chemical potentials",
    "sqrt(x)": "outflow, Torricelli",
    "sin(C*x)": "waves",
    "cos(C*x)": "waves",
    "1/(x^2 + C)": "Hill kinetics of order 2, resonances",
    "abs(x)": "friction, drag",
    "x^C": "allometry, power laws",
    "1/(x^3 + C)": "Hill kinetics of order 3",
    "1/(x^4 + C)": "Hill kinetics of order 4",
}
"""These are also tried in pairs with a factor of the variable."""
SIMPLE_ATOMS = COMMON_ATOMS | {
    "exp(C/x)": "Arrhenius rates",
    "exp(C*x^2)": "Gaussian responses",
    "sqrt(x + C)": "flows through a head",
    "sqrt(C - x)": "flows from a head",
    "sqrt(x^2 + C)": "distances, relativistic energies",
    "sqrt(C - x^2)": "motion on a circle",
    "log(x + C)": "saturating growth",
    "log(C - x)": "what is left of a whole",
    "log(x^2 + C)": "lines and cylinders of charge",
    "abs(x + C)": "piecewise linear circuits",
    "sin(x^2)": "chirps",
    "cos(x^2)": "chirps",
    "sin(C*x^2)": "chirps",
    "cot(x)": "spherical motion",
    "tan(x)": "slopes, steering",
    "1/(x + C)^2": "substrate inhibition, shifted forces",
    "1/(x^2 + C)^2": "squared resonances",
    "1/sin(x)": "angular momentum on a sphere",
    "1/cos(x)": "reach along a slope",
    "atan(C*x)": "phases, soft switches",
    "log(x)^2": "log-normal responses",
    "sin(x)^2": "Malus, sedimentation",
    "sin(x)^3": "overtones",
    "cos(x)^3": "overtones",
    "sin(x)*cos(x)": "torques on dipoles",
    "1/(C + cos(x))": "orbits",
    "1/(C + sin(x))": "orbits",
    "1/(C + cos(x)^2)": "pendulum on a cart",
    "asin(C*x)": "refraction",
    "tan(C*x)": "slopes, steering",
    "1/(C + cos(2*x))": "coupled pendulums",
    "sin(x)/(C + cos(x)^2)": "pendulum on a cart",
    "sin(x)*cos(x)/(C + cos(x)^2)": "pendulum on a cart",
    "cos(x)/(C + cos(x)^2)": "pendulum on a cart",
    "1/(1 + C*x)": "saturation by a small constant",
}
RICH_ATOMS = {
    "tanh(C*x + C)": "switches, neurons",
    "1/cosh(C*x + C)": "solitons, spins in a field",
    "1/(exp(C*x) + C)": "logistic gates, Fermi and Bose factors",
    "exp(C*x)/(exp(C*x) + C)^2": "slopes of logistic gates",
    "sin(C*x + C)": "waves with a phase",
    "1/(x^C + C)": "Hill kinetics of any order",
    "cosh(C*x + C)": "hanging chains, gates' time constants",
    "x^C/(x^C + C)": "Hill kinetics of any order",
    "(x + C)^C": "shifted power laws",
    "(C - x)^C": "critical points",
    "(x^2 + C)^C": "distances to any power",
    "(C - x^2)^C": "distances to any power",
    "exp(C/(x + C))": "Vogel-Fulcher",
    "1/(x^2 + C*x + C)": "Haldane inhibition, shifted resonances",
    "exp(C*x^2 + C*x)": "shifted Gaussians",
    "sqrt(x^2 + C*x + C)": "distances",
    "(x^2 + C*x + C)^C": "distances to any power",
    "x^C*exp(C*x)": "Ricker, gamma densities",
    "atan(C*x + C)": "shifted phases",
    "log(x^2 + C*x + C)": "shifted potentials",
    "sin(C*x)/(C + cos(C*x))": "coupled pendulums",
    "log(exp(C*x) + C)": "soft thresholds",
    "abs(sin(C*x + C))": "rectified waves",
    "sin(C*x^2 + C*x + C)": "chirps",
    "1/(exp(C*x^2) + C)": "thermal factors",
    "log(x^C + C)": "saturating growth",
    "exp(C*x^C)": "stretched exponentials",
    "exp(C*x)*sin(C*x + C)": "damped waves",
    "sin(x + C)/(C + cos(x + C))": "coupled pendulums",
    "sin(2*x + C)/(C + cos(x + C))": "coupled pendulums",
    "sin(x + C)/(C + cos(2*x + C))": "double pendulum",
    "sin(2*x + C)/(C + cos(2*x + C))": "double pendulum",
}
MIXED_ATOMS = ("x^C", "(C - x)^C", "exp(C*x)", "tanh(C*x + C)", "1/(x + C)", "1/(exp(C*x) + C)")
"""Of these, two may stand side by side with a factor each: gates, reaction orders."""
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
    simple, rich = _atoms(SIMPLE_ATOMS, variable, learnt), _atoms(RICH_ATOMS, variable)
    yield [_family(variable, degree, ()) for degree in LOW_DEGREES]
    for atoms in (simple, rich):
        yield _combined(variable, atoms, (-1, 0, 1, 2), [_monomial(variable, p) for p in (0, 1)])
    if learnt:
        yield [
            _family(variable, degree, (known, other))
            for known, atom, degree in product(learnt, [*simple, *rich], (-1, 0))
            for other in (atom, multiplied((known, atom)))
        ]


def dense(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """Polynomials up to twice as high, a tier of their own: they follow anything smooth.

    Before that all that follows from simpler forms of other variables is tried.
    """
    yield [_family(variable, degree, ()) for degree in range(DEGREE, 2 * DEGREE)]


def weighted(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """One atom with a factor of the variable, or the product of two common atoms."""
    simple, rich = _atoms(SIMPLE_ATOMS, variable, learnt), _atoms(RICH_ATOMS, variable)
    below, above = ([_monomial(variable, power) for power in some] for some in ((-2, -1), (2, 3)))
    for atoms in (simple, rich):
        for factors in ([_shifted(variable)], below, above):
            yield _combined(variable, atoms, (-1, 0, 1, 2, 3), factors)
    yield _combined(variable, [*simple, *rich], (3, 4), [ONE])
    common = _atoms(COMMON_ATOMS, variable, learnt)
    products = [multiplied(pair) for pair in combinations(common, 2)]
    yield _combined(variable, products, (-1, 0, 1), [ONE])


def paired(variable: str, learnt: Sequence[Expression]) -> Iterator[list[Expression]]:
    """Sums of two atoms."""
    factors = (Variable(variable), _shifted(variable))
    simple = _atoms(SIMPLE_ATOMS, variable, learnt)
    common = _atoms(COMMON_ATOMS, variable, learnt)
    yield _pairs(variable, simple, simple)
    yield _pairs(variable, common, [multiplied((factors[0], atom)) for atom in common])
    shared = _atoms(SHARED_ATOMS, variable)
    yield _pairs(variable, shared, shared)
    mixed = _atoms(MIXED_ATOMS, variable)
    mixed += [multiplied((factor, atom)) for factor in factors for atom in mixed]
    yield _pairs(variable, mixed, mixed)
    yield _pairs(variable, simple, _atoms(RICH_ATOMS, variable))


@lru_cache(maxsize=CACHED)
def function_of(variable: str, text: str) -> Expression:
    """A function that is written as a text in x, of this variable; C is an open constant."""
    return substitute(parse(text, ["x"], open_symbols=True), {"x": Variable(variable)})


def _atoms(
    texts: Iterable[str], variable: str, learnt: Sequence[Expression] = ()
) -> list[Expression]:
    """What was learnt about the variable, and the atoms of a table."""
    return [*learnt, *(function_of(variable, text) for text in texts)]


def _shifted(variable: str) -> Expression:
    return Apply(Op.ADD, (Variable(variable), CONSTANT))


def _monomial(variable: str, power: int) -> Expression:
    return ONE if power == 0 else Apply(Op.POW, (Variable(variable), Number(power)))


@lru_cache(maxsize=CACHED)
def _family(variable: str, degree: int, parts: tuple[Expression, ...]) -> Expression:
    """A polynomial of this degree (-1: none) plus each part with a coefficient, in normal form."""
    pieces = [_monomial(variable, power) for power in range(degree + 1)]
    return open_sum([*pieces, *parts])


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
) -> list[Expression]:
    """Two atoms and a low polynomial."""
    chosen = combinations_with_replacement(first, 2) if first is second else product(first, second)
    return [_family(variable, degree, pair) for pair in chosen for degree in (-1, 0, 1)]
