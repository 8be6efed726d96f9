"""Functions of one or two variables that laws are made of, and where their constants may lie.

Fixed atoms have no constant. Those with constants are scanned over values that the range of their
variable suggests; fits of motion move them from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.language.expression import Expression, Variable, substitute
from odevsr.language.parse import parse
from odevsr.recorded.paths import Paths

FIXED = (
    "sin(x)", "cos(x)", "exp(x)", "exp(-x)", "1/x", "1/x^2", "log(x)", "sqrt(x)", "abs(x)",
    "cot(x)", "tan(x)", "sin(x)^2", "sin(x)*cos(x)",
)  # fmt: skip
"""Without constants of their own."""
FACTORS = (
    "sin(x)",
    "cos(x)",
    "exp(x)",
    "exp(-x)",
    "1/x",
    "log(x)",
    "sqrt(x)",
    "cot(x)",
    "sin(x)^2",
    "cos(x)^2",
    "x*abs(x)",
)
"""Of these two may be added or multiplied, each in a variable of its own."""
DIFFERENCES = ("sin(x - y)", "cos(x - y)")
"""Of two variables together: how waves act on each other,"""
PAIRS = ("sqrt(x^2 + y^2)", "1/sqrt(x^2 + y^2)", "abs(x - y)", *DIFFERENCES)
"""and, where there is next to no noise, how far they are from 0 or apart."""
POWERS = (-1.5, -0.5, 0.3, 0.7, 1.5, 2.5)
"""To begin with, of a variable."""

Values = tuple[float, ...]
"""Of the constants of an atom."""


@dataclass(frozen=True, eq=False)
class Atom:
    """A function with open constants, and values of them to begin with."""

    function: Expression
    values: Sequence[Values]


def fixed_atoms(name: str, texts: Sequence[str], runs: Sequence[FloatArray]) -> list[Expression]:
    """The fixed atoms of a variable that have a value wherever it may have been in any run.

    A pole may lie between two runs: neither was there. Sizes of what never changed its sign, and
    exponentials of what is large, tell nothing.
    """
    from odevsr.language.evaluate import compile_field

    functions = [_of(text, name) for text in texts]
    field = compile_field(functions, [name])
    within = [np.linspace(float(each.min()), float(each.max()), BETWEEN) for each in runs]
    usable = np.all([_is_smooth(field(each[:, None])) for each in within], axis=0)
    low, high = min(each[0] for each in within), max(each[-1] for each in within)
    useless = {"abs"} if low >= 0 or high <= 0 else set()
    useless |= {"exp"} if max(-low, high) > LARGEST_EXPONENT else set()
    return [
        function
        for function, text, good in zip(functions, texts, usable, strict=True)
        if good and not any(each in text for each in useless)
    ]


def pair_atoms(paths: Paths, one: int, other: int) -> Iterator[Atom]:
    """Functions of two variables together: how far they are from 0 or apart, and powers of both."""
    pair = paths.names[one], paths.names[other]
    yield from (Atom(each, [()]) for each in of_pair(PAIRS, *pair))
    if paths.low[one] > 0 and paths.low[other] > 0:
        (powers,) = of_pair(["x^C*y^C"], *pair)
        yield Atom(powers, list(product(POWERS, repeat=2)))


def of_pair(texts: Sequence[str], one: str, other: str) -> list[Expression]:
    """Functions of x and y, of these two variables."""
    pair = {"x": Variable(one), "y": Variable(other)}
    return [substitute(parse(text, ["x", "y"], open_symbols=True), pair) for text in texts]


def _is_smooth(values: FloatArray) -> BoolArray:
    """Which functions have values (places, functions) in one piece."""
    with np.errstate(all="ignore"):
        jumps = np.abs(np.diff(values, axis=0)).max(axis=0)
        is_even = jumps <= STEEP * np.ptp(values, axis=0)
    return np.asarray(np.isfinite(values).all(axis=0) & is_even)


BETWEEN, STEEP = 400, 0.3
"""A function that moves by this share of its range between so many values of x has a pole."""


@dataclass(frozen=True)
class VisitedRange:
    """Where a variable was: between which values, how far it usually moves, and where it often is.

    A run that settles is nearly everywhere near its end.
    """

    low: float
    high: float
    usual: float
    often: tuple[float, ...]

    @property
    def width(self) -> float:
        """Between the least and the greatest value."""
        return self.high - self.low

    def rates(self, least: float, most: float, count: int) -> list[float]:
        """From little change over all values to much over the usual ones; so many if even."""
        slow, fast = least / self.width, most / self.usual
        more = np.log(fast / slow) / np.log(most / least)
        return [float(rate) for rate in np.geomspace(slow, fast, round(count * more))]


def open_atoms(name: str, states: FloatArray) -> Iterator[Atom]:
    """Atoms with constants, for a variable that was in these states."""
    low, first, third, high = np.quantile(states, (0.0, 0.25, 0.75, 1.0)).tolist()
    usual = max(2 * (third - first), LEAST_USUAL * (high - low))
    often = np.quantile(states, OFTEN).tolist()
    visited = VisitedRange(low, high, min(usual, high - low), tuple(often))
    for text, values in _OPEN.items():
        suggested = values(visited)
        if suggested:
            yield Atom(_of(text, name), suggested)


LEAST_USUAL = 0.03
"""Share of its range that a variable moves at least, for all that rates are suggested by."""
LARGEST_EXPONENT = 18.0
"""Of the factor of a switch or an exponential: beyond e to this power it is no number that people
write."""
HILL_ORDERS = (-6.0, -3.0, 3.0, 6.0)
"""Of cooperation, to begin with; up to the fourth, whole ones have atoms of their own."""
LARGEST_FACTOR = 600.0
"""Logarithm of the largest factor of such a function, beyond which it is no number at all."""
OFTEN = (0.05, 0.35, 0.65, 0.95)
"""Shares of the states below the values where a function may switch."""


def _of(text: str, name: str) -> Expression:
    return substitute(parse(text, ["x"], open_symbols=True), {"x": Variable(name)})


def _rates(visited: VisitedRange) -> Sequence[Values]:
    return [(sign * size,) for size in visited.rates(0.4, 15, 7) for sign in (1, -1)]


def _waves(visited: VisitedRange) -> Sequence[Values]:
    return [(size,) for size in visited.rates(1.0, 20, 9)]


def _shifts(power: int) -> Callable[[VisitedRange], Sequence[Values]]:
    """Constants c that keep x**power + c from 0."""

    def values(visited: VisitedRange) -> Sequence[Values]:
        low, high = visited.low, visited.high
        if low >= 0 or power % 2 == 0:
            sizes = max(abs(low), abs(high)) * np.geomspace(0.02, 5, 9)
            return [(float(size**power),) for size in sizes]
        return [(float(-low + size * visited.width),) for size in np.geomspace(0.05, 5, 7)]

    return values


def _powers(visited: VisitedRange) -> Sequence[Values]:
    return [(power,) for power in POWERS] if visited.low > 0 else []


def _switches(visited: VisitedRange) -> Sequence[Values]:
    """Rates and factors of 1/(1 + d*exp(c*x)), which switches where x often is."""
    rates = [sign * rate for rate in visited.rates(1.0, 10, 5) for sign in (1, -1)]
    usable = [(c, at) for c, at in product(rates, visited.often) if abs(c * at) < LARGEST_EXPONENT]
    return [(float(np.exp(-c * at)), c) for c, at in usable]


def _hills(visited: VisitedRange) -> Sequence[Values]:
    """Factors and orders of 1/(1 + c*x**n), which is half where x often is."""
    pairs = product(HILL_ORDERS, visited.often) if visited.low > 0 else ()
    usable = [(n, at) for n, at in pairs if abs(n * np.log(at)) < LARGEST_FACTOR]
    return [(float(at**-n), n) for n, at in usable]


def _bells(visited: VisitedRange) -> Sequence[Values]:
    size = max(abs(visited.low), abs(visited.high))
    return [(float(-c / size**2),) for c in (0.5, 2.0, 8.0)]


_OPEN: dict[str, Callable[[VisitedRange], Sequence[Values]]] = {
    "exp(C*x)": _rates,
    "1/(x + C)": _shifts(1),
    "x/(x + C)": _shifts(1),
    "1/(x^2 + C)": _shifts(2),
    "x^2/(x^2 + C)": _shifts(2),
    "1/(x^4 + C)": _shifts(4),
    "x^3/(x^3 + C)": lambda visited: _shifts(3)(visited) if visited.low >= 0 else [],
    "sin(C*x)": _waves,
    "cos(C*x)": _waves,
    "x^C": _powers,
    "1/(C*exp(C*x) + 1)": _switches,
    "1/(C*x^C + 1)": _hills,
    "tanh(C*x)": _waves,
    "exp(C*x^2)": _bells,
}
