"""Fits remembered by normal form, so that what was proposed before costs a look-up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from odevsr.fitting.fit import Effort, Failure, fit_programs
from odevsr.fitting.program import Program, TooLargeError, compile_program
from odevsr.fitting.trials import Trials
from odevsr.language.expression import Constant, Expression, count
from odevsr.language.normal import is_invalid

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fit:
    """One normal form fitted to K trials: losses (K,), constants (K, m) in preorder."""

    expression: Expression
    losses: FloatArray
    constants: FloatArray
    deficient: bool
    failure: Failure


class FitCache:
    """Fits to one set of trials; of more than `most`, those not asked for longest are forgotten."""

    def __init__(
        self,
        names: Sequence[str],
        trials: Trials,
        starts: FloatArray,
        effort: Effort,
        *,
        most: int = 50_000,
        threads: Executor | None = None,
    ) -> None:
        self._names = tuple(names)
        self._trials = trials
        self._starts = starts
        self._effort = effort
        self._threads = threads
        self._most = most
        self._fits: OrderedDict[Expression, Fit] = OrderedDict()

    def __len__(self) -> int:
        return len(self._fits)

    def fit(self, expressions: Sequence[Expression]) -> list[Fit]:
        """The fits of normal forms, in their order; each distinct new one is fitted once."""
        new = [
            expression for expression in dict.fromkeys(expressions) if expression not in self._fits
        ]
        self._fits.update((fit.expression, fit) for fit in self._fitted(new))
        found = [self._fits[expression] for expression in expressions]
        for expression in expressions:
            self._fits.move_to_end(expression)
        while len(self._fits) > self._most:
            self._fits.popitem(last=False)
        return found

    def _fitted(self, expressions: Sequence[Expression]) -> list[Fit]:
        programs: dict[Expression, Program] = {}
        fits: list[Fit] = []
        for expression in expressions:
            try:
                if is_invalid(expression):
                    fits.append(self._failed(expression, Failure.INVALID))
                else:
                    programs[expression] = compile_program(expression, self._names)
            except TooLargeError:
                fits.append(self._failed(expression, Failure.TOO_LARGE))
        fitted = fit_programs(
            list(programs.values()), self._trials, self._starts, self._effort, self._threads
        )
        fits.extend(
            Fit(
                expression,
                fitted.losses[index].copy(),
                fitted.constants[index],
                bool(fitted.deficient[index]),
                fitted.failures[index],
            )
            for index, expression in enumerate(programs)
        )
        return fits

    def _failed(self, expression: Expression, failure: Failure) -> Fit:
        trials = len(self._trials.targets)
        constants = np.full((trials, count(expression, Constant)), np.nan)
        return Fit(expression, np.full(trials, np.nan), constants, False, failure)
