"""Quantities that want a law: a derivative, or a summary constant of a law so far.

A summary constant is measured like a derivative, only at a higher price: set the variables it may
depend on, let the free ones vary, and fit the frozen form. It depends on fewer variables; that is
the vertical step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import Agreement, deviation
from odevsr.evidence.controlled import fit_expressions, make_controlled
from odevsr.evidence.signs import with_one_sign
from odevsr.fitting.covariance import standard_errors
from odevsr.fitting.fit import EVERY_TRIAL
from odevsr.language.expression import Constant, Expression, count
from odevsr.limits import SPARE, SURELY
from odevsr.vertical.asking.design import Design, Draw
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import mesh
from odevsr.world.sample import Sample

MOST_REMEMBERED = 64
"""Sets of states whose values are kept, those of one round and of the checks after it: if all are,
the same laws of the registered systems are found; it bounds memory."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class Quantity(Protocol):
    """A number that depends on the variables `names`, which range over `box`.

    What an oracle measures is one, as a function of all state variables.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Variables it may depend on."""
        ...

    @property
    def box(self) -> Box:
        """Their ranges."""
        ...

    def measure(self, states: FloatArray) -> Sample:
        """Its values and errors at states (..., n)."""
        ...


@dataclass(frozen=True, eq=False)
class SameVariables:
    """What is made of a quantity and depends on the same variables."""

    whole: Quantity

    @property
    def names(self) -> tuple[str, ...]:
        """As before."""
        return self.whole.names

    @property
    def box(self) -> Box:
        """As before."""
        return self.whole.box


@dataclass(frozen=True, eq=False)
class Remembered(SameVariables):
    """A quantity that is measured only once at the same states."""

    seen: dict[tuple[tuple[int, ...], bytes], Sample] = field(default_factory=dict)

    def measure(self, states: FloatArray) -> Sample:
        """What was measured, or is now."""
        key = states.shape, states.tobytes()
        return _remembered(self.seen, key, lambda: self.whole.measure(states))


@dataclass(frozen=True, eq=False)
class OfSomeVariables:
    """A quantity as a function of some of its variables, those that are kept."""

    whole: Quantity
    kept: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that are left."""
        return tuple(self.whole.names[index] for index in self.kept)

    @property
    def box(self) -> Box:
        """Their ranges."""
        return self.whole.box.part(self.kept)


@dataclass(frozen=True, eq=False)
class Held(OfSomeVariables):
    """The same where the others are held at `base` (n,)."""

    base: FloatArray

    def measure(self, states: FloatArray) -> Sample:
        """The whole quantity with the other variables held."""
        full = np.broadcast_to(self.base, (*states.shape[:-1], len(self.base))).copy()
        full[..., list(self.kept)] = states
        return replace(self.whole.measure(full), states=states)


@dataclass(frozen=True, eq=False)
class FormExperiment:
    """A frozen form in the free variables of a quantity; its open constants depend on the others.

    All constants come out of the same fit, so what was measured for one serves the others too.
    """

    whole: Quantity
    free: tuple[int, ...]
    expression: Expression
    agreement: Agreement
    design: Design
    remembered: dict[bytes, tuple[FloatArray, FloatArray]] = field(default_factory=dict)

    @property
    def others(self) -> tuple[int, ...]:
        """Variables the constants may depend on."""
        return tuple(i for i in range(len(self.whole.names)) if i not in self.free)

    def summary(self, index: int) -> SummaryConstant:
        """The constant at this place of the form."""
        return SummaryConstant(self.whole, self.others, self, index)

    def constants(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Constants and errors (M, constants) at states (M, others)."""
        return _remembered(self.remembered, states.tobytes(), lambda: self._fitted(states))

    def _fitted(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        names = [self.whole.names[i] for i in self.free]
        unknown = count(self.expression, Constant)
        points = unknown + max(unknown // 2, SPARE)
        held = np.zeros((len(states), len(self.whole.names)))
        held[:, list(self.others)] = states
        full = mesh(self.whole.box, self.free, held, points, self.design.rng(Draw.FITS))
        sample = self.whole.measure(full)
        constants = np.zeros((len(states), unknown))
        uncertain = np.full(constants.shape, np.inf)
        rows = np.flatnonzero(np.all(sample.usable, axis=1))
        met = sample.states[rows][..., list(self.free)]
        chosen = Sample(met, sample.values[rows], sample.errors[rows])
        controlled = make_controlled(names, chosen, self.agreement)
        if controlled is not None:
            _, (program,), fitted = fit_expressions([self.expression], controlled, EVERY_TRIAL)
            (found,) = fitted.constants
            constants[rows] = with_one_sign(self.expression, found)
            left = deviation(controlled.residuals(program, found))
            good = left <= SURELY * controlled.limit
            uncertain[rows[good]] = standard_errors(program, found, controlled.trials)[good]
        return constants, uncertain


@dataclass(frozen=True, eq=False)
class SummaryConstant(OfSomeVariables):
    """One open constant of a form experiment, as a function of the held variables."""

    experiment: FormExperiment
    index: int

    def measure(self, states: FloatArray) -> Sample:
        """The constant's fitted value and its error."""
        flat = states.reshape(-1, states.shape[-1])
        constants, errors = self.experiment.constants(np.ascontiguousarray(flat))
        values, errors = (
            each[:, self.index].reshape(states.shape[:-1]) for each in (constants, errors)
        )
        return Sample(states, values, errors)


def _remembered(memory: dict[Key, Value], key: Key, make: Callable[[], Value]) -> Value:
    """What is remembered by a key, or made now; the oldest is forgotten where there is too much."""
    if key not in memory:
        if len(memory) >= MOST_REMEMBERED:
            memory.pop(next(iter(memory)))
        memory[key] = make()
    return memory[key]
