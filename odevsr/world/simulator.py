"""Simulators of the user's own: what they must do, and how they are called safely.

A simulator is a function

    function(states, steps) -> states

that moves each of the states (m, n) on by its own time, steps (m,), and returns where they are
then, (m, n), as finite numbers; nan stands for a state from which it cannot go on. It is called
with negative steps too; if it does not run backwards in time, odevsr notices and does without.
It should repeat itself, and says how its variables are called and between which values they may
be set:

    @odevsr.simulator(angle=(-3, 3), speed=(-5, 5))
    def pendulum(states, steps):
        ...

which sets `pendulum.variables = {"angle": (-3, 3), "speed": (-5, 5)}`; a function with such an
attribute will do as well. No equation is asked for.

What is set from outside and has no law of its own is an input, which the function takes by its
name, a value (m,) for each state; the input `t` is the time at which each state is launched:

    @odevsr.simulator(angle=(-3, 3), speed=(-5, 5), inputs={"torque": (-1, 1), "t": (0, 10)})
    def driven(states, steps, torque, t):
        ...
"""

from __future__ import annotations

import importlib
import math
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import SimulationError, UsageError
from odevsr.world.launch import Launch
from odevsr.world.system_checks import TIME, check_names

FloatArray = NDArray[np.float64]
Simulator = Callable[..., Any]
Ranges = dict[str, tuple[float, float]]
F = TypeVar("F", bound=Callable[..., Any])

TIME_LIMIT = 60.0
"""Seconds that one call of a simulator may take."""
PROBES = 8
"""States that are tried alone before a simulator that raises is given up."""


def simulator(
    unmarked: object = None,
    /,
    *,
    inputs: Mapping[str, tuple[float, float]] | None = None,
    **variables: tuple[float, float],
) -> Callable[[F], F]:
    """Say how a simulator's variables are called, in order, and what their ranges are.

    `inputs` are those of what is set from outside and stays as it is, but for time, `t`.

    >>> @simulator(x=(0, 1))
    ... def decay(states, steps):
    ...     return states * np.exp(-steps[:, None])
    >>> decay.variables
    {'x': (0, 1)}
    """
    if unmarked is not None:
        raise UsageError(
            "@odevsr.simulator needs the names and ranges of the variables; write "
            "@odevsr.simulator(x=(low, high), ...)"
        )

    def mark(function: F) -> F:
        function.variables = dict(variables)  # type: ignore[attr-defined]
        function.inputs = dict(inputs or {})  # type: ignore[attr-defined]
        return function

    return mark


def import_simulator(reference: str) -> Simulator:
    """The function that `package.module:function` names; the working folder is looked in too."""
    module_name, _, function_name = reference.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise _failed_import(module_name, error) from error
        if module_name.endswith(".py"):
            raise UsageError(
                f"{reference} names a file; name the module, as Python would import it: "
                f"{module_name.removesuffix('.py')}:{function_name}"
            ) from None
        raise UsageError(
            f"there is no module {error.name!r} for the simulator {reference}; "
            "write package.module:function, as Python would import it from here"
        ) from None
    except Exception as error:  # the module is not ours, so anything may come out of it
        raise _failed_import(module_name, error) from error
    function = getattr(module, function_name, None)
    if not callable(function):
        raise UsageError(f"module {module_name} has no function {function_name!r}")
    return function  # type: ignore[no-any-return]


def _failed_import(module_name: str, error: Exception) -> SimulationError:
    return SimulationError(
        f"module {module_name} fails when imported ({type(error).__name__}: {error}); mend it"
    )


def ranges_of(function: Simulator) -> Ranges:
    """The checked `variables` of a simulator."""
    name = getattr(function, "__name__", "the simulator")
    variables = getattr(function, "variables", None)
    if not isinstance(variables, Mapping) or not variables:
        raise UsageError(
            f"{name} does not say what its variables are; mark it with "
            "@odevsr.simulator(x=(low, high), ...)"
        )
    check_names([str(key) for key in variables], (), list(inputs_of(function)))
    return {str(key): _checked_range(key, value) for key, value in variables.items()}


