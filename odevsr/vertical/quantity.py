"""What can be measured and wants a law: a derivative, or a summary constant of a law so far.

A summary constant is measured like a derivative, only at a higher price: set the variables it may
depend on, let the free ones vary, and fit the frozen form. It depends on fewer variables; that is
the vertical step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from odevsr.evidence.form import MOST_DEVIATION, deviations, make_problem, within_errors
from odevsr.evidence.signs import with_one_sign
from odevsr.fitting.covariance import standard_errors
from odevsr.fitting.fit import Effort, fit_programs
from odevsr.fitting.program import compile_program
from odevsr.language.expression import Expression
from odevsr.world.oracle import Oracle, mesh

FloatArray = NDArray[np.float64]
MOST_REMEMBERED = 64
EXPERIMENT_EFFORT = Effort(starts=16, probing=8, kept=3, most=60)


class Target(Protocol):
    """A number that depends on the variables `names`, which range over `box` (n, 2)."""

    @property
    def names(self) -> tuple[str, ...]:
        """Variables it may depend on."""
        ...

    @property
    def box(self) -> FloatArray:
        """Their ranges, (n, 2)."""
        ...

    def measure(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Values and errors (...) at states (..., n); an error of inf: could not be measured."""
        ...


@dataclass(frozen=True)
class DerivativeTarget:
    """The derivative an oracle measures, as a function of all state variables."""

    oracle: Oracle

    @property
    def names(self) -> tuple[str, ...]:
        """All state variables."""
        return self.oracle.names

    @property
    def box(self) -> FloatArray:
        """Ranges of the state variables."""
        return self.oracle.box

    def measure(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """One launch experiment at the states."""
        batch = self.oracle.measure(states)
        return batch.values, batch.errors


@dataclass(frozen=True)
class RestrictedTarget:
    """A target as a function of some of its variables, the others held at `base` (n,)."""

    whole: Target
    kept: tuple[int, ...]
    base: FloatArray = field(compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that are left."""
        return tuple(self.whole.names[index] for index in self.kept)

    @property
    def box(self) -> FloatArray:
        """Their ranges."""
        return self.whole.box[list(self.kept)]

    def measure(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The whole target with the other variables held."""
        full = np.broadcast_to(self.base, (*states.shape[:-1], len(self.base))).copy()
        full[..., list(self.kept)] = states
        return self.whole.measure(full)


@dataclass(frozen=True, eq=False)
class FormExperiment:
    """A frozen form in the free variables of a target; its open constants depend on the others.

    All constants come out of the same fit, so what was measured for one serves the others too.
    """

    whole: Target
    free: tuple[int, ...]
    expression: Expression
    starts: FloatArray
    seed: int
    effort: Effort = EXPERIMENT_EFFORT
    remembered: dict[bytes, tuple[FloatArray, FloatArray]] = field(default_factory=dict)

    @property
    def others(self) -> tuple[int, ...]:
        """Variables the constants may depend on."""
        return tuple(i for i in range(len(self.whole.names)) if i not in self.free)

    def constants(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Constants and errors (M, constants) at states (M, others)."""
        key = states.tobytes()
        if key not in self.remembered:
            if len(self.remembered) >= MOST_REMEMBERED:
                self.remembered.pop(next(iter(self.remembered)))
            self.remembered[key] = self._fitted(states)
        return self.remembered[key]

    def _fitted(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        names = [self.whole.names[i] for i in self.free]
        program = compile_program(self.expression, names)
        points = program.constants + max(program.constants // 2, 3)
        held = np.zeros((len(states), len(self.whole.names)))
        held[:, list(self.others)] = states
        full = mesh(self.whole.box, self.free, held, points, np.random.default_rng(self.seed))
        values, errors = self.whole.measure(full)
        constants = np.zeros((len(states), program.constants))
        uncertain = np.full(constants.shape, np.inf)
        rows = np.flatnonzero(np.all(np.isfinite(errors), axis=1))
        if rows.size:
            free = full[rows][..., list(self.free)]
            problem = make_problem(names, free, values[rows], errors[rows], self.starts)
            effort = within_errors(self.effort, problem)
            fitted = fit_programs([program], problem.trials, self.starts, effort)
            constants[rows] = with_one_sign(self.expression, fitted.constants[0])
            good = deviations(fitted.losses[0], problem) <= 10 * MOST_DEVIATION
            found = standard_errors(program, fitted.constants[0], problem.trials)
            uncertain[rows[good]] = found[good]
        return constants, uncertain


@dataclass(frozen=True, eq=False)
class SummaryTarget:
    """One open constant of a form experiment, as a function of the held variables."""

    experiment: FormExperiment
    index: int

    @property
    def names(self) -> tuple[str, ...]:
        """Variables the constant may depend on."""
        return tuple(self.experiment.whole.names[i] for i in self.experiment.others)

    @property
    def box(self) -> FloatArray:
        """Their ranges."""
        return self.experiment.whole.box[list(self.experiment.others)]

    def measure(self, states: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The constant's fitted value and its error."""
        flat = states.reshape(-1, states.shape[-1])
        constants, errors = self.experiment.constants(np.ascontiguousarray(flat))
        shape = states.shape[:-1]
        return constants[:, self.index].reshape(shape), errors[:, self.index].reshape(shape)


def uniform_states(box: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """Independent states (count, n), each anywhere in the box."""
    low, high = box.T
    states: FloatArray = low + (high - low) * rng.random((count, len(low)))
    return states


def trials_along(
    target: Target, free: Sequence[int], trials: int, points: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """States (K, N, n), values and errors (K, N) with the other variables held at random."""
    held = uniform_states(target.box, trials, rng)
    states = mesh(target.box, free, held, points, rng)
    values, errors = target.measure(states)
    return states, values, errors
