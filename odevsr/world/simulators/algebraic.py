"""Functions and maps of the user's own, and formulas: laws in which no time runs.

@odevsr.function(mass=(1, 10), speed=odevsr.Range(1, 100, scale="log"))
def energy(mass, speed):
    return mass * speed**2 / 2

@odevsr.map(x=(0, 1), inputs={"r": (2, 4)})
def logistic(state, r):
    return r * state * (1 - state)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import ExpressionError, UsageError
from odevsr.kind import Kind
from odevsr.language.parse import parse
from odevsr.world.ranges import Range, RangeLike, Ranges, checked_range
from odevsr.world.simulators.adapters import each_row, numbers, same_together, spread_rows, told
from odevsr.world.simulators.simulator import (
    CallForm,
    Limits,
    Simulator,
    marked,
    outputs_of,
    real_numbers,
)
from odevsr.world.systems.system import StateVariable, System

F = TypeVar("F", bound=Callable[..., object])


def function(
    unmarked: object = None, /, *, outputs: Sequence[str] = ("y",), **variables: RangeLike
) -> Callable[[F], F]:
    """Mark a function of numbers that come by their names; it gives a number for each output.

    It is called with many values at once where it takes arrays (m,), as arithmetic and numpy do.

    >>> @function(mass=(1, 10), speed=(1, 100))
    ... def energy(mass, speed):
    ...     return mass * speed**2 / 2
    >>> energy(2, 3)
    9.0
    """
    mark = marked(FUNCTION, unmarked, variables, {})

    def note(given: F) -> F:
        able: Any = mark(given)
        able.outputs = tuple(outputs)
        return able  # type: ignore[no-any-return]

    return note


def map(
    unmarked: object = None, /, *, inputs: Limits | None = None, **variables: RangeLike
) -> Callable[[F], F]:
    """Mark a function `next(state)` that gives the state (n,) after a state (n,).

    Inputs come by name: `next(state, r)`.

    >>> @map(x=(0, 1))
    ... def logistic(state):
    ...     return 3.8 * state * (1 - state)
    """
    return marked(MAP, unmarked, inputs, variables)


def formula(
    text: str, ranges: Mapping[str, RangeLike], *, output: str = "", scale: str = ""
) -> System:
    """A formula as something to discover: its value, for variables that range as said.

    `scale` is that of ranges that do not say their own. The value is called `output`, or else y, or
    f where y is a variable.

    >>> formula("2*sin(x) + z", {"x": (0, 1), "z": (0.1, 10)}).components
    ('y',)
    >>> formula("x*y", {"x": (0, 1), "y": (0.1, 10)}).components
    ('f',)
    """
    variables = tuple(_variable(name, given, scale) for name, given in ranges.items())
    try:
        law = parse(text, [each.name for each in variables])
    except ExpressionError as error:
        raise UsageError(f"the formula {text!r}: {error}; each variable needs a range") from None
    return System(
        name="formula",
        title=text,
        source="",
        variables=variables,
        equations=(law,),
        inputs=tuple(each.name for each in variables),
        kind=Kind.FUNCTION,
        outputs=(output or ("f" if "y" in ranges else "y"),),
    )


def _variable(name: str, given: RangeLike, scale: str) -> StateVariable:
    own = checked_range(name, given)
    own = checked_range(name, Range(own.low, own.high, own.scale or scale, own.domain))
    middle = (own.low + own.high) / 2
    return StateVariable(name, own.low, own.high, middle, "", own.scale, own.domain)


def _evaluated(given: Simulator, _variables: Ranges, inputs: Ranges) -> Simulator:
    """The function over rows (m, n) of all its variables: values (m, outputs)."""
    names, count = list(inputs), len(outputs_of(given))

    def one(row: FloatArray) -> FloatArray:
        return numbers(given(**dict(zip(names, row.tolist(), strict=True))), count, "value")

    def together(rows: FloatArray) -> FloatArray:
        found = real_numbers(given(**dict(zip(names, rows.T.copy(), strict=True))), "values")
        columns = [found] if count == 1 else list(found)
        return spread_rows(columns, len(rows))

    return _once_or_each(one, together, count)


def _followed(given: Simulator, variables: Ranges, inputs: Ranges) -> Simulator:
    """The map over rows (m, n) of its variables and inputs: next states (m, variables)."""
    count, names = len(variables), list(inputs)

    def one(row: FloatArray) -> FloatArray:
        values = dict(zip(names, row[count:].tolist(), strict=True))
        return numbers(given(row[:count].copy(), **values), count, "state")

    def together(rows: FloatArray) -> FloatArray:
        values = dict(zip(names, rows.T[count:].copy(), strict=True))
        return spread_rows(given(rows.T[:count].copy(), **values), len(rows))

    return _once_or_each(one, together, count)


def _once_or_each(
    one: Callable[[FloatArray], FloatArray],
    together: Callable[[FloatArray], FloatArray],
    count: int,
) -> Simulator:
    """One call for all rows where that gives the same as a call for each."""

    def call(rows: FloatArray, _steps: FloatArray) -> FloatArray:
        probed = np.unique(np.linspace(0, len(rows) - 1, 8).astype(int))
        alone, raised = each_row(lambda row: one(rows[probed[row]]), len(probed), count)
        told(alone, raised)
        if same_together(together, rows[probed], alone):
            with np.errstate(all="ignore"):
                return together(rows)
        return told(*each_row(lambda row: one(rows[row]), len(rows), count))

    return call


FUNCTION = CallForm("function", (), _evaluated, Kind.FUNCTION)
MAP = CallForm("map", ("state",), _followed, Kind.MAP)
