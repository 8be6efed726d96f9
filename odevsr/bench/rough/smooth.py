"""Clean simulators: what they return is right to rounding, or nearly so."""

from __future__ import annotations

import numpy as np

from odevsr.bench.rough.case import SMOOTH, RoughCase
from odevsr.bench.rough.distortions import (
    Distortion,
    changed_steps,
    forward_only,
    kept_as,
)
from odevsr.bench.rough.motion import motion_of
from odevsr.bench.rough.plants import (
    CUBIC,
    OSCILLATOR,
    PENDULUM,
    PREY,
    REACTOR,
    TANK,
    Plant,
    case_of,
)

OWN_NAMES = Plant(
    {"C": "-0.4*C + 0.1*A", "A": "0.4*C - 0.1*A - 0.2*A**2"}, {"C": (0.0, 2.0), "A": (0.0, 2.0)}
)
DRIVEN = Plant({"x": "-2*x + 3*u*sin(t)"}, {"x": (-2.0, 2.0)}, {"u": (-1.0, 1.0), "t": (0.0, 6.0)})
CLOCK = Plant({"x": "cos(3*t) - 0.5*x"}, {"x": (-1.0, 1.0)}, {"t": (0.0, 4.0)})
HUGE = Plant(
    {"n": "0.3*n*(1 - n/2e12)", "r": "-0.1*r + 0.02*n"}, {"n": (1e11, 3e12), "r": (1e10, 1e12)}
)
TINY = Plant({"c": "-0.2*c + 3e7*c**2"}, {"c": (1e-9, 9e-9)})
NARROW = Plant({"T": "-0.05*T + 60"}, {"T": (1000.0, 1001.0)})
NARROW_CURVED = Plant({"T": "0.001*T**2 - 1.3*T"}, {"T": (1000.0, 1005.0)})
DECADES = Plant({"s": "0.2 - 1.1*s/(0.5 + s)"}, {"s": (0.01, 100.0)})
DECADES_POWER = Plant({"m": "0.8*m**0.75 - 0.2*m"}, {"m": (0.01, 100.0)})
BURNING = Plant(
    {"T": "-0.4*(T - 1) + 6*c*exp(-4/T)", "c": "0.3*(1 - c) - 2*c*exp(-4/T)"},
    {"T": (1.0, 4.0), "c": (0.1, 1.0)},
)
NEURON = Plant(
    {"v": "-v + 2*tanh(1.5*v - w)", "w": "0.2*(v - w)"}, {"v": (-2.0, 2.0), "w": (-2.0, 2.0)}
)
EPIDEMIC = Plant(
    {"s": "-1.8*s*i", "i": "1.8*s*i - 0.6*i", "r": "0.6*i"},
    {"s": (0.0, 1.0), "i": (0.0, 1.0), "r": (0.0, 1.0)},
)
FAST_AND_SLOW = Plant(
    {"f": "-2000*(f - g)", "g": "0.001*(1 - g**2)"}, {"f": (-1.0, 1.0), "g": (-1.0, 1.0)}
)
STEADY = Plant({"x": "2.5", "y": "0*y"}, {"x": (0.0, 1.0), "y": (0.0, 1.0)})
SWITCH = Plant(
    {"u": "3/(1 + v**2) - u", "v": "2/(1 + u**3) - v"}, {"u": (0.1, 3.0), "v": (0.1, 3.0)}
)


def smooth_cases() -> tuple[RoughCase, ...]:
    """Various laws, names, sizes and solvers."""
    return (
        case_of(CUBIC, "smooth_cubic", SMOOTH, "a weak cubic term"),
        case_of(PENDULUM, "smooth_pendulum", SMOOTH, "a sine"),
        case_of(PREY, "smooth_prey", SMOOTH, "prey and hunters"),
        case_of(REACTOR, "smooth_reactor", SMOOTH, "a Monod term and an input"),
        case_of(OSCILLATOR, "smooth_oscillator", SMOOTH, "van der Pol's"),
        case_of(TANK, "smooth_tank", SMOOTH, "a root and an input"),
        case_of(OWN_NAMES, "smooth_own_names", SMOOTH, "variables called C and A"),
        case_of(DRIVEN, "smooth_driven", SMOOTH, "an input and time"),
        case_of(CLOCK, "smooth_clock", SMOOTH, "time as the only input"),
        case_of(HUGE, "smooth_huge", SMOOTH, "values of 1e12"),
        case_of(TINY, "smooth_tiny", SMOOTH, "values of 1e-9"),
        case_of(NARROW, "smooth_narrow", SMOOTH, "a range a thousandth of the value"),
        case_of(NARROW_CURVED, "smooth_narrow_curved", SMOOTH, "curvature in a narrow range"),
        case_of(DECADES, "smooth_decades", SMOOTH, "four decades of a Monod term"),
        case_of(DECADES_POWER, "smooth_decades_power", SMOOTH, "four decades of a power law"),
        case_of(BURNING, "smooth_burning", SMOOTH, "Arrhenius terms"),
        case_of(NEURON, "smooth_neuron", SMOOTH, "a hyperbolic tangent of two variables"),
        case_of(EPIDEMIC, "smooth_epidemic", SMOOTH, "three variables"),
        case_of(FAST_AND_SLOW, "smooth_fast_and_slow", SMOOTH, "rates six decades apart"),
        case_of(STEADY, "smooth_steady", SMOOTH, "a constant rate, and none"),
        case_of(SWITCH, "smooth_switch", SMOOTH, "two Hill terms"),
        *_solved_otherwise(),
    )


def _solved_otherwise() -> tuple[RoughCase, ...]:
    return (
        case_of(PREY, "single_precision", SMOOTH, "single precision", kept_as(np.float32)),
        case_of(PENDULUM, "single_pendulum", SMOOTH, "single precision", kept_as(np.float32)),
        case_of(PREY, "loose_prey", SMOOTH, "a solver with an error of 1e-6", _loose(PREY)),
        case_of(REACTOR, "loose_reactor", SMOOTH, "the same with an input", _loose(REACTOR)),
        case_of(PREY, "forward_only", SMOOTH, "raises backwards in time", forward_only),
        case_of(REACTOR, "forward_reactor", SMOOTH, "the same with an input", forward_only),
        case_of(
            OSCILLATOR,
            "stays_backwards",
            SMOOTH,
            "stays where it is if it should go back in time",
            changed_steps(lambda steps: np.maximum(steps, 0)),
        ),
    )


def _loose(plant: Plant) -> Distortion:
    """A single step of order 4 where many would be needed."""
    rough = motion_of(plant.laws, plant.inputs, substeps=1)
    return lambda motion, sizes, rng: rough
