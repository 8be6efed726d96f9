"""Experiments on a simulator: the only door through which a search sees the truth.

An experiment holds some variables at chosen values and lets the others vary over a mesh of the
state box. Whoever measures gives derivatives there, each with an estimate of its error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from odevsr.arrays import FloatArray
from odevsr.kind import Kind
from odevsr.world.box import Box
from odevsr.world.sample import Sample
from odevsr.world.simulators.launch import Launch


@dataclass(frozen=True)
class Cost:
    """What was spent: controlled experiments, states launched from, launches.

    States are those that were chosen; a launch that goes on from where another ended begins no new
    one.
    """

    experiments: int = 0
    states: int = 0
    simulations: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.experiments + other.experiments,
            self.states + other.states,
            self.simulations + other.simulations,
        )

    def __sub__(self, other: Cost) -> Cost:
        return Cost(
            self.experiments - other.experiments,
            self.states - other.states,
            self.simulations - other.simulations,
        )


@dataclass(frozen=True)
class World:
    """What an experimenter knows before the first experiment: names, ranges, and how to launch.

    `kind` is what launches show: states a while later, from which derivatives follow; the values
    (m, outputs) of a function or the next states of a map, whatever the step.
    """

    names: tuple[str, ...]
    box: Box = field(compare=False)
    launch: Launch = field(compare=False)
    kind: Kind = Kind.ODE
    outputs: tuple[str, ...] = ()
    """What a function gives; of other kinds it is the variables themselves."""

    @property
    def width(self) -> FloatArray:
        """Widths of the ranges, (n,)."""
        return self.box.width


class Oracle(Protocol):
    """Who measures one component: all that a search may know of the truth."""

    cost: Cost
    """What it has spent so far."""

    @property
    def kind(self) -> Kind:
        """What is measured: a derivative, a value, or the next state."""
        ...

    @property
    def variable(self) -> str:
        """Whose derivative, value or next state is measured."""
        ...

    @property
    def component(self) -> int:
        """Its place among those that have a law."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the state variables."""
        ...

    @property
    def box(self) -> Box:
        """The ranges of the variables."""
        ...

    @property
    def is_noisy(self) -> bool:
        """True if errors are standard deviations of noise, else estimates of numerical errors."""
        ...

    def measure(self, states: FloatArray) -> Sample:
        """Derivatives at states (..., n), with errors: one experiment."""
        ...


class WrappingOracle:
    """What an oracle that stands before another has in common with it: all but how it measures."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.kind = oracle.kind
        self.variable = oracle.variable
        self.component = oracle.component
        self.names = oracle.names
        self.box = oracle.box
        self.is_noisy = oracle.is_noisy

    @property
    def cost(self) -> Cost:
        """What was spent, by either."""
        return self._oracle.cost

    @cost.setter
    def cost(self, value: Cost) -> None:
        self._oracle.cost = value
