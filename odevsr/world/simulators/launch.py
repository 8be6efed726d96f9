"""Many short launches at once: the state a little later (or earlier) for thousands of starts.

Each launch is a Runge-Kutta step of order 8 (Dormand and Prince; see Hairer, Norsett and Wanner,
Solving Ordinary Differential Equations I), done whole and as two halves. Where the two differ, and
only there, shorter sub-steps follow. The method's embedded estimate is cheaper, but it vanishes by
chance for a few launches in ten thousand, which then are wrong in the eleventh digit.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import FloatArray
from odevsr.errors import UsageError
from odevsr.language.evaluate import Field, compile_field
from odevsr.world.systems.registry import AnySystem, get_system

TOLERANCE = 1e-12
"""Difference between a step and its two halves, relative to each variable's size (at least 1 % of
its range); the halves, which count, are some 250 times closer."""
NUMBERS_AT_ONCE = 12_288
"""Launches times variables computed together: few enough for their stages to stay in the
processor's cache. Of 60 variables, 1,024 launches at once take twice as long, each, as 256."""
FEWEST_AT_ONCE, MANY_AT_ONCE = 128, 800
"""If that were fewer launches than the first of these, Python would take longer than the processor,
and so many are computed together that it does not: of 1,000 variables, a seventh of the time."""
MOST_SUBSTEPS = 1000
SHORTEST_SUBSTEP = 1e-6
"""As a fraction of the whole step; what needs a shorter one has met a singularity."""


class Launch(Protocol):
    """What an experimenter may ask of a system, and all of it.

    That of a function, a map, or what tells rates itself gives these, whatever the step.
    """

    def __call__(self, states: FloatArray, step: float | FloatArray) -> FloatArray:
        """States (m, n) a time `step` later, which is one number or (m,), negative for earlier.

        A launch that blows up, leaves the equations' domain, or is too long for short steps comes
        back as a row of nan; the other rows are not touched by it. Callers test for finiteness.
        """
        ...


def make_launcher(system: AnySystem) -> Launch:
    """A launcher of a system, which may be given by name or path, accurate to 1e-12 relative.

    That of a function or a map gives values or next states, whatever the step.

    >>> launch = make_launcher("lorenz")
    >>> launch(np.array([[0.0, 0.0, 30.0]]), 0.1).round(3).tolist()
    [[0.0, 0.0, 22.978]]
    """
    system = get_system(system)
    field = compile_field(system.closed_equations(), system.names)
    return field_launcher(field, system.box.width) if system.kind.moves else telling(field)


def telling(field: Field) -> Launch:
    """A launcher that gives what the field says at the states, (m, n), whatever the step."""

    def told(states: FloatArray, step: float | FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return field(np.asarray(states, dtype=np.float64))

    return told


def field_launcher(field: Field, width: FloatArray) -> Launch:
    """A launcher that follows a field whose variables range over `width` (n,)."""
    smallest_size = 0.01 * width

    def launch(states: FloatArray, step: float | FloatArray) -> FloatArray:
        starts, steps = _checked(states, step, len(smallest_size))
        ends = np.empty_like(starts)
        at_once = NUMBERS_AT_ONCE // len(smallest_size)
        at_once = at_once if at_once >= FEWEST_AT_ONCE else MANY_AT_ONCE
        with np.errstate(all="ignore"):
            for first in range(0, len(starts), at_once):
                rows = slice(first, first + at_once)
                ends[rows] = _advance(field, starts[rows], steps[rows], smallest_size)
        return ends

    return launch


def _checked(states: ArrayLike, step: ArrayLike, dimension: int) -> tuple[FloatArray, FloatArray]:
    starts = np.asarray(states, dtype=np.float64)
    if starts.ndim != 2 or starts.shape[1] != dimension:
        raise UsageError(
            f"states of shape {starts.shape} cannot be launched; give (launches, {dimension})"
        )
    steps = np.asarray(step, dtype=np.float64)
    if steps.shape not in ((), (len(starts),)) or not np.all(np.isfinite(steps)):
        raise UsageError("a launch's step is one finite number, or one for each launch")
    return starts, np.broadcast_to(steps, len(starts))


def _advance(
    field: Field, starts: FloatArray, steps: FloatArray, smallest_size: FloatArray
) -> FloatArray:
    """The states after each launch's own step; sub-steps only where the error asks for them.

    What has been moved is summed apart from where it started, so that rounding does not grow with
    the number of sub-steps.
    """
    moved = np.zeros_like(starts)
    remaining = steps.copy()
    trial = steps.copy()
    active = np.flatnonzero(steps)
    for _ in range(MOST_SUBSTEPS):
        if not active.size:
            break
        length = trial[active]
        increment, error = _substep(field, starts[active] + moved[active], length, smallest_size)
        accepted = error <= 1
        moved[active[accepted]] += increment[accepted]
        remaining[active[accepted]] -= length[accepted]
        trial[active] = _next_length(length * _growth(error), remaining[active])
        active = active[np.abs(trial[active]) > SHORTEST_SUBSTEP * np.abs(steps[active])]
    moved[remaining != 0] = np.nan
    return starts + moved


def _substep(
    field: Field, states: FloatArray, length: FloatArray, smallest_size: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One step of every row as two halves: increment (m, n), and error in tolerances (m,)."""
    rates = field(states)
    whole = _increment(field, states, length, rates)
    first = _increment(field, states, length / 2, rates)
    halves = first + _increment(field, states + first, length / 2, field(states + first))
    size = np.maximum(np.maximum(np.abs(states), np.abs(states + halves)), smallest_size)
    return halves, np.max(np.abs(halves - whole) / (TOLERANCE * size), axis=1)


def _increment(
    field: Field, states: FloatArray, length: FloatArray, rates: FloatArray
) -> FloatArray:
    """What a Runge-Kutta step of each row's own length, begun at its rates, adds to it: (m, n)."""
    from scipy.integrate import DOP853

    stages = np.empty((DOP853.n_stages, *states.shape))
    stages[0] = rates
    for stage in range(1, DOP853.n_stages):
        so_far = _combine(DOP853.A[stage, :stage], stages[:stage])
        stages[stage] = field(states + length[:, None] * so_far)
    return length[:, None] * _combine(DOP853.B, stages)


def _combine(weights: FloatArray, stages: FloatArray) -> FloatArray:
    """The weighted sum over the first axis, as one matrix product."""
    flat: FloatArray = weights @ stages.reshape(len(stages), -1)
    return flat.reshape(stages.shape[1:])


def _growth(error: FloatArray) -> FloatArray:
    """By how much the next sub-step may differ, as usual for an order of 8; nan shortens most."""
    return np.nan_to_num(np.clip(0.9 * error ** (-1 / 8), 0.2, 5.0), nan=0.2)


def _next_length(proposed: FloatArray, remaining: FloatArray) -> FloatArray:
    """The proposed sub-step, but not beyond the end."""
    return np.where(np.abs(proposed) < np.abs(remaining), proposed, remaining)
