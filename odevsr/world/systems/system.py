"""What is studied: variables with ranges, exact parameters, and the laws, of whatever kind."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import ExpressionError, SystemFileError, UsageError, nearest
from odevsr.kind import Kind
from odevsr.language.expression import Expression, Number, Real, substitute
from odevsr.language.parse import parse_number
from odevsr.world.box import Box, box_of
from odevsr.world.ranges import Range
from odevsr.world.systems.checks import check_system
from odevsr.world.systems.text import canonical_text, settled, system_text


@dataclass(frozen=True, slots=True)
class StateVariable:
    """One coordinate of the state: its range, where a simulation starts, and what it means."""

    name: str
    low: float
    high: float
    start: float
    meaning: str = ""
    scale: str = ""
    """How the range is spread, "even" or "log", where someone says."""
    domain: tuple[float, float] | None = None
    """Values that it can have at all, where someone says."""

    @property
    def range(self) -> Range:
        """Its range, with scale and domain."""
        return Range(self.low, self.high, self.scale, self.domain)


@dataclass(frozen=True, slots=True)
class Simulation:
    """How a trajectory is recorded by default, in the system's unit of time."""

    step: float = 0.01
    duration: float = 10.0


@dataclass(frozen=True, kw_only=True)
class System:
    """A system of ordinary differential equations that has passed every check.

    `equations` are in the order of `variables`; parameters appear in them as Variables. `operators`
    are spelled as the values of `Op`. `text` is a system file that reads back to an equal system.
    `inputs` names the last variables, which an experimenter sets and whose law nobody seeks: they
    stay as they are set, but for time, `t`, which runs at rate 1.

    An equation gives the rate of its variable, or the next state of a `map`. A `function` has
    inputs alone, and an equation for each of its `outputs`.
    """

    name: str
    title: str
    source: str
    variables: tuple[StateVariable, ...]
    equations: tuple[Expression, ...]
    parameters: Mapping[str, Real] = field(default_factory=dict)
    simulation: Simulation = field(default_factory=Simulation)
    operators: tuple[str, ...] | None = None
    inputs: tuple[str, ...] = ()
    kind: Kind = Kind.ODE
    outputs: tuple[str, ...] = ()
    text: str = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        check_system(self)
        exact = {name: parse_number(value) for name, value in self.parameters.items()}
        object.__setattr__(self, "parameters", MappingProxyType(exact))
        object.__setattr__(self, "equations", self._settled_equations())
        if not self.text:
            object.__setattr__(self, "text", system_text(self))

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        """Read-only mappings cannot be sent to another process, plain ones can."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _from_fields, (values | {"parameters": dict(self.parameters)},)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the state variables, in order."""
        return tuple(variable.name for variable in self.variables)

    @property
    def components(self) -> tuple[str, ...]:
        """Names that have a law of their own: the outputs, or all variables but the inputs."""
        return self.outputs or self.names[: len(self.names) - len(self.inputs)]

    @property
    def left_sides(self) -> tuple[str, ...]:
        """Whose the equations are: the outputs of a function, or all variables."""
        return self.outputs if self.kind is Kind.FUNCTION else self.names

    @cached_property
    def box(self) -> Box:
        """The ranges of the variables."""
        return box_of(variable.range for variable in self.variables)

    @cached_property
    def start(self) -> FloatArray:
        """Where a simulation starts: (n,), read-only."""
        start = np.array([variable.start for variable in self.variables], dtype=np.float64)
        start.setflags(write=False)
        return start

    @cached_property
    def digest(self) -> str:
        """SHA-256 of name, variables, parameters and equations, in hex."""
        return hashlib.sha256(canonical_text(self).encode()).hexdigest()

    def with_parameters(self, overrides: Mapping[str, Real | str]) -> System:
        """The same system with some parameters changed; text such as "8/3" is read exactly."""
        changed = dict(self.parameters)
        for name, value in overrides.items():
            changed[name] = self._override(name, value)
        return replace(self, parameters=changed, text="") if overrides else self

    def closed_equations(self) -> tuple[Expression, ...]:
        """The equations with each parameter replaced by its number."""
        values: dict[str, Expression] = {
            name: Number(value) for name, value in self.parameters.items()
        }
        return tuple(substitute(equation, values) for equation in self.equations)

    def _settled_equations(self) -> tuple[Expression, ...]:
        names = (*self.names, *self.parameters)
        try:
            return tuple(settled(equation, names) for equation in self.equations)
        except ExpressionError as error:
            raise SystemFileError(
                f"an equation of {self.name} cannot be written: {error}"
            ) from None

    def _override(self, name: str, value: Real | str) -> Real:
        if name not in self.parameters:
            raise UsageError(
                f"{self.name} has no parameter {name!r}; {nearest(name, self.parameters)}"
            )
        try:
            return parse_number(value)
        except ExpressionError as error:
            raise UsageError(f"parameter {name}: {error}") from None


def _from_fields(values: dict[str, Any]) -> System:
    return System(**values)
