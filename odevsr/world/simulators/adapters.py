"""Functions that nearly are simulators, as they lie about: a right-hand side, a step of one state.

They are marked as simulators are, stay as they are for other uses, and take inputs by name:

    @odevsr.rhs(angle=(-3, 3), speed=(-5, 5), inputs={"torque": (-1, 1)})
    def pendulum(t, y, torque):
        return [y[1], torque - 9.81 * np.sin(y[0])]

    @odevsr.stepper(angle=(-3, 3), speed=(-5, 5))
    def step(state, dt):
        return engine.advance(state, dt)

A search never sees a right-hand side: it asks for rates at states that it chooses. Where states
must move, it is solved here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.language.evaluate import Field
from odevsr.world.box import box_of
from odevsr.world.ranges import RangeLike, Ranges
from odevsr.world.simulators.launch import field_launcher
from odevsr.world.simulators.simulator import CallForm, Limits, Simulator, marked, real_numbers
from odevsr.world.systems.checks import TIME

F = TypeVar("F", bound=Callable[..., object])

PROBES = 8
"""States at which is tried whether a right-hand side takes many at once, and what time does."""
SOME_TIME = 0.618
"""What depends on time differs there from what it is at 0."""
ASKED = 3
"""How often it must differ: now and then, a right-hand side answers wildly."""
AGREES = 1e-12
"""Rates computed together may differ so much, relative to the largest, from those alone."""


def rhs(
    unmarked: object = None, /, *, inputs: Limits | None = None, **variables: RangeLike
) -> Callable[[F], F]:
    """Mark a right-hand side, `rhs(t, y)` as ODE solvers take it: rates (n,) of one state (n,).

    Inputs come by name: `rhs(t, y, u)`. One that depends on time has the input `t`. It is asked for
    rates at many states at once where it takes them as columns, y (n, m), as arithmetic and numpy
    do by themselves.

    >>> @rhs(x=(0, 1), v=(-1, 1))
    ... def spring(t, y):
    ...     return [y[1], -4 * y[0]]
    >>> spring(0.0, [1.0, 2.0])
    [2.0, -4.0]
    """
    return marked(RHS, unmarked, inputs, variables)


def stepper(
    unmarked: object = None, /, *, inputs: Limits | None = None, **variables: RangeLike
) -> Callable[[F], F]:
    """Mark a function `step(state, dt)` that moves one state (n,) on by a time dt and returns it.

    Inputs come by name: `step(state, dt, u)`; the input `t` is the time at which it is called.

    >>> @stepper(x=(0, 1))
    ... def decay(state, dt):
    ...     return state * np.exp(-dt)
    """
    return marked(STEPPER, unmarked, inputs, variables)


def _solved(function: Simulator, variables: Ranges, inputs: Ranges) -> Simulator:
    """The simulator that follows a right-hand side."""
    rate = _Rate(function, len(variables), list(inputs))
    width = box_of((*variables.values(), *inputs.values())).width

    def simulate(states: FloatArray, steps: FloatArray, **values: FloatArray) -> FloatArray:
        starts = np.column_stack([states, *(values[name] for name in inputs)])
        launch = field_launcher(rate.field(starts), width)
        return launch(starts, steps)[:, : len(variables)]

    return simulate


def _asked(function: Simulator, variables: Ranges, inputs: Ranges) -> Simulator:
    """What a right-hand side says at rows (m, n) of its variables and inputs."""
    rate = _Rate(function, len(variables), list(inputs))

    def ask(rows: FloatArray, _steps: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return rate.field(rows)(rows)

    return ask


def _stepped(function: Simulator, variables: Ranges, inputs: Ranges) -> Simulator:
    """The simulator that steps one state after the other; nan where a step raises."""

    def simulate(states: FloatArray, steps: FloatArray, **values: FloatArray) -> FloatArray:
        def end(row: int) -> FloatArray:
            now = {name: float(values[name][row]) for name in inputs}
            moved = function(states[row].copy(), float(steps[row]), **now)
            return numbers(moved, len(variables), "state")

        return told(*each_row(end, len(states), len(variables)))

    return simulate


RHS = CallForm("rhs", (TIME, "y"), _solved, rates=_asked)
STEPPER = CallForm("stepper", ("state", "dt"), _stepped)


@dataclass(frozen=True)
class _Rate:
    """A right-hand side of `count` variables, over rows (m, n) whose last columns are inputs."""

    function: Simulator
    count: int
    inputs: Sequence[str]

    def one(self, row: FloatArray, time: float) -> FloatArray:
        """The rates (count,) of one state; `time` is that of who does not depend on it."""
        values = dict(zip(self.inputs, row[self.count :].tolist(), strict=True))
        given = self.function(values.pop(TIME, time), row[: self.count].copy(), **values)
        return numbers(given, self.count, "rate")

    def alone(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) by a call for each row; nan where it raises."""
        return self._with_inputs(self._at(rows, 0.0)[0])

    def together(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) by one call with states as columns."""
        values = dict(zip(self.inputs, rows.T[self.count :].copy(), strict=True))
        given = self.function(values.pop(TIME, 0.0), rows.T[: self.count].copy(), **values)
        return self._with_inputs(spread_rows(given, len(rows)))

    def tried(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) as `alone`; what all of them raise is raised, and so is what is no rate."""
        rates = told(*self._at(rows, 0.0))
        if TIME not in self.inputs:
            self._refuse_time(rows, rates)
        return self._with_inputs(rates)

    def _refuse_time(self, rows: FloatArray, rates: FloatArray) -> None:
        """Refuse rates that are others at another time, each time they are asked for."""
        for _ in range(ASKED):
            later = self._at(rows, SOME_TIME)[0]
            other = np.any((later != rates) & ~(np.isnan(later) & np.isnan(rates)), axis=1)
            rows, rates = rows[other], rates[other]
        if len(rows) and np.array_equal(rates, self._at(rows, 0.0)[0], equal_nan=True):
            raise SimulationError(
                "the right-hand side depends on t, which is no input of it; add the range of "
                "times to launch at: inputs={'t': (low, high)}"
            )

    def _at(self, rows: FloatArray, time: float) -> tuple[FloatArray, Exception | None]:
        return each_row(lambda row: self.one(rows[row], time), len(rows), self.count)

    def field(self, rows: FloatArray) -> Field:
        """All rates by one call, if some of the rows come out the same so as alone; else alone."""
        probes = rows[np.unique(np.linspace(0, len(rows) - 1, PROBES).astype(int))]
        many = same_together(self.together, probes, self.tried(probes))
        return self.together if many else self.alone

    def _with_inputs(self, rates: FloatArray) -> FloatArray:
        """The rates of all columns: inputs stay as they are set, but for time, which runs."""
        others = [np.full(len(rates), float(name == TIME)) for name in self.inputs]
        return np.column_stack([rates, *others])


