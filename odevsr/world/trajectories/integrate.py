"""One solution curve, step by step, from its start to its end or to what stops it.

An explicit method of order 8 (DOP853) goes first; where it finds the equations stiff, LSODA, which
has implicit formulas, takes over. Nothing here warns or returns nan: whatever stops the curve
before its end is told as a Ending with the time it happened. Steps and CPU seconds are bounded, so
that there is an end whatever the equations are.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import Field
from odevsr.world.trajectories.trajectory import Ending

Event = Callable[[float, FloatArray], float]
Piece = Callable[[float], FloatArray]

SOLVER = "DOP853, LSODA once stiff"
HUGE = 1e12
"""A state this many times larger than its range has blown up."""
FAST = 1e4
"""A solver that stops while the state moves this many times its range in the duration: blown up."""
STIFF = 6.1
"""Step times Jacobian at which DOP853 is limited by stability (Hairer and Wanner, IV.2)."""
STIFF_STEPS, CALM_STEPS = 15, 6
"""So many stiff steps change the solver, unless so many others in a row come between them."""
PATIENCE = 10
"""After LSODA has failed it takes so many times more of them until it is tried again."""
EVENT_PROBES = 4
"""Places in each step at which events are tested for a change of sign."""


@dataclass(frozen=True)
class Bounds:
    """What a curve may take; one that takes more is given up."""

    steps: int = 1_000_000
    seconds: float = 120.0
    """Of CPU time; steps stop most curves before, at the same place on every machine."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What to integrate, and how closely: `size` (n,) is how large each variable usually is."""

    field: Field
    start: FloatArray
    duration: float
    relative: float
    absolute: FloatArray
    size: FloatArray
    limits: FloatArray | None = None
    """Where to stop, for each variable: (n, 2)."""
    events: Sequence[Event] = ()
    bounds: Bounds = Bounds()
    watch: Watch | None = None
    """Asked after each step; what it answers ends the curve."""


Watch = Callable[["Curve"], Ending | None]


@dataclass(eq=False)
class Curve:
    """A solution while it grows: the times between pieces, the pieces, roots of each event."""

    times: list[float]
    roots: list[list[float]]
    pieces: list[Piece] = field(default_factory=list)
    status: Ending = Ending.STALLED


@dataclass
class _Rate:
    """The field as solvers call it, which remembers whether it was undefined in this step."""

    field: Field
    undefined: bool = False

    def __call__(self, _time: float, state: FloatArray) -> FloatArray:
        rate = self.field(state)
        if not np.isfinite(rate).all():
            self.undefined = True
        return rate


def integrate(problem: Problem) -> Curve:
    """The curve from time 0 on, with the status it ended with; its last time is its end."""
    curve = Curve(times=[0.0], roots=[[] for _ in problem.events])
    rate = _Rate(problem.field)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="scipy")  # LSODA's own way to say it failed
        if not np.isfinite(rate(0.0, problem.start)).all():
            curve.status = Ending.LEFT_DOMAIN
        elif problem.limits is not None and _depth(problem.start, problem.limits) < 0:
            curve.status = Ending.LEFT_BOX
        else:
            curve.status = _grow(problem, rate, curve)
    return curve


def _grow(problem: Problem, rate: _Rate, curve: Curve) -> Ending:
    """Add steps to the curve until something ends it."""
    solver = _explicit(problem, rate, 0.0, problem.start)
    stiff_steps, calm_steps, enough = 0, 0, STIFF_STEPS
    latest = time.process_time() + problem.bounds.seconds
    for _ in range(problem.bounds.steps):
        if time.process_time() > latest:
            break
        rate.undefined = False
        now, state = solver.t, solver.y
        solver.step()
        piece = _finite_piece(solver)
        if piece is None and _is_explicit(solver):
            return _why_stopped(problem, rate, state)
        if piece is None:
            # LSODA does not creep up to the edge of a domain; DOP853 does.
            solver, enough = _explicit(problem, rate, now, state), PATIENCE * enough
            stiff_steps = 0
            continue
        if status := _append(problem, curve, piece, solver):
            return status
        if _is_explicit(solver):
            stiff_steps, calm_steps = _counted(_looks_stiff(solver), stiff_steps, calm_steps)
            if stiff_steps == enough:
                solver = _implicit(problem, rate, solver)
    return Ending.GIVEN_UP


def _explicit(problem: Problem, rate: _Rate, time: float, state: FloatArray) -> Any:  # noqa: ANN401
    from scipy.integrate import DOP853

    end, relative, absolute = problem.duration, problem.relative, problem.absolute
    return DOP853(rate, time, state, end, rtol=relative, atol=absolute)


