"""How a discovered system moves by its own laws, in time or step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError, UsageError, nearest
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Expression, variables
from odevsr.world.systems.checks import TIME
from odevsr.world.trajectories.integrate import Bounds, Problem, integrate
from odevsr.world.trajectories.trajectory import Ending

Input = float | Callable[[float], float] | tuple[ArrayLike, ArrayLike]
"""What an input is set to: a value, a function of time, or its values at some times."""
Setting = float | Callable[[float], float]

RELATIVE, ABSOLUTE = 1e-10, 1e-12
"""Tolerances of the solver; the absolute one is of each variable's usual size."""
BOUNDS = Bounds(steps=1_000_000, seconds=60.0)
"""What a motion may take."""


def motion(
    laws: Mapping[str, Expression],
    names: Sequence[str],
    start: ArrayLike,
    times: ArrayLike,
    inputs: Mapping[str, Input],
    sizes: ArrayLike = 1.0,
) -> FloatArray:
    """States (len(times), laws) from `start` at times[0] on; time runs where laws hold it.

    `sizes` are those that the variables with a law usually have. Times may run backwards.
    """
    origin, instants = numbers(start, "a start"), numbers(times, "times")
    _check(laws, names, origin, inputs)
    _check_times(instants)
    duration = float(abs(instants[-1] - instants[0]))
    if duration == 0:
        return np.tile(origin, (len(instants), 1))
    field = compile_field(list(laws.values()), names)
    settings = {name: _setting(name, value, instants) for name, value in inputs.items()}
    direction = float(np.sign(instants[-1] - instants[0]))
    usual = np.append(np.maximum(np.broadcast_to(sizes, origin.shape), np.abs(origin)), duration)
    problem = Problem(
        field=_rate(field, list(laws), names, settings, direction),
        start=np.append(origin, instants[0]),
        duration=duration,
        relative=RELATIVE,
        absolute=ABSOLUTE * usual,
        size=usual,
        bounds=BOUNDS,
    )
    return _states_at(problem, direction * (instants - instants[0]))[:, :-1]


def iterated(
    laws: Mapping[str, Expression],
    names: Sequence[str],
    start: ArrayLike,
    steps: ArrayLike,
    inputs: Mapping[str, float],
) -> FloatArray:
    """States (len(steps), laws) at whole steps, in order, from `start` at steps[0]."""
    state, wanted = numbers(start, "start"), numbers(steps, "steps")
    if state.shape != (len(laws),):
        raise UsageError(f"a start is {len(laws)} numbers, one for each of {', '.join(laws)}")
    if wanted.ndim != 1 or not wanted.size or np.any(np.diff(wanted, prepend=wanted[0]) % 1):
        raise UsageError("a map goes by whole steps; give step numbers such as [0, 1, 2]")
    if np.any(np.diff(wanted) < 0):
        raise UsageError("a map does not run backwards; give step numbers in rising order")
    needed = set().union(*(variables(law) for law in laws.values())) - set(laws)
    if missing := sorted(needed - set(inputs)):
        raise UsageError(f"the laws need {', '.join(missing)}; give a number for each as inputs")
    field = compile_field(list(laws.values()), names)
    row = np.array([inputs.get(name, 0.0) for name in names])
    places = [names.index(name) for name in laws]
    found = []
    for count in np.diff(wanted, prepend=wanted[0]).astype(int).tolist():
        for _ in range(count):
            row[places] = state
            state = field(row[None])[0]
        found.append(state)
    return np.array(found)


def numbers(values: ArrayLike, what: str) -> FloatArray:
    """An array of numbers; `what` names it where it is none."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(
            f"{what} must be numbers in an array of one shape, not {values!r}"
        ) from None


def _states_at(problem: Problem, elapsed: FloatArray) -> FloatArray:
    """States (m, n + 1), the clock last, at times (m,) since the start."""
    from scipy.integrate import OdeSolution

    curve = integrate(problem)
    if curve.status is not Ending.COMPLETE:
        clock = problem.start[-1] + np.sign(problem.field(problem.start)[-1]) * curve.times[-1]
        raise SimulationError(
            f"the laws cannot be followed beyond time {clock:.6g}: {curve.status.sentence}; ask "
            "for times before that, or start elsewhere"
        )
    states: FloatArray = OdeSolution(curve.times, curve.pieces)(elapsed).T
    return states


def _setting(name: str, value: Input, times: FloatArray) -> Setting:
    """A number or function of time; samples, (times, values), have straight lines between them."""
    if callable(value):
        return value
    if isinstance(value, str) or not np.iterable(value):
        return float(numbers(value, f"the input {name}"))
    try:
        at, given = (numbers(each, f"the input {name}") for each in value)
    except ValueError:
        at = given = np.empty(0)
    if not (at.ndim == 1 and at.shape == given.shape and at.size and np.all(np.diff(at) > 0)):
        raise UsageError(
            f"the input {name} is a number, a function of time, or samples (times, values), two "
            "rows of the same length with times that grow"
        )
    if at[0] > times.min() or at[-1] < times.max():
        raise UsageError(
            f"the samples of {name} are from {at[0]:g} to {at[-1]:g}; give them for all times, "
            f"{times.min():g} to {times.max():g}"
        )
    return lambda time: float(np.interp(time, at, given))


def _rate(
    field: Field,
    moving: Sequence[str],
    names: Sequence[str],
    inputs: Mapping[str, Setting],
    direction: float,
) -> Field:
    """The rates of the moving variables and of the clock, which stands behind them."""
    order = {name: index for index, name in enumerate(names)}
    places = [order[name] for name in moving]
    settings: dict[int, Setting] = {order[name]: value for name, value in inputs.items()}
    if TIME in order:
        settings[order[TIME]] = lambda time: time

    def rate(state: FloatArray) -> FloatArray:
        everything = np.empty(len(names))
        everything[places] = state[:-1]
        for place, value in settings.items():
            everything[place] = value(state[-1]) if callable(value) else value
        return direction * np.append(field(everything), 1.0)

    return rate


def _check_times(times: FloatArray) -> None:
    steps = np.diff(times) if times.ndim == 1 else np.array([])
    ordered = np.all(steps >= 0) or np.all(steps <= 0)
    if times.ndim != 1 or not times.size or not (np.isfinite(times).all() and ordered):
        raise UsageError(
            f"times are a row of numbers in order, such as [0, 0.5, 1], not {times.tolist()}"
        )


def _check(
    laws: Mapping[str, Expression],
    names: Sequence[str],
    start: FloatArray,
    inputs: Mapping[str, Input],
) -> None:
    """Each variable has a law and a start, or is an input with a value."""
    settable = [name for name in names if name not in laws and name != TIME]
    for name in inputs:
        if name not in settable:
            raise UsageError(f"{name!r} is no input that can be set; {nearest(name, settable)}")
    for name in settable:
        if name not in inputs:
            raise UsageError(
                f"{name} has neither an equation nor a value; discover all components, and give "
                f"inputs their values: inputs={{{name!r}: 0.5}}"
            )
    if start.shape != (len(laws),) or not np.isfinite(start).all():
        raise UsageError(f"a start is a number for each of {', '.join(laws)}, not {start.tolist()}")
