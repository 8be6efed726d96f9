"""What a simulation leaves behind: samples at even times, why it ended, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import FloatArray
from odevsr.errors import UsageError
from odevsr.status import SpokenStatus


class Ending(SpokenStatus):
    """Why a trajectory ended; `sentence` says it to people."""

    COMPLETE = "complete", "ran to the end of its duration"
    BLEW_UP = "blew_up", "the state, or its rate of change, grew without bound"
    LEFT_DOMAIN = "left_domain", "an equation has no value beyond this state"
    LEFT_BOX = "left_box", "the state left its ranges by more than the margin allowed"
    STALLED = "stalled", "the solver could not go on within its tolerances"
    GIVEN_UP = "given_up", "it takes more steps or CPU seconds than allowed, and was given up"
    DEPARTED = "departed", "the state went far from the trajectory it was compared with"


@dataclass(frozen=True)
class Tolerances:
    """The error a solver may make in one step."""

    relative: float = 1e-11
    """Of each variable's present size; at least 1e-13."""
    absolute: float = 1e-13
    """Of the width of each variable's range."""

    def __post_init__(self) -> None:
        if not (1e-13 <= self.relative < 1 and 0 < self.absolute < 1):
            raise UsageError(
                f"the tolerances {self.relative:g} (relative) and {self.absolute:g} (absolute) "
                "cannot be kept; choose relative from 1e-13 and absolute above 0, both below 1"
            )


@dataclass(frozen=True, eq=False)
class Crossings:
    """Where one event function was zero: time (k,) and states (k, n), in order of time."""

    time: FloatArray
    states: FloatArray

    def __post_init__(self) -> None:
        _freeze(self, "time", "states")


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One run: time (m,), states and derivatives (m, n), all finite and read-only.

    Derivatives are finite differences of the samples (a single sample has none: its row is nan).
    A run that ended early keeps the samples before `end_time`; `status` says why it ended.
    """

    time: FloatArray
    states: FloatArray
    derivatives: FloatArray
    status: Ending
    end_time: float
    crossings: tuple[Crossings, ...] = ()
    continuous: Callable[[FloatArray], FloatArray] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _freeze(self, "time", "states", "derivatives")
        rows = self.time.size
        if self.time.shape != (rows,) or self.states.shape[:1] != (rows,) or self.states.ndim != 2:
            raise UsageError(
                f"time {self.time.shape} and states {self.states.shape} do not belong together; "
                "give time (m,) and states (m, n)"
            )
        if self.derivatives.shape != self.states.shape:
            raise UsageError(
                f"derivatives {self.derivatives.shape} must have the shape of the states "
                f"{self.states.shape}"
            )

    def at(self, times: ArrayLike) -> FloatArray:
        """States (k, n) at any times (k,) from 0 to `end_time`, to the solver's accuracy."""
        wanted = np.atleast_1d(np.asarray(times, dtype=np.float64))
        if self.continuous is None:
            raise UsageError("only a freshly simulated trajectory knows its states between samples")
        if not np.all((wanted >= 0) & (wanted <= self.end_time)):
            raise UsageError(f"the trajectory is known from 0 to {self.end_time:g} only")
        return self.continuous(wanted)


def _freeze(record: Crossings | Trajectory, *names: str) -> None:
    """Replace the named arrays by read-only copies, so that no caller can change a result."""
    for name in names:
        array = np.array(getattr(record, name), dtype=np.float64)
        array.setflags(write=False)
        object.__setattr__(record, name, array)
