"""Laws that the battery's simulators follow, before anything is done to what they return."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from odevsr.bench.rough.case import Pairs, RoughCase
from odevsr.bench.rough.distortions import Distortion, as_it_is
from odevsr.bench.rough.motion import motion_of


@dataclass(frozen=True)
class Plant:
    """Laws as text, the ranges of their variables, and inputs."""

    laws: Mapping[str, str]
    ranges: Pairs
    inputs: Pairs = field(default_factory=dict)


CUBIC = Plant({"x": "-x + 0.01*x**3"}, {"x": (-3.0, 3.0)})
PENDULUM = Plant(
    {"angle": "speed", "speed": "-9.81*sin(angle) - 0.25*speed"},
    {"angle": (-3.0, 3.0), "speed": (-5.0, 5.0)},
)
PREY = Plant(
    {"x": "1.5*x - x*y", "y": "0.8*x*y - 2*y"},
    {"x": (0.2, 4.0), "y": (0.2, 3.0)},
)
REACTOR = Plant(
    {
        "X": "0.5*S*X/(0.2 + S) - D*X",
        "S": "D*(2 - S) - 1.25*S*X/(0.2 + S)",
    },
    {"X": (0.1, 2.0), "S": (0.05, 2.0)},
    {"D": (0.05, 0.4)},
)
FED_REACTOR = Plant(
    {
        "X": "0.5*S*X/(0.3 + S) - D*X",
        "S": "D*(10 - S) - 1.25*S*X/(0.3 + S)",
    },
    {"X": (0.1, 5.0), "S": (0.05, 10.0)},
    {"D": (0.05, 0.4)},
)
"""Where there is little food, it doubles in the time in which elsewhere nothing has changed."""
OSCILLATOR = Plant(
    {"q": "p", "p": "1.2*(1 - q**2)*p - q"},
    {"q": (-2.5, 2.5), "p": (-3.0, 3.0)},
)
DECAY = Plant({"x": "-0.7*x"}, {"x": (0.5, 3.0)})
TANK = Plant({"h": "0.4*u - 0.3*sqrt(h)"}, {"h": (0.1, 4.0)}, {"u": (0.0, 1.0)})
LOGISTIC = Plant({"n": "0.6*n*(1 - n/3)"}, {"n": (0.1, 4.0)})
HERD = Plant({"n": "0.5*n*(n/0.3 - 1)*(1 - n/2)"}, {"n": (0.05, 3.0)})
"""Backwards it is soon infinite from where it is large."""
GENE = Plant({"g": "1.7*g**2/(0.8 + g**2) - 0.9*g + 0.1"}, {"g": (0.05, 4.0)})


def case_of(
    plant: Plant,
    name: str,
    kind: str,
    says: str,
    distortion: Distortion = as_it_is,
    noise: float = 0.0,
    expected: bool = True,
) -> RoughCase:
    """The plant as a case of the battery, with something done to it."""
    motion = motion_of(plant.laws, plant.inputs)
    sizes = [max(abs(low), abs(high)) for low, high in plant.ranges.values()]
    return RoughCase(
        name=name,
        kind=kind,
        says=says,
        ranges=plant.ranges,
        make=lambda rng: distortion(motion, sizes, rng),
        laws=plant.laws,
        inputs=plant.inputs,
        noise=noise,
        expected=expected,
    )
