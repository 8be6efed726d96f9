"""Controlled experiments as fits want them: K trials over free variables, the others held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import Agreement, deviation
from odevsr.fitting.covariance import value_and_jacobian
from odevsr.fitting.fit import (
    CAREFUL,
    Effort,
    Fitted,
    Trials,
    fit_programs,
    make_trials,
    start_multipliers,
)
from odevsr.fitting.program import Program, TooLargeError, compile_program
from odevsr.language.algebra.normal import is_invalid
from odevsr.language.expression import Expression
from odevsr.limits import FINEST, HOPELESS, VAGUE
from odevsr.world.sample import Sample


@dataclass(frozen=True)
class Setting:
    """What was held at which values, a row a trial, and which experiments that took.

    Experiments are counted from 0 as the file of measurements has them: from the first up to, but
    not including, the second number.
    """

    held: tuple[str, ...] = ()
    values: tuple[tuple[float, ...], ...] = ()
    experiments: tuple[int, int] = (0, 0)


NOTHING_HELD = Setting()
STARTS = start_multipliers(CAREFUL.starts, np.random.default_rng(0))
"""Where fits begin: the same in all of them, so that the same experiments have the same forms."""


@dataclass(frozen=True, eq=False)
class Controlled:
    """K trials over the free variables `names`, and what is common to all fits to them."""

    names: tuple[str, ...]
    trials: Trials
    agreement: Agreement
    setting: Setting
    starts: FloatArray

    @property
    def limit(self) -> float:
        """The greatest deviation of a trial that a form explains."""
        return self.agreement.limit(self.trials.targets.shape[1])

    @property
    def weights(self) -> FloatArray:
        """One over the errors (K, N)."""
        weights: FloatArray = self.trials.weights / self.trials.unit
        return weights

    def residuals(self, program: Program, constants: FloatArray) -> FloatArray:
        """Residuals (K, N) of a program with constants (K, m), in units of the errors."""
        pairs = zip(constants, self.trials.points, strict=True)
        rows = [value_and_jacobian(program, values, points)[0] for values, points in pairs]
        return (np.array(rows) - self.trials.targets) * self.weights

    def deviation(self, program: Program, constants: FloatArray) -> float:
        """The deviation of the worst trial."""
        return worst_deviation(self.residuals(program, constants))

    @property
    def losses_of_errors(self) -> FloatArray:
        """Losses (K,) that the errors alone would leave, if each residual were as large as one.

        Losses beside them cost nothing, and tell which fits are hopeless; what explains, the
        deviation tells.
        """
        trials = self.trials
        losses: FloatArray = trials.targets.shape[1] * trials.unit**2 / trials.variances()
        return losses


def worst_deviation(residuals: FloatArray) -> float:
    """The deviation of the worst trial, of residuals (K, N) in units of the errors."""
    return float(np.max(deviation(residuals)))


def make_controlled(
    names: Sequence[str],
    sample: Sample,
    agreement: Agreement,
    setting: Setting = NOTHING_HELD,
    starts: FloatArray = STARTS,
) -> Controlled | None:
    """Trials from a sample over the free variables, states (K, N, len(names)).

    Points that could not be measured keep their place with next to no weight; a trial that has
    lost half of its points is left out. None if no trial remains.
    """
    kept = np.mean(sample.usable, axis=1) > 0.5
    if not np.any(kept):
        return None
    sample = Sample(sample.states[kept], sample.values[kept], sample.errors[kept])
    usable, errors = sample.usable, sample.honest_errors
    values = np.where(usable, sample.values, 0.0)
    largest = np.max(errors[usable]) + np.max(np.abs(values))
    errors = np.where(usable, errors, largest / FINEST)
    rows = tuple(compress(setting.values, kept.tolist()))
    trials = make_trials(sample.states, values, errors)
    return Controlled(tuple(names), trials, agreement, replace(setting, values=rows), starts)


def fit_expressions(
    expressions: Sequence[Expression], controlled: Controlled, effort: Effort
) -> tuple[list[Expression], list[Program], Fitted]:
    """Fit those of the expressions that can be run at all."""
    runnable: list[Expression] = []
    programs: list[Program] = []
    for expression in expressions:
        if is_invalid(expression):
            continue
        try:
            programs.append(compile_program(expression, controlled.names))
        except TooLargeError:
            continue
        runnable.append(expression)
    effort = within_errors(effort, controlled)
    return runnable, programs, fit_programs(programs, controlled.trials, controlled.starts, effort)


def within_errors(effort: Effort, controlled: Controlled) -> Effort:
    """The effort for values that are no better than their errors.

    A fit is good enough well below what the errors leave, and no fit near that is hopeless.
    """
    left = controlled.losses_of_errors
    return replace(
        effort,
        good_enough=max(effort.good_enough, VAGUE * float(np.min(left))),
        hopeless=max(effort.hopeless, HOPELESS * float(np.max(left))),
    )
