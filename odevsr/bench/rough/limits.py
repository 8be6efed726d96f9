"""Simulators that round, stop at limits, or do not work everywhere."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import CORNERS, ROUNDED, Case
from odevsr.bench.rough.distortions import (
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
BALL = Plant({"h": "v", "v": "-9.81"}, {"h": (0.0, 4.0), "v": (-3.0, 3.0)})


def rounding_cases() -> tuple[Case, ...]:
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
    )  # fmt: skip


def corner_cases() -> tuple[Case, ...]:
    """Limits, and states from which it does not go on."""
    return (
        case_of(FALLING, "never_below_nought", CORNERS, "ends are not below 0",
                limited(0.0, np.inf)),
        case_of(PREY, "within_its_ranges", CORNERS, "ends are kept within 0.2 and 4",
                limited(0.2, 4.0)),
        case_of(CUBIC, "limited_inside", CORNERS, "ends are kept within a part of the range",
                limited(-1.5, 1.5), expected=False),
        case_of(BALL, "bouncing", CORNERS, "a ball that the ground throws back",
                changed_ends(_thrown_back)),
        case_of(PAIR, "nan_corner", CORNERS, "nan where x*y > 0.5", nan_where(_corner)),
        case_of(PAIR, "raising_corner", CORNERS, "raises where x*y > 0.5", raising_where(_corner)),
        case_of(PAIR, "nan_stripe", CORNERS, "nan for x around 0.5", nan_where(_stripe),
                expected=False),
        case_of(DECAY, "usable_half", CORNERS, "works in half of the range", nan_where(_half)),
        case_of(DECAY, "usable_sliver", CORNERS, "works in a tenth of the range",
                nan_where(_outside_sliver), expected=False),
    )  # fmt: skip


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