def _implicit(problem: Problem, rate: _Rate, explicit: Any) -> Any:  # noqa: ANN401
    """LSODA from where the explicit solver stands, beginning with its step: its own may be long."""
    from scipy.integrate import LSODA

    end, relative, absolute = problem.duration, problem.relative, problem.absolute
    first = min(explicit.h_previous, end - explicit.t)
    return LSODA(rate, explicit.t, explicit.y, end, first_step=first, rtol=relative, atol=absolute)


def _is_explicit(solver: Any) -> bool:  # noqa: ANN401
    return hasattr(solver, "K")


def _finite_piece(solver: Any) -> Piece | None:  # noqa: ANN401
    """The curve over the last step, or None if it failed, led nowhere, or left finite numbers."""
    if solver.status == "failed" or solver.t <= solver.t_old or not np.isfinite(solver.y).all():
        return None
    piece: Piece = solver.dense_output()
    middle = piece(0.5 * (solver.t_old + solver.t))
    return piece if np.isfinite(middle).all() else None


def _looks_stiff(solver: Any) -> bool:  # noqa: ANN401
    """Whether stability, not accuracy, limited the last step; the estimate of Hairer's DOP853.

    The last two stages stand at the same time, so the ratio of their rates' and their states'
    differences is close to the largest eigenvalue of the Jacobian.
    """
    last = solver.n_stages - 1
    stage = solver.y_old + solver.h_previous * (solver.A[last, :last] @ solver.K[:last])
    apart = np.linalg.norm(solver.y - stage)
    change = solver.h_previous * np.linalg.norm(solver.f - solver.K[last])
    return bool(change > STIFF * apart > 0)


def _counted(stiff: bool, stiff_steps: int, calm_steps: int) -> tuple[int, int]:
    if stiff:
        return stiff_steps + 1, 0
    return (0, 0) if calm_steps + 1 == CALM_STEPS else (stiff_steps, calm_steps + 1)


def _append(problem: Problem, curve: Curve, piece: Piece, solver: Any) -> Ending | None:  # noqa: ANN401
    """Add a step to the curve, cut at the limits, with the roots of events in it; what ends it."""
    start, end = curve.times[-1], solver.t
    leaves = None if problem.limits is None else _exit(problem.limits, piece, start, end)
    end = end if leaves is None else leaves
    if end > start:
        curve.times.append(end)
        curve.pieces.append(piece)
        for event, roots in zip(problem.events, curve.roots, strict=True):
            roots.extend(_roots(event, piece, start, end))
    if leaves is not None:
        return Ending.LEFT_BOX
    if np.any(np.abs(solver.y) > HUGE * problem.size):
        return Ending.BLEW_UP
    if problem.watch is not None and (status := problem.watch(curve)):
        return status
    return Ending.COMPLETE if solver.status == "finished" else None


def _depth(state: FloatArray, limits: FloatArray) -> float:
    """How far inside the limits the state is: negative outside."""
    return float(min(np.min(state - limits[:, 0]), np.min(limits[:, 1] - state)))


def _exit(limits: FloatArray, piece: Piece, start: float, end: float) -> float | None:
    """The time in [start, end] at which the state goes outside its limits, if it does."""
    from scipy.optimize import brentq

    def depth(time: float) -> float:
        return _depth(piece(time), limits)

    for before, after in _probes(start, end):
        if depth(after) < 0:
            inside = depth(before) > 0
            return float(brentq(depth, before, after, xtol=1e-15)) if inside else before
    return None


def _roots(event: Event, piece: Piece, start: float, end: float) -> list[float]:
    """Times in (start, end] at which the event function reaches zero."""
    from scipy.optimize import brentq

    def value(time: float) -> float:
        return float(event(time, piece(time)))

    found = []
    for before, after in _probes(start, end):
        if value(before) * value(after) < 0:
            found.append(float(brentq(value, before, after, xtol=1e-15)))
        elif value(after) == 0 != value(before):
            found.append(after)
    return found


def _probes(start: float, end: float) -> Iterator[tuple[float, float]]:
    """The step in a few parts, so that a root and its way back in one step are both seen."""
    return pairwise(np.linspace(start, end, EVENT_PROBES + 1).tolist())


def _why_stopped(problem: Problem, rate: _Rate, state: FloatArray) -> Ending:
    """Why no further step was possible from this state."""
    moved = np.abs(problem.field(state)) * problem.duration / problem.size
    if not math.isfinite(moved.max()) or moved.max() > FAST:
        return Ending.BLEW_UP
    return Ending.LEFT_DOMAIN if rate.undefined else Ending.STALLED
