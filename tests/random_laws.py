"""Laws drawn from the project's own grammar, with numbers, and the oracles that measure them."""

from dataclasses import dataclass, replace

import numpy as np
from laws import NAMES, FunctionOracle

from odevsr.language.algebra.normal import is_invalid
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, Expression, count, variables, with_constants
from odevsr.search.policy.prior import PriorPolicy

BOX = np.array([[0.5, 2.5], [-1.0, 2.0]])
LARGEST, LONGEST = 1e4, 10
ERROR = 1e-9
"""Of the measurements, relative to the law's typical size."""
BEYOND = 0.25
"""Share of a range that is looked at beyond either end: in all it is half as wide again."""


@dataclass(frozen=True)
class RandomLaw:
    """A law of x, or of x and y, that has values all over its box."""

    expression: Expression
    size: float
    dimension: int

    @property
    def names(self):
        return NAMES[: self.dimension]

    @property
    def box(self):
        return BOX[: self.dimension]

    def values(self, expression, states):
        with np.errstate(all="ignore"):
            return compile_field([expression], self.names)(states)[..., 0]

    def oracle(self):
        def function(*columns):
            return self.values(self.expression, np.stack(columns, axis=-1))

        return FunctionOracle(function, self.box, ERROR * self.size)

    def is_equal(self, found, tolerance=1e-4, number=400):
        """Whether a law has the same values, wherever both have any, half as far again."""
        low, high = self.box.T
        wider = np.stack([low - BEYOND * (high - low), high + BEYOND * (high - low)])
        states = np.random.default_rng(5).uniform(*wider, (number, self.dimension))
        truth, values = (self.values(each, states) for each in (self.expression, found))
        both = np.isfinite(truth) & np.isfinite(values)
        near = np.abs(values[both] - truth[both]) <= tolerance * (np.abs(truth[both]) + self.size)
        return bool(np.all(near)) and 2 * both.sum() > np.isfinite(truth).sum()


def random_law(seed, dimension):
    """The first law drawn that depends on everything and has values of ordinary size."""
    rng = np.random.default_rng(seed)
    return next(law for law in iter(lambda: _drawn(rng, dimension), 0) if law is not None)


@np.errstate(over="ignore", invalid="ignore")
def _drawn(rng, dimension):
    names = NAMES[:dimension]
    grammar = make_grammar(names, longest=LONGEST)
    (form,) = Forest(grammar).plant(PriorPolicy(grammar, rng).sample(1))
    if is_invalid(form) or variables(form) != set(names):
        return None
    number = count(form, Constant)
    constants = rng.choice([-1, 1], number) * rng.uniform(0.3, 3.0, number)
    law = RandomLaw(with_constants(form, np.round(constants, 2).tolist()), 1.0, dimension)
    values = law.values(law.expression, rng.uniform(*law.box.T, (200, dimension)))
    size = float(np.sqrt(np.mean(values**2)))
    if not (np.max(np.abs(values)) < LARGEST * size and 1 / LARGEST < size < LARGEST):
        return None
    return replace(law, size=size)
