"""Simulators with time steps of their own, and those that return something else than the end."""

from __future__ import annotations

import numpy as np

from odevsr.bench.rough.case import OWN_STEPS, RoughCase, power_of_ten
from odevsr.bench.rough.distortions import Whole, averaged, in_steps, interpolated
from odevsr.bench.rough.plants import CUBIC, DECAY, OSCILLATOR, PENDULUM, PREY, case_of

FINE = 1e-3
"""With steps up to this a right law should be called identified."""
ROUNDED_STEPS: dict[str, Whole] = {"floor": np.floor, "round": np.round, "ceil": np.ceil}
PLANTS = {
    "prey": PREY,
    "decay": DECAY,
    "cubic": CUBIC,
    "pendulum": PENDULUM,
    "oscillator": OSCILLATOR,
}
STEPPING = (
    ("floor", "prey", 1e-6),
    ("round", "decay", 1e-6),
    ("ceil", "cubic", 1e-5),
    ("round", "pendulum", 1e-4),
    ("floor", "decay", 1e-4),
    ("floor", "oscillator", 1e-3),
    ("ceil", "decay", 1e-3),
    ("round", "prey", 1e-2),
    ("ceil", "cubic", 1e-2),
    ("floor", "decay", 1e-1),
    ("round", "cubic", 1e-1),
)


def stepping_cases() -> tuple[RoughCase, ...]:
    """Steps made whole, samples joined by lines, and means."""
    return (
        *(_stepping(*each) for each in STEPPING),
        case_of(CUBIC, "lines_fine", OWN_STEPS, "lines between samples 1e-4 apart",
                interpolated(1e-4), expected=False),
        case_of(DECAY, "lines_coarse", OWN_STEPS, "lines between samples 0.1 apart",
                interpolated(0.1), expected=False),
        case_of(PREY, "lines_prey", OWN_STEPS, "lines between samples 0.01 apart",
                interpolated(0.01), expected=False),
        case_of(DECAY, "mean_of_step", OWN_STEPS, "the mean over the step, not its end",
                averaged(), expected=False),
        case_of(CUBIC, "mean_of_window", OWN_STEPS, "the mean over the last 0.05",
                averaged(0.05), expected=False),
    )  # fmt: skip


def _stepping(how: str, plant: str, step: float) -> RoughCase:
    name, says = f"{how}_{plant}_{power_of_ten(step)}", f"{how}(step/{step:g}) steps of its own"
    distortion = in_steps(ROUNDED_STEPS[how], step)
    return case_of(PLANTS[plant], name, OWN_STEPS, says, distortion, expected=step <= FINE)
