"""A system's trajectories: adaptive, to tight tolerances, sampled at even times."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import FloatArray
from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.world.box import Box
from odevsr.world.systems.registry import AnySystem, get_system
from odevsr.world.systems.system import System
from odevsr.world.trajectories.differences import differentiate
from odevsr.world.trajectories.integrate import Bounds, Curve, Event, Problem, integrate
from odevsr.world.trajectories.trajectory import Crossings, Tolerances, Trajectory

MOST_SAMPLES = 10_000_000


def simulate(
    system: AnySystem,
    *,
    start: ArrayLike | None = None,
    duration: float | None = None,
    step: float | None = None,
    events: Sequence[Event] = (),
    margin: float | None = None,
    tolerances: Tolerances | None = None,
    bounds: Bounds | None = None,
) -> Trajectory:
    """One trajectory from `start` (n,), sampled every `step` for `duration`.

    The system may be given by name or path; what else is not given is its own. Each event is a
    function of (time, state) whose zeros are reported in `crossings`. With a `margin`, the
    trajectory ends where a variable leaves its range by more than this fraction of the range's
    width. A trajectory that cannot go on, or takes more steps or CPU seconds than `bounds` allow,
    ends with a status that says why, and the time.

    >>> trajectory = simulate("lorenz", duration=1.0, step=0.25)
    >>> trajectory.status.sentence, trajectory.states.shape
    ('ran to the end of its duration', (5, 3))
    """
    system = get_system(system)
    duration = system.simulation.duration if duration is None else duration
    step = system.simulation.step if step is None else step
    origin = system.start if start is None else _numbers(start, system)
    _check(system, origin, duration, step)
    problem = _problem(system, origin, duration, tolerances or Tolerances(), margin)
    problem = replace(problem, events=events, bounds=bounds or Bounds())
    return _sampled(integrate(problem), origin, step)


def simulate_many(
    system: AnySystem,
    count: int,
    rng: np.random.Generator,
    *,
    duration: float | None = None,
    step: float | None = None,
    margin: float | None = None,
    tolerances: Tolerances | None = None,
) -> tuple[Trajectory, ...]:
    """Trajectories from the system's own start and from count - 1 random ones in its ranges.

    These are spread evenly, in the logarithm where a range has a log scale. A larger count begins
    with the same trajectories. The options are those of `simulate`.
    """
    if count < 1:
        raise UsageError(f"{count} trajectories cannot be simulated; ask for at least one")
    system = get_system(system)
    starts = _random_starts(system.box, count - 1, rng)
    return tuple(
        simulate(
            system, start=start, duration=duration, step=step, margin=margin, tolerances=tolerances
        )
        for start in (system.start, *starts)
    )


def _random_starts(box: Box, count: int, rng: np.random.Generator) -> FloatArray:
    """States (count, n); on log scales of 12 digits, since logarithms end as machines like."""
    starts = rng.uniform(box.low, box.high, (count, len(box)))
    for variable in np.flatnonzero(box.is_log).tolist():
        share = (starts[:, variable] - box.low[variable]) / box.width[variable]
        starts[:, variable] = [float(f"{each:.12g}") for each in box.along(variable, share)]
    return starts


def _numbers(start: ArrayLike, system: System) -> FloatArray:
    try:
        return np.asarray(start, dtype=np.float64)
    except (TypeError, ValueError):
        names = ", ".join(system.names)
        raise UsageError(
            f"a start of {system.name} is numbers for {names}, not {start!r}"
        ) from None


def _check(system: System, start: FloatArray, duration: float, step: float) -> None:
    dimension = len(system.names)
    if not system.kind.moves:
        raise UsageError(f"{system.name} has no motion in time to simulate; discover its laws")
    if start.shape != (dimension,) or not np.isfinite(start).all():
        raise UsageError(f"a start of {system.name} is {dimension} finite numbers, not {start}")
    if not (math.isfinite(duration) and 0 < step <= duration):
        raise UsageError(
            f"step {step:g} and duration {duration:g} give no trajectory; "
            "choose a step above 0 and at most the duration"
        )
    if duration / step >= MOST_SAMPLES:
        raise UsageError(
            f"step {step:g} and duration {duration:g} give {duration / step:,.0f} samples; "
            f"fewer than {MOST_SAMPLES:,} are kept: choose a longer step"
        )


def _problem(
    system: System,
    start: FloatArray,
    duration: float,
    tolerances: Tolerances,
    margin: float | None,
) -> Problem:
    limits, width = system.box.limits, system.box.width
    return Problem(
        field=compile_field(system.closed_equations(), system.names),
        start=start,
        duration=duration,
        relative=tolerances.relative,
        absolute=tolerances.absolute * width,
        size=np.maximum(np.abs(limits).max(axis=1), np.abs(start)),
        limits=None if margin is None else limits + margin * np.outer(width, [-1.0, 1.0]),
    )


def _sampled(curve: Curve, start: FloatArray, step: float) -> Trajectory:
    """The curve at 0, step, 2 step, ... up to its end, with the continuous curve beside it."""
    end = curve.times[-1]
    # A duration of ten steps has eleven samples, however the division rounds.
    count = math.floor(end / step * (1 + 1e-12)) + 1
    time = np.minimum(step * np.arange(count), end)
    continuous = _continuous(curve, start)
    states = continuous(time)
    return Trajectory(
        time=time,
        states=states,
        derivatives=differentiate(states, step),
        status=curve.status,
        end_time=end,
        crossings=tuple(_crossings(roots, continuous, len(start)) for roots in curve.roots),
        continuous=continuous,
    )


def _continuous(curve: Curve, start: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """States (k, n) at times (k,)."""
    from scipy.integrate import OdeSolution

    if not curve.pieces:
        return lambda times: np.tile(start, (len(times), 1))
    solution = OdeSolution(curve.times, curve.pieces)
    return lambda times: np.ascontiguousarray(solution(times).T)


def _crossings(
    roots: Sequence[float], continuous: Callable[[FloatArray], FloatArray], dimension: int
) -> Crossings:
    times = np.array(roots)
    states = continuous(times) if len(times) else np.empty((0, dimension))
    return Crossings(time=times, states=states)
