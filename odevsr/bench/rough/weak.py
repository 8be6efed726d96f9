"""Weak terms: with noise above them, a law without them must not be called identified."""

from __future__ import annotations

import numpy as np

from odevsr.bench.rough.case import ROUNDED, WEAK, RoughCase
from odevsr.bench.rough.distortions import additive, kept_as
from odevsr.bench.rough.plants import Plant, case_of

BOTH = {"x": (-1.0, 1.0), "y": (-1.0, 1.0)}
ALONE = {"x": (-1.0, 1.0)}


def weak_cases() -> tuple[RoughCase, ...]:
    """Without noise they are to be found; below the noise they are not to be forgotten."""
    return (
        _case("weak_1e_6", Plant({"x": "-x + 1e-6*y", "y": "-0.5*y"}, BOTH), 0.0),
        _case("weak_square_1e_6", Plant({"x": "-2*x + 2e-6*x**2"}, ALONE), 0.0),
        _case("weak_product_1e_5", Plant({"x": "-x + 1e-5*x*y", "y": "x"}, BOTH), 0.0),
        _case("weak_curve", Plant({"x": "-sin(0.05*x)"}, ALONE), 0.0),
        _case("buried_1e_4", Plant({"x": "-x + 1e-4*y", "y": "-0.5*y"}, BOTH), 1e-3),
        _case("buried_1e_3", Plant({"x": "-x + 1e-3*y", "y": "-0.5*y"}, BOTH), 1e-3),
        _case("buried_square", Plant({"x": "-2*x + 1e-4*x**2"}, ALONE), 1e-3),
        _case("buried_input", Plant({"x": "-x + 1e-5*u"}, ALONE, {"u": (-1.0, 1.0)}), 1e-4),
        _case("buried_curve", Plant({"x": "-sin(0.1*x)"}, ALONE), 1e-3),
        _case("buried_series", Plant({"x": "-0.2*x - 0.05*(x + 3)**4"}, ALONE), 1e-5),
        _case("buried_sine", Plant({"x": "y - sin(0.3*x)", "y": "-y"}, BOTH), 1e-5),
        _case("buried_fraction", Plant({"x": "-y/(1 + 0.02*x**2)", "y": "-y"}, BOTH), 1e-5),
        _case("buried_root", Plant({"x": "0.15*y - 0.01*sqrt(x**2 + 1)", "y": "-y"}, BOTH), 5e-5),
        _case("buried_offset", Plant({"x": "x*y + 1e-3", "y": "-y"}, BOTH), 1e-2),
        _single("single_root", "-x + 0.001*sqrt(x**2 + 1)"),
        _single("single_waves", "-x + 1e-4*asin(sin(5*x))"),
        _single("single_bell", "0.3*x + 0.002*exp(-x**2)"),
    )


def _single(name: str, law: str) -> RoughCase:
    plant, says = Plant({"x": law}, {"x": (-2.0, 2.0)}), f"dx/dt = {law} in single precision"
    return case_of(plant, name, ROUNDED, says, kept_as(np.float32), expected=False)


def _case(name: str, plant: Plant, level: float) -> RoughCase:
    says = f"dx/dt = {plant.laws['x']} at noise {level:g}"
    return case_of(plant, name, WEAK, says, additive(level), noise=level, expected=level == 0)