def inputs_of(function: Simulator) -> Ranges:
    """The ranges of what is set from outside; most simulators have no such inputs."""
    inputs = getattr(function, "inputs", None) or {}
    if not isinstance(inputs, Mapping):
        raise UsageError(f"inputs are names and ranges, {{'u': (low, high)}}, not {inputs!r}")
    return {str(key): _checked_range(key, value) for key, value in inputs.items()}


def _checked_range(name: str, limits: object) -> tuple[float, float]:
    try:
        low, high = (float(value) for value in limits)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise UsageError(f"the range of {name} is (low, high), not {limits!r}") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise UsageError(f"the range of {name} is (low, high) with low below high, not {limits!r}")
    return low, high


def guarded(
    function: Simulator | str, seconds: float = TIME_LIMIT, inputs: Sequence[str] = ()
) -> Launch:
    """A launcher that calls a simulator with a time limit and checks what it returns.

    The last columns of the states that are launched are the inputs.

    Where a call raises, calls with single states find out which are to blame; their rows are nan.
    If a few of them, spread out, all raise, the error is told.
    """
    marked = import_simulator(function) if isinstance(function, str) else function
    call = _with_inputs(marked, inputs) if inputs else marked

    def launch(states: FloatArray, step: float | FloatArray) -> FloatArray:
        steps = np.array(np.broadcast_to(np.asarray(step, dtype=np.float64), len(states)))
        try:
            return _checked(in_time(partial(call, states.copy(), steps), seconds), states)
        except SimulationError:
            raise
        except Exception as error:  # the function is not ours, so anything may come out of it
            probed = np.unique(np.linspace(0, len(states) - 1, PROBES).astype(int))
            if np.isnan(_one_by_one(call, states[probed], steps[probed], seconds)).all():
                count, width = len(states), states.shape[1] - len(inputs)
                raise SimulationError(
                    f"the simulator raised {type(error).__name__}: {error}; it was called with "
                    f"states ({count}, {width}) and "
                    + ", ".join(f"{name} ({count},)" for name in ("steps", *inputs))
                ) from error
            return _one_by_one(call, states, steps, seconds)

    return launch


def _with_inputs(call: Simulator, inputs: Sequence[str]) -> Simulator:
    """A simulator that gets its inputs by name, as one whose last columns they are.

    They stay as they are set, but for time, which runs.
    """

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        columns = states[:, -len(inputs) :].copy()
        own = states[:, : -len(inputs)]
        values = {name: column.copy() for name, column in zip(inputs, columns.T, strict=True)}
        ends = _checked(call(own.copy(), steps.copy(), **values), own)
        if TIME in inputs:
            columns[:, list(inputs).index(TIME)] += steps
        return np.concatenate([ends, columns], axis=1)

    return moved


def _one_by_one(
    call: Simulator, states: FloatArray, steps: FloatArray, seconds: float
) -> FloatArray:
    """States after calls with one state each; nan where a call raises."""
    ends = np.full_like(states, np.nan)
    for row in range(len(states)):
        state, step = states[row : row + 1].copy(), steps[row : row + 1].copy()
        try:
            ends[row] = _checked(in_time(partial(call, state, step), seconds), state)[0]
        except SimulationError:
            raise
        except Exception:  # as above; the row stays nan, and who launched sees that
            continue
    return ends


def _checked(ends: object, states: FloatArray) -> FloatArray:
    shape = states.shape
    try:
        array = np.asarray(ends, dtype=np.float64)
    except (TypeError, ValueError):
        raise SimulationError(
            f"the simulator returned {type(ends).__name__}, not states {shape} of numbers"
        ) from None
    if array.shape != shape:
        raise SimulationError(
            f"the simulator returned an array of shape {array.shape} for states {shape}; "
            "it must return a state for each it is given"
        )
    return array


def in_time(call: Callable[[], Any], seconds: float) -> Any:  # noqa: ANN401
    """What a call returns or raises, or a SimulationError once `seconds` have passed.

    It runs in a thread of its own, which is left behind if it hangs; it cannot keep Python from
    exiting.
    """
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="simulator", daemon=True)
    thread.start()
    thread.join(min(seconds, threading.TIMEOUT_MAX))
    if thread.is_alive():
        raise SimulationError(
            f"the simulator did not return within {seconds:g} seconds; "
            "allow more with --timeout (timeout=... in Python), or make it faster"
        )
    if failure:
        raise failure[0]
    return outcome[0]
