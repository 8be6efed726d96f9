"""Simulators that round, stop at limits, or do not work everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import CORNERS, ROUNDED, Motion, RoughCase
from odevsr.bench.rough.distortions import (
    begun_within,
    changed_ends,
    decimals,
    kept_as,
    limited,
    nan_where,
    raising_where,
)
from odevsr.bench.rough.plants import CUBIC, DECAY, OSCILLATOR, PENDULUM, PREY, Plant, case_of

POPULATION = Plant({"N": "0.4*N*(1 - N/800)"}, {"N": (10.0, 1000.0)})
CROWD = Plant({"N": "0.4*N*(1 - N/8e6)"}, {"N": (1e5, 1e7)})
FALLING = Plant({"h": "0.5*h - 1"}, {"h": (0.0, 1.0)})
PAIR = Plant({"x": "-x + x*y", "y": "0.5 - y - 0.3*x**2"}, {"x": (0.0, 1.0), "y": (0.0, 1.0)})
WHEEL = Plant({"a": "w", "w": "-4*sin(a) - 0.2*w"}, {"a": (0.0, 6.28), "w": (-3.0, 3.0)})
SINK = Plant({"x": "-1"}, {"x": (0.0, 2.0)})
FIRING = Plant({"v": "1.5 - v"}, {"v": (0.0, 1.2)})
MASSES = Plant(
    {"m": "-0.1*m/(k + 20)", "k": "0.02*m - 0.3*k"}, {"m": (1.0, 1000.0), "k": (1.0, 1000.0)}
)
BALL = Plant({"h": "v", "v": "-9.81"}, {"h": (0.0, 4.0), "v": (-3.0, 3.0)})

GENTLE = Plant(
    {"x": "y - sin(0.1*x)", "y": "0.1*tanh(0.5*y) - x"}, {"x": (-2.0, 2.0), "y": (-1.5, 2.5)}
)
FLAT = Plant(
    {"x": "0.2*y - 0.05*sqrt(x**2 + 4)", "y": "-y/(1 + 0.005*x**2)"},
    {"x": (-2.0, 2.0), "y": (-1.5, 2.5)},
)


def rounding_cases() -> tuple[RoughCase, ...]:
    """Ends with few digits."""
    return (
        case_of(PREY, "six_decimals", ROUNDED, "6 decimals", decimals(6), noise=1e-6),
        case_of(PREY, "three_decimals", ROUNDED, "3 decimals", decimals(3),
                noise=1e-3, expected=False),
        case_of(PENDULUM, "two_decimals", ROUNDED, "2 decimals", decimals(2),
                noise=1e-2, expected=False),
        case_of(CUBIC, "half_precision", ROUNDED, "half precision", kept_as(np.float16),
                noise=1e-3, expected=False),
        case_of(OSCILLATOR, "float_oscillator", ROUNDED, "single precision", kept_as(np.float32)),
        case_of(POPULATION, "whole_hundreds", ROUNDED, "whole numbers up to 1000", decimals(0),
                noise=1e-3, expected=False),
        case_of(CROWD, "whole_millions", ROUNDED, "whole numbers up to 1e7", decimals(0),
                noise=1e-7),
        *_hardly_curved(GENTLE, "gentle"),
        *_hardly_curved(FLAT, "flat"),
    )  # fmt: skip


def _hardly_curved(plant: Plant, name: str) -> Iterator[RoughCase]:
    """Functions that a few powers follow to all the digits there are."""
    kept = {"single": kept_as(np.float32), "six": decimals(6), "five": decimals(5)}
    for digits, distortion in kept.items():
        says = "few powers are as near as the digits tell"
        yield case_of(plant, f"{name}_{digits}", ROUNDED, says, distortion, expected=False)


def corner_cases() -> tuple[RoughCase, ...]:
    """Limits, and states from which it does not go on."""
    return (
        case_of(FALLING, "never_below_nought", CORNERS, "ends are not below 0",
                limited(0.0, np.inf)),
        case_of(PREY, "within_its_ranges", CORNERS, "ends are kept within 0.2 and 4",
                limited(0.2, 4.0)),
        case_of(MASSES, "begun_within_its_ranges", CORNERS, "states are put between 1 and 1000",
                begun_within(1.0, 1000.0)),
        case_of(CUBIC, "limited_inside", CORNERS, "ends are kept within a part of the range",
                limited(-1.5, 1.5), expected=False),
        case_of(BALL, "bouncing", CORNERS, "a ball that the ground throws back",
                changed_ends(_thrown_back)),
        case_of(PAIR, "nan_corner", CORNERS, "nan where x*y > 0.5", nan_where(_corner)),
        case_of(PAIR, "raising_corner", CORNERS, "raises where x*y > 0.5", raising_where(_corner)),
        case_of(PAIR, "nan_stripe", CORNERS, "nan for x around 0.5", nan_where(_stripe),
                expected=False),
        case_of(PREY, "nan_now_and_then", CORNERS, "nan now and then", _nan_now_and_then),
        case_of(PREY, "garbage_corner", CORNERS, "1e6 where x*y > 8", changed_ends(_garbage)),
        case_of(PREY, "too_long", CORNERS, "raises for times of more than 0.05", _briefly),
        case_of(WHEEL, "wrapped", CORNERS, "angles within a turn", changed_ends(_wrapped)),
        case_of(SINK, "sink", CORNERS, "falls to a floor, and stays", limited(0.0, np.inf)),
        case_of(FIRING, "firing", CORNERS, "falls back to 0 beyond 1", changed_ends(_fired)),
        case_of(DECAY, "usable_half", CORNERS, "works in half of the range", nan_where(_half)),
        case_of(DECAY, "usable_sliver", CORNERS, "works in a tenth of the range",
                nan_where(_outside_sliver), expected=False),
    )  # fmt: skip


def _nan_now_and_then(motion: Motion, _sizes: Sequence[float], rng: np.random.Generator) -> Motion:
    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        return np.where(rng.random((len(states), 1)) < 0.02, np.nan, motion(states, steps))

    return moved


def _briefly(motion: Motion, _sizes: Sequence[float], _rng: np.random.Generator) -> Motion:
    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        if np.any(np.abs(steps) > 0.05):
            raise ValueError("too long a time")
        return motion(states, steps)

    return moved


def _garbage(ends: FloatArray) -> FloatArray:
    return np.where(ends[:, :1] * ends[:, 1:] > 8, 1e6, ends)


def _wrapped(ends: FloatArray) -> FloatArray:
    return np.column_stack([ends[:, 0] % (2 * np.pi), ends[:, 1]])


def _fired(ends: FloatArray) -> FloatArray:
    return np.where(ends > 1, 0.0, ends)


def _thrown_back(ends: FloatArray) -> FloatArray:
    return np.where(ends[:, :1] < 0, -0.8 * ends, ends)


def _corner(states: FloatArray) -> FloatArray:
    return np.asarray(states[:, 0] * states[:, 1] > 0.5)


def _stripe(states: FloatArray) -> FloatArray:
    return np.asarray(np.abs(states[:, 0] - 0.5) < 0.02)


def _half(states: FloatArray) -> FloatArray:
    return np.asarray(states[:, 0] < 1.75)


def _outside_sliver(states: FloatArray) -> FloatArray:
    return np.asarray(np.abs(states[:, 0] - 1.5) > 0.125)
