"""Simulators of the user's own: what they must do, how they are marked, and how they are found.

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
attribute will do as well. No equation is asked for. Methods and other objects that can be called
do too: `odevsr.simulator(angle=(-3, 3), speed=(-5, 5))(rotor.launch)`.

What is set from outside and has no law of its own is an input, which the function takes by its
name, a value (m,) for each state; the input `t` is the time at which each state is launched:

    @odevsr.simulator(angle=(-3, 3), speed=(-5, 5), inputs={"torque": (-1, 1), "t": (0, 10)})
    def driven(states, steps, torque, t):
        ...

A range may say more than its ends: how values are spread between them, and which can be at all:

    @odevsr.simulator(mass=odevsr.Range(1, 1000, scale="log", domain=(0, math.inf)))

An object with a method `stop` is told by it that a call of it is no longer waited for.

Functions of other forms are marked with `odevsr.rhs` and `odevsr.stepper` (see `adapters`).
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError, UsageError
from odevsr.kind import Kind
from odevsr.world.ranges import RangeLike, Ranges, checked_range
from odevsr.world.systems.checks import TIME, check_names

Simulator = Callable[..., Any]
Limits = Mapping[str, RangeLike]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class CallForm:
    """How functions that are marked with `odevsr.<name>` are called, and made simulators of."""

    name: str
    arguments: tuple[str, ...]
    adapt: Callable[[Simulator, Ranges, Ranges], Simulator]
    """Makes a simulator of the function, the ranges of its variables and those of its inputs."""
    kind: Kind = Kind.ODE
    rates: Callable[[Simulator, Ranges, Ranges], Simulator] | None = None
    """The same for its rates (m, n) at rows (m, n) of variables and inputs, if it tells them."""

    def by_name(self, inputs: Sequence[str]) -> list[str]:
        """The inputs that are given by name; time may have its place before them."""
        return [each for each in inputs if each != TIME or TIME not in self.arguments]

    def call(self, name: str, inputs: Sequence[str]) -> str:
        """How a function of this name is called, for a sentence about it."""
        return f"{name}({', '.join([*self.arguments, *self.by_name(inputs)])})"


def _as_it_is(function: Simulator, _variables: Ranges, _inputs: Ranges) -> Simulator:
    return function


SIMULATOR = CallForm("simulator", ("states", "steps"), _as_it_is)


def simulator(
    unmarked: object = None, /, *, inputs: Limits | None = None, **variables: RangeLike
) -> Callable[[F], F]:
    """Say how a simulator's variables are called, in order, and what their ranges are.

    `inputs` are those of what is set from outside and stays as it is, but for time, `t`.

    >>> @simulator(x=(0, 1))
    ... def decay(states, steps):
    ...     return states * np.exp(-steps[:, None])
    >>> decay.variables
    {'x': (0, 1)}
    """
    return marked(SIMULATOR, unmarked, inputs, variables)


def marked(
    form: CallForm, unmarked: object, inputs: Limits | None, variables: Limits
) -> Callable[[F], F]:
    """A decorator that leaves a function as it is, with its form, variables and inputs noted.

    What is no plain function, such as a bound method, stays untouched: it is wrapped.
    """
    if unmarked is not None:
        raise UsageError(
            f"@odevsr.{form.name} needs the names and ranges of the variables; write "
            f"@odevsr.{form.name}(x=(low, high), ...)"
        )

    def mark(function: F) -> F:
        if not callable(function):
            raise UsageError(f"odevsr.{form.name} marks a function, not {function!r}")
        able: Any = function if isinstance(function, FunctionType) else _Marked(function)
        able.form = form
        able.variables = dict(variables)
        able.inputs = inputs or {}
        return able  # type: ignore[no-any-return]

    return mark


class _Marked:
    """Something that can be called but not marked: a bound method, a partial, an object."""

    def __init__(self, function: Simulator) -> None:
        self.__wrapped__ = function  # where `inspect` looks for its arguments

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        return self.__wrapped__(*arguments, **named)


def import_simulator(reference: str) -> Simulator:
    """What `package.module:function` names; the working folder is looked in too.

    The function may be an attribute of something: `package.module:rotor.launch`.
    """
    module_name, _, path = reference.partition(":")
    try:
        with _working_folder_on_path():
            module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise _failed_import(module_name, error) from error
        if module_name.endswith(".py"):
            raise UsageError(
                f"{reference} names a file; name the module, as Python would import it: "
                f"{module_name.removesuffix('.py')}:{path}"
            ) from None
        raise UsageError(
            f"there is no module {error.name!r} for the simulator {reference}; "
            "write package.module:function, as Python would import it from here"
        ) from None
    except (Exception, SystemExit) as error:  # the module is not ours: anything may come out of it
        raise _failed_import(module_name, error) from error
    function: Any = module
    for name in path.split("."):
        function = getattr(function, name, None)
    if not callable(function):
        raise UsageError(f"module {module_name} has no function {path!r}")
    return function  # type: ignore[no-any-return]


@contextmanager
def _working_folder_on_path() -> Iterator[None]:
    """Python looks for modules in the working folder too, until they are imported."""
    folder = os.getcwd()
    if folder in sys.path:
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        if folder in sys.path:  # unless the module has changed it itself
            sys.path.remove(folder)


def _failed_import(module_name: str, error: BaseException) -> SimulationError:
    return SimulationError(
        f"module {module_name} fails when imported ({type(error).__name__}: {error}); mend it"
    )


def form_of(function: Simulator) -> CallForm:
    """How the function is to be called; one that is not marked is a simulator."""
    form = _noted(function, "form")
    return form if isinstance(form, CallForm) else SIMULATOR


def ranges_of(function: Simulator) -> Ranges:
    """The checked `variables` of a simulator."""
    variables = _noted(function, "variables")
    kind = form_of(function).kind
    if kind is Kind.FUNCTION:
        check_names(outputs_of(function), (), list(inputs_of(function)), kind)
        return {}
    if not isinstance(variables, Mapping) or not variables:
        raise UsageError(
            f"{name_of(function)} does not say what its variables are; mark it with "
            f"@odevsr.{form_of(function).name}(x=(low, high), ...)"
        )
    check_names([str(key) for key in variables], (), list(inputs_of(function)))
    return {str(key): checked_range(key, value) for key, value in variables.items()}


def inputs_of(function: Simulator) -> Ranges:
    """The ranges of what is set from outside; most simulators have no such inputs."""
    inputs = _noted(function, "inputs") or {}
    if not isinstance(inputs, Mapping):
        raise UsageError(f"inputs are names and ranges, {{'u': (low, high)}}, not {inputs!r}")
    return {str(key): checked_range(key, value) for key, value in inputs.items()}


def outputs_of(function: Simulator) -> tuple[str, ...]:
    """What a function gives; empty of what moves states."""
    outputs = _noted(function, "outputs")
    return outputs if isinstance(outputs, tuple) else ()


def name_of(function: Simulator) -> str:
    """What a simulator is called in sentences about it."""
    inner = _innermost(function)
    return getattr(inner, "__name__", type(inner).__name__)


def qualified_name(function: Simulator) -> str:
    """Where a simulator is from, such as `models.rotor:spin`."""
    inner = _innermost(function)
    named = inner if hasattr(inner, "__qualname__") else type(inner)
    return f"{named.__module__}:{named.__qualname__}"


def _innermost(function: Simulator) -> Any:  # noqa: ANN401
    while isinstance(function, partial | _Marked):
        function = function.func if isinstance(function, partial) else function.__wrapped__
    return function


def stop(function: Simulator) -> None:
    """End what a simulator that is waited for no longer has started, if it has a method `stop`."""
    end = _noted(function, "stop")
    if callable(end):
        end()


def check_arguments(function: Simulator) -> None:
    """Refuse a function that cannot be called as its form asks, or that returns no states."""
    form, inputs, name = form_of(function), list(inputs_of(function)), name_of(function)
    inner = _innermost(function)
    if inspect.isgeneratorfunction(inner) or inspect.iscoroutinefunction(inner):
        raise UsageError(f"{name} yields or awaits; have it return what it computes")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # functions written in C need not tell
        return
    try:
        signature.bind(*form.arguments, **dict.fromkeys(form.by_name(inputs)))
    except TypeError as error:
        raise UsageError(
            f"{name}{signature} cannot be called as {form.call(name, inputs)} ({error}); let it "
            f"take {' and '.join((*form.arguments, 'its inputs by their names'))}"
        ) from None


def _noted(function: Simulator, what: str) -> object:
    """What a mark says of a function, or of the `__call__` of an object."""
    return getattr(function, what, getattr(getattr(function, "__call__", None), what, None))  # noqa: B004


def real_numbers(values: object, what: str) -> FloatArray:
    """What a user's function returned, as numbers; `what` it should be, for the refusal."""
    returned = "None" if values is None else f"a {type(values).__name__}"
    with suppress(Exception):  # what was returned is not ours, nor are its conversions
        array = np.asarray(values)
        if array.dtype.kind == "c":
            if not np.any(np.nan_to_num(array.imag)):
                return array.real.astype(np.float64)
            returned = "complex numbers"
        elif array.dtype.kind in "biufO" and values is not None:
            return array.astype(np.float64)
    raise SimulationError(f"the simulator returned {returned}, not {what}; have it return numbers")
