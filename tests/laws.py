"""Laws as Python functions behind the faces that a search knows: targets, oracles, benches."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from odevsr.search.proposers import Proposers

from odevsr.fitting.fit import start_multipliers
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Number, rebuild, walk
from odevsr.language.parse import parse
from odevsr.settings import Settings
from odevsr.vertical.rounds import Bench, Sizes
from odevsr.world.oracle import Batch, Cost, random_states

NAMES = ("x", "y", "z")


@dataclass(eq=False)
class FunctionTarget:
    """A target that knows its function; `error` is both claimed and made."""

    function: Callable[..., np.ndarray]
    box: np.ndarray = field(default_factory=lambda: np.array([[0.5, 2.5], [-1.0, 2.0]]))
    error: float = 1e-10
    measured: int = 0

    @property
    def names(self):
        return NAMES[: len(self.box)]

    def measure(self, states):
        values = np.zeros(states.shape[:-1]) + self.function(*np.moveaxis(states, -1, 0))
        noise = np.random.default_rng(self.measured).standard_normal(values.shape)
        self.measured += values.size
        return values + self.error * noise, np.full(values.shape, self.error)


class FunctionOracle:
    """An oracle for the derivative of x, which is the function."""

    component = 0
    is_noisy = False

    def __init__(self, function, box=((0.5, 2.5), (-1.0, 2.0)), error=1e-10):
        self._target = FunctionTarget(function, np.array(box), error)
        self.names, self.box = self._target.names, self._target.box
        self.cost = Cost()

    def measure(self, states):
        values, errors = self._target.measure(states)
        self.cost += Cost(experiments=1, states=values.size)
        return Batch(states, values, errors)


def make_bench(settings=None, seed=0, *, check_budget=lambda: None, on_epoch=lambda epoch: None):
    """A bench as an equation has it."""
    rng = np.random.default_rng(seed)
    settings = settings or Settings()
    return Bench(
        proposers=Proposers(settings, (), rng),
        starts=start_multipliers(16, np.random.default_rng(0)),
        rng=rng,
        check_budget=check_budget,
        on_epoch=on_epoch,
        sizes=Sizes(settings.trials, settings.points, 2 * settings.points, checks=80),
    )


def law(text, names=NAMES):
    """An expression; its decimals are floats, as if fitted."""
    exact = parse(text, names)
    numbers = [node.value for node in walk(exact) if isinstance(node, Number)]
    fitted = [Number(value if isinstance(value, int) else float(value)) for value in numbers]
    return rebuild(exact, iter(fitted), Number)


def form(text, names=NAMES):
    """An expression with open constants, written C."""
    return parse(text, names, open_symbols=True)


def error_of(expression, target, count=200, seed=77):
    """Root mean square error of an expression at fresh states, relative to the target's size."""
    states = random_states(target.box, count, np.random.default_rng(seed))
    truth = np.zeros(count) + target.function(*states.T)
    found = compile_field([expression], target.names)(states)[:, 0]
    return np.sqrt(np.mean((found - truth) ** 2) / np.mean(truth**2))