def same_together(
    together: Callable[[FloatArray], FloatArray], rows: FloatArray, alone: FloatArray
) -> bool:
    """True if what was computed alone for each row is the same when computed in one call."""
    if len(rows) == 1:
        return False
    try:
        found = together(rows)
    except Exception:  # the function is not ours, and need not take more than one state
        return False
    size = np.max(np.abs(np.nan_to_num(alone)))
    return found.shape == alone.shape and np.allclose(
        found, alone, rtol=AGREES, atol=AGREES * size, equal_nan=True
    )


def spread_rows(given: Iterable[object], count: int) -> FloatArray:
    """Columns of numbers, each one number or (count,), as rows (count, columns)."""
    columns = [np.broadcast_to(real_numbers(each, "numbers"), count) for each in given]
    return np.column_stack(columns)


def each_row(
    compute: Callable[[int], FloatArray], count: int, width: int
) -> tuple[FloatArray, Exception | None]:
    """What is computed for each row, (count, width), nan where that raises; what one raised."""
    found = np.full((count, width), np.nan)
    raised = None
    for row in range(count):
        try:
            found[row] = compute(row)
        except SimulationError:
            raise
        except Exception as error:  # the function is not ours, so anything may come out of it
            raised = error
    return found, raised


def told(found: FloatArray, raised: Exception | None) -> FloatArray:
    """What was found; if that is nothing, what was raised."""
    if raised is not None and np.isnan(found).all():
        raise raised
    return found


def numbers(values: object, count: int, what: str) -> FloatArray:
    """What a call for one state gave, as numbers (count,); `what` that is, for the refusal."""
    array = np.atleast_1d(real_numbers(values, f"{count} numbers"))
    if array.shape != (count,):
        raise SimulationError(
            f"the {what} that the function returned has the shape {array.shape}; it must return "
            f"{count} numbers, one for each variable"
        )
    return array
