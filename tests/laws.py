"""Laws as Python functions behind the faces that a search knows: quantities, oracles, questions."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from odevsr.bench import random_laws
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import make_controlled
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Number, rebuild, walk
from odevsr.language.parse import parse
from odevsr.search.tiers import Proposers
from odevsr.settings import Settings
from odevsr.vertical.asking.design import Design
from odevsr.vertical.asking.question import Attempt, Question
from odevsr.world.box import Box, plain_box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.sample import Sample

NAMES = ("x", "y", "z")


@dataclass(eq=False)
class FunctionQuantity:
    """A quantity that knows its function; `error` is both claimed and made.

    It has no value where `missing`, a function of the states' columns, is true.
    """

    function: Callable[..., np.ndarray]
    box: Box | np.ndarray = field(default_factory=lambda: plain_box([[0.5, 2.5], [-1.0, 2.0]]))
    error: float = 1e-10
    measured: int = 0
    missing: Callable[..., np.ndarray] = lambda *columns: False

    def __post_init__(self):
        if not isinstance(self.box, Box):
            self.box = plain_box(self.box)

    @property
    def names(self):
        return NAMES[: len(self.box)]

    def measure(self, states):
        columns = np.moveaxis(states, -1, 0)
        values = np.zeros(states.shape[:-1]) + self.function(*columns)
        noise = np.random.default_rng(self.measured).standard_normal(values.shape)
        self.measured += values.size
        errors = np.where(self.missing(*columns), np.inf, np.full(values.shape, self.error))
        return Sample(states, values + self.error * noise, errors)


class FunctionOracle(random_laws.FunctionOracle):
    """An oracle for the derivative of x, which is a function of the states' columns."""

    def __init__(self, function, box=((0.5, 2.5), (-1.0, 2.0)), error=1e-10, is_noisy=False):
        box = box if isinstance(box, Box) else plain_box(box)

        def of_states(states):
            return np.zeros(states.shape[:-1]) + function(*np.moveaxis(states, -1, 0))

        super().__init__(of_states, NAMES[: len(box)], box, error, is_noisy=is_noisy)


def make_question(quantity, settings=None, seed=0, *, label="x", depth=0, noisy=False, **attempt):
    """A question as an equation has it."""
    attempt = Attempt(
        proposers=Proposers(settings or Settings()),
        agreement=Agreement(is_noisy=noisy),
        **attempt,
    )
    return Question(quantity, attempt, Design(seed), label, depth)


def law(text, names=NAMES):
    """An expression; its decimals are floats, as if fitted."""
    exact = parse(text, names)
    numbers = [node.value for node in walk(exact) if isinstance(node, Number)]
    fitted = [Number(value if isinstance(value, int) else float(value)) for value in numbers]
    return rebuild(exact, iter(fitted), Number)


def form(text, names=NAMES):
    """An expression with open constants, written C."""
    return parse(text, names, open_symbols=True)


def error_of(expression, quantity, count=200, seed=77):
    """Root mean square error of an expression at fresh states, relative to the quantity's size."""
    states = random_states(quantity.box, count, np.random.default_rng(seed))
    truth = np.zeros(count) + quantity.function(*states.T)
    found = compile_field([expression], quantity.names)(states)[:, 0]
    return np.sqrt(np.mean((found - truth) ** 2) / np.mean(truth**2))


def measured(truth, error=1e-9, count=80, seed=0):
    """A sample of a law of x and y with Gaussian errors."""
    names = NAMES[:2]
    rng = np.random.default_rng(seed)
    states = rng.uniform(0.5, 2.0, (count, 2))
    values = compile_field([truth], names)(states)[:, 0]
    return Sample(states, values + error * rng.standard_normal(count), np.full(count, error))


def trials_of(functions, error=1e-9, seed=0, outliers=0):
    """One trial a function of x, with Gaussian errors; outliers are off by 30 errors."""
    x, rng = np.linspace(0.5, 2.5, 40), np.random.default_rng(seed)
    values = np.stack([function(x) for function in functions])
    noise = rng.standard_normal(values.shape)
    noise[:, :outliers] = 30.0
    states = np.broadcast_to(x[None, :, None], (*values.shape, 1))
    errors = np.full(values.shape, error)
    sample = Sample(states, values + error * noise, errors)
    return make_controlled(["x"], sample, Agreement())
