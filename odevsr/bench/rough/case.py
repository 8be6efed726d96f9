"""One simulator of the battery: what it is, its law if it has one, and how it is made."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Expression
from odevsr.language.parse import parse
from odevsr.world.box import Box, box_of
from odevsr.world.ranges import Range
from odevsr.world.simulators.simulator import Simulator, simulator

Pairs = dict[str, tuple[float, float]]
Field = Callable[[FloatArray], FloatArray]
Motion = Callable[[FloatArray, FloatArray], FloatArray]
"""States with their inputs (m, all) and steps (m,) to states without them (m, n)."""
Make = Callable[[np.random.Generator], Motion]
"""A fresh motion: what is random comes from the generator, what is remembered begins anew."""

SMOOTH, NOISE, OWN_STEPS, ROUNDED = "smooth", "noise", "own steps", "rounded"
CORNERS, NOT_SMOOTH, NO_LAW, WEAK = "corners", "not smooth", "no law", "weak"
KINDS = (SMOOTH, NOISE, OWN_STEPS, ROUNDED, CORNERS, NOT_SMOOTH, NO_LAW, WEAK)


@dataclass(frozen=True, kw_only=True)
class RoughCase:
    """A simulator, and what is to be said of it.

    `laws` are the truth as text, a component each, and empty where no law exists or none can be
    written; `rate` is then that (m, n) of states (m, n), if it is a function at all. `noise`
    is how uncertain what a launch returns is, relative to the states. `expected` says whether a
    right law should be called identified.
    """

    name: str
    kind: str
    says: str
    ranges: Pairs
    make: Make
    laws: Mapping[str, str] = field(default_factory=dict)
    inputs: Pairs = field(default_factory=dict)
    rate: Field | None = None
    noise: float = 0.0
    expected: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """States and inputs, in order."""
        return (*self.ranges, *self.inputs)

    @property
    def box(self) -> Box:
        """The ranges of states and inputs."""
        pairs = (*self.ranges.values(), *self.inputs.values())
        return box_of(Range(*pair) for pair in pairs)

    def truth(self, component: str) -> Expression | None:
        """The law of a component; None where there is none."""
        text = self.laws.get(component)
        return None if text is None else parse(text, self.names)

    def simulator(self, seed: int = 0) -> Simulator:
        """A function as a user would bring it; the same seed gives the same noise."""
        motion = self.make(np.random.default_rng([seed, zlib.crc32(self.name.encode())]))

        def moved(states: FloatArray, steps: FloatArray, **inputs: FloatArray) -> FloatArray:
            columns = [states, *(inputs[name][:, None] for name in self.inputs)]
            return motion(np.concatenate(columns, axis=1), steps)

        moved.__name__ = moved.__qualname__ = self.name
        return simulator(inputs=self.inputs, **self.ranges)(moved)


def power_of_ten(value: float) -> str:
    """A small number as a part of a name.

    >>> power_of_ten(1e-3)
    '1e_3'
    """
    return f"{value:.0e}".replace("-0", "_")
