"""Simulators of the user's own, called safely: in limited time, with what they return checked."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.world.simulators.launch import Launch
from odevsr.world.simulators.simulator import (
    SIMULATOR,
    Simulator,
    form_of,
    import_simulator,
    inputs_of,
    name_of,
    outputs_of,
    ranges_of,
    real_numbers,
    stop,
)
from odevsr.world.systems.checks import TIME

TIME_LIMIT = 60.0
"""Seconds that a simulator may take for one state; a call with m states may take m times that."""
PROBES = 8
"""States that are tried alone before a simulator that raises is given up."""


class HangingError(SimulationError):
    """A simulator did not return in the time it was given."""


def guarded(function: Simulator | str, seconds: float = TIME_LIMIT) -> Launch:
    """A launcher that calls a simulator with a time limit and checks what it returns.

    The last columns of the states that are launched are the inputs.

    Where a call raises, calls with single states find out which are to blame; their rows are nan.
    If a few of them, spread out, all raise, the error is told. The very first state is launched
    alone: a simulator that hangs is noticed after the time that one state may take.
    """
    given = import_simulator(function) if isinstance(function, str) else function
    return _launched(_Guard(given, _moving(given), seconds))


def asked_for_rates(function: Simulator | str, seconds: float = TIME_LIMIT) -> Launch:
    """The same for a function that tells rates: these are given, whatever the step."""
    given = import_simulator(function) if isinstance(function, str) else function
    rates = form_of(given).rates
    assert rates is not None  # who tells none is not asked
    return _launched(_Guard(given, rates(given, ranges_of(given), inputs_of(given)), seconds))


def _launched(guard: _Guard) -> Launch:
    """A launcher whose very first state is launched alone."""
    is_new = True

    def launch(states: FloatArray, step: float | FloatArray) -> FloatArray:
        nonlocal is_new
        steps = np.array(np.broadcast_to(np.asarray(step, dtype=np.float64), len(states)))
        if is_new and len(states) > 1:
            first = guard.one_by_one(states[:1], steps[:1])
            is_new = False
            return np.concatenate([first, guard.together(states[1:], steps[1:])])
        return guard.together(states, steps)

    return launch


@dataclass(frozen=True)
class _Guard:
    """A function as the user gave it, how it moves states, and how long it may take for each."""

    given: Simulator
    call: Simulator
    seconds: float

    @property
    def width(self) -> int:
        """Numbers that come back for a state; 0 if those of the state itself."""
        form = form_of(self.given)
        return 0 if form.kind.moves else len(outputs_of(self.given) or ranges_of(self.given))

    def together(self, states: FloatArray, steps: FloatArray) -> FloatArray:
        """States after one call; after a call for each of them where that raises."""
        try:
            return self._called(states, steps)
        except SimulationError:
            raise
        except Exception as error:  # the function is not ours, so anything may come out of it
            probed = np.unique(np.linspace(0, len(states) - 1, PROBES).astype(int))
            if np.isnan(self.one_by_one(states[probed], steps[probed])).all():
                raise SimulationError(
                    f"the simulator raised {type(error).__name__}: {error}; it was called "
                    + self._call_text(len(states))
                ) from error
            return self.one_by_one(states, steps)

    def one_by_one(self, states: FloatArray, steps: FloatArray) -> FloatArray:
        """States after calls with one state each; nan where a call raises."""
        ends = np.full((len(states), self.width or states.shape[1]), np.nan)
        for row in range(len(states)):
            try:
                ends[row] = self._called(states[row : row + 1], steps[row : row + 1])[0]
            except SimulationError:
                raise
            except Exception:  # as above; the row stays nan, and who launched sees that
                continue
        return ends

    def _called(self, states: FloatArray, steps: FloatArray) -> FloatArray:
        call = partial(self.call, states.copy(), steps.copy())
        shape = len(states), self.width or states.shape[1]
        try:
            return _checked(in_time(call, self.seconds * max(1, len(states))), shape)
        except (HangingError, KeyboardInterrupt):
            stop(self.given)
            raise

    def _call_text(self, count: int) -> str:
        form, inputs = form_of(self.given), list(inputs_of(self.given))
        if form != SIMULATOR:
            return f"as {form.call(name_of(self.given), inputs)}, for one state after the other"
        rows = ", ".join(f"{name} ({count},)" for name in ("steps", *inputs))
        return f"with states ({count}, {len(ranges_of(self.given))}) and {rows}"


def _moving(given: Simulator) -> Simulator:
    """The function as a simulator whose last columns are its inputs."""
    inputs = inputs_of(given)
    form = form_of(given)
    call = form.adapt(given, ranges_of(given), inputs)
    return _with_inputs(call, list(inputs)) if inputs and form.kind.moves else call


def _with_inputs(call: Simulator, inputs: Sequence[str]) -> Simulator:
    """A simulator that gets its inputs by name, as one whose last columns they are.

    They stay as they are set, but for time, which runs.
    """

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        columns = states[:, -len(inputs) :].copy()
        own = states[:, : -len(inputs)]
        values = {name: column.copy() for name, column in zip(inputs, columns.T, strict=True)}
        ends = _checked(call(own.copy(), steps.copy(), **values), own.shape)
        if TIME in inputs:
            columns[:, list(inputs).index(TIME)] += steps
        return np.concatenate([ends, columns], axis=1)

    return moved


def _checked(ends: object, shape: tuple[int, ...]) -> FloatArray:
    """States in the shape asked for, nan where they are not finite.

    Where there is one state or variable, a row will do.
    """
    array = real_numbers(ends, f"states {shape}")
    array[~np.isfinite(array)] = np.nan
    if array.ndim == 1 and 1 in shape and array.size == math.prod(shape):
        return array.reshape(shape)
    if array.shape != shape:
        raise SimulationError(
            f"the simulator returned an array of shape {array.shape} for states {shape}; "
            "it must return a state for each it is given"
        )
    return array


def in_time(call: Callable[[], Any], seconds: float) -> Any:  # noqa: ANN401
    """What a call returns or raises, or a HangingError once `seconds` have passed.

    It runs in a thread of its own, which is left behind if it hangs; it cannot keep Python from
    exiting. Nor can the call end the program, not even by `os._exit`, or seem to be the user's
    Ctrl-C.
    """
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="simulator", daemon=True)
    with _without_exit(thread):
        thread.start()
        thread.join(min(seconds, threading.TIMEOUT_MAX))
    if thread.is_alive():
        raise HangingError(
            f"the simulator did not return within {seconds:g} seconds; allow more for each state "
            "with --timeout (timeout=... in Python), or make it faster"
        )
    if failure and not isinstance(failure[0], Exception):
        called = isinstance(failure[0], _ExitCalled)
        did = "called os._exit" if called else f"raised {type(failure[0]).__name__}"
        raise SimulationError(
            f"the simulator {did}, which ends programs; have it return nan where it cannot go on, "
            "or raise an error"
        ) from failure[0]
    if failure:
        raise failure[0]
    return outcome[0]


class _ExitCalled(BaseException):
    """A simulator has called `os._exit`, which would end the program without a word."""


@contextmanager
def _without_exit(thread: threading.Thread) -> Iterator[None]:
    """Meanwhile `os._exit` raises in this thread; other threads may still end the program."""
    leave = os._exit

    def exit_or_raise(status: int) -> NoReturn:
        if threading.current_thread() is thread:
            raise _ExitCalled
        leave(status)

    os._exit = exit_or_raise
    try:
        yield
    finally:
        os._exit = leave
