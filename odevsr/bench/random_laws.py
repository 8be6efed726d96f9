"""Laws drawn from the project's own grammar, with numbers, and the oracles that measure them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.kind import Kind
from odevsr.language.algebra.normal import is_invalid
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, Expression, count, variables, with_constants
from odevsr.search.policy.prior import PriorPolicy
from odevsr.world.box import Box, plain_box
from odevsr.world.experiments.oracle import Cost
from odevsr.world.sample import Sample

NAMES = ("x", "y")
BOX = plain_box([[0.5, 2.5], [-1.0, 2.0]])
LONGEST = 10
"""Rules in a law."""
LARGEST = 1e4
"""A law's values over their typical size, and that size itself or its inverse, are below this."""
ERROR = 1e-9
"""Of the measurements, relative to the law's typical size."""
BEYOND = 0.25
"""Share of a range that is looked at beyond either end: in all it is half as wide again."""
SAME = 1e-4
"""Values of one law differ by less, relative to them and to the law's typical size."""
DRAWN, COMPARED = 200, 400
"""States that tell the typical size of a law, and those at which two laws are compared."""


@dataclass(frozen=True)
class RandomLaw:
    """A law of x, or of x and y, that has values all over its box."""

    expression: Expression
    size: float
    """Root mean square of its values."""
    dimension: int

    @property
    def names(self) -> tuple[str, ...]:
        """Its variables."""
        return NAMES[: self.dimension]

    @property
    def box(self) -> Box:
        """Their ranges."""
        return BOX.part(range(self.dimension))

    def oracle(self) -> FunctionOracle:
        """Who measures it, and has measured nothing yet."""
        law = partial(self.values, self.expression)
        return FunctionOracle(law, self.names, self.box, ERROR * self.size)

    def values(self, expression: Expression, states: FloatArray) -> FloatArray:
        """Values (...) of an expression in the law's variables, at states (..., n)."""
        with np.errstate(all="ignore"):
            return compile_field([expression], self.names)(states)[..., 0]

    def is_equal(self, found: Expression) -> bool:
        """Whether a law has the same values, wherever both have any, half as far again."""
        low, high = self.box.low, self.box.high
        margin = BEYOND * self.box.width
        rng = np.random.default_rng(5)
        states = rng.uniform(low - margin, high + margin, (COMPARED, self.dimension))
        truth, values = (self.values(each, states) for each in (self.expression, found))
        both = np.isfinite(truth) & np.isfinite(values)
        near = np.abs(values[both] - truth[both]) <= SAME * (np.abs(truth[both]) + self.size)
        return bool(np.all(near) and 2 * both.sum() > np.isfinite(truth).sum())


class FunctionOracle:
    """An oracle for the derivative of the first variable, which is a function of states (..., n).

    Errors are as large as it claims.
    """

    component, kind = 0, Kind.ODE

    def __init__(
        self,
        function: Callable[[FloatArray], FloatArray],
        names: Sequence[str],
        box: Box,
        error: float,
        *,
        is_noisy: bool = False,
    ) -> None:
        self._function, self._error = function, error
        self.names, self.variable, self.box, self.is_noisy = tuple(names), names[0], box, is_noisy
        self.cost = Cost()

    def measure(self, states: FloatArray) -> Sample:
        """The function's values with errors, which depend on how many were measured before."""
        values = self._function(states)
        noise = np.random.default_rng(self.cost.states).standard_normal(values.shape)
        self.cost += Cost(experiments=1, states=values.size)
        errors = np.full(values.shape, self._error)
        return Sample(states, values + errors * noise, errors)


def random_law(seed: int | Sequence[int], dimension: int) -> RandomLaw:
    """The first law drawn that depends on everything and has values of ordinary size."""
    rng = np.random.default_rng(seed)
    while (law := _drawn(rng, dimension)) is None:
        pass
    return law


@np.errstate(over="ignore", invalid="ignore")
def _drawn(rng: np.random.Generator, dimension: int) -> RandomLaw | None:
    names = NAMES[:dimension]
    grammar = make_grammar(names, longest=LONGEST)
    (form,) = Forest(grammar).plant(PriorPolicy(grammar, rng).sample(1))
    if is_invalid(form) or variables(form) != set(names):
        return None
    number = count(form, Constant)
    constants = rng.choice([-1, 1], number) * rng.uniform(0.3, 3.0, number)
    law = RandomLaw(with_constants(form, np.round(constants, 2).tolist()), 1.0, dimension)
    states = rng.uniform(law.box.low, law.box.high, (DRAWN, dimension))
    values = law.values(law.expression, states)
    size = float(np.sqrt(np.mean(values**2)))
    if not (np.max(np.abs(values)) < LARGEST * size and 1 / LARGEST < size < LARGEST):
        return None
    return replace(law, size=size)
