"""Simulators whose launches scatter: the same laws at five levels of noise."""

from __future__ import annotations

from collections.abc import Callable

from odevsr.bench.rough.case import NOISE, RoughCase, power_of_ten
from odevsr.bench.rough.distortions import Distortion, additive, proportional
from odevsr.bench.rough.plants import (
    CUBIC,
    FED_REACTOR,
    HERD,
    PENDULUM,
    PREY,
    REACTOR,
    Plant,
    case_of,
)

LEVELS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
PLAIN = 1e-4
"""Up to here a right law should be called identified."""
ADDED = {"cubic": CUBIC, "pendulum": PENDULUM, "prey": PREY, "reactor": REACTOR, "herd": HERD}
MULTIPLIED = {"prey": PREY, "reactor": REACTOR, "fed_reactor": FED_REACTOR}


def noisy_cases() -> tuple[RoughCase, ...]:
    """Each plant with additive noise, some with noise that grows with the state."""
    return (
        *(_case(f"added_{name}", ADDED[name], level, additive) for name in ADDED
          for level in LEVELS),
        *(_case(f"multiplied_{name}", MULTIPLIED[name], level, proportional)
          for name in MULTIPLIED for level in LEVELS[::2]),
    )  # fmt: skip


def _case(name: str, plant: Plant, level: float, noise: Callable[[float], Distortion]) -> RoughCase:
    label = f"{name}_{power_of_ten(level)}"
    says = f"noise of {level:g} in what a launch returns"
    return case_of(plant, label, NOISE, says, noise(level), level, expected=level <= PLAIN)
