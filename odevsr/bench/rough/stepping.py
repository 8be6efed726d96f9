"""Simulators with time steps of their own, and those that return something else than the end."""

from __future__ import annotations

import numpy as np

from odevsr.bench.rough.case import OWN_STEPS, Case
from odevsr.bench.rough.distortions import Whole, averaged, in_steps, interpolated
from odevsr.bench.rough.plants import CUBIC, DECAY, OSCILLATOR, PENDULUM, PREY, Plant, case_of

FINE = 1e-3
"""With steps up to this a right law should be called identified."""
ROUNDED_STEPS: dict[str, Whole] = {"floor": np.floor, "round": np.round, "ceil": np.ceil}
STEPPING: tuple[tuple[str, Plant, float], ...] = (
    ("floor", PREY, 1e-6),
    ("round", DECAY, 1e-6),
    ("ceil", CUBIC, 1e-5),
    ("round", PENDULUM, 1e-4),
    ("floor", DECAY, 1e-4),
    ("floor", OSCILLATOR, 1e-3),
    ("ceil", DECAY, 1e-3),
    ("round", PREY, 1e-2),
    ("ceil", CUBIC, 1e-2),
    ("floor", DECAY, 1e-1),
    ("round", CUBIC, 1e-1),
)


def stepping_cases() -> tuple[Case, ...]:
    """Steps made whole, samples joined by lines, and means."""
    return (
        *(_stepping(f"{how}_{number}", how, plant, step)
          for number, (how, plant, step) in enumerate(STEPPING)),
        case_of(CUBIC, "lines_fine", OWN_STEPS, "lines between samples 1e-4 apart",
                interpolated(1e-4), noise=1e-4, expected=False),
        case_of(DECAY, "lines_coarse", OWN_STEPS, "lines between samples 0.1 apart",
                interpolated(0.1), expected=False),
        case_of(PREY, "lines_prey", OWN_STEPS, "lines between samples 0.01 apart",
                interpolated(0.01), expected=False),
        case_of(DECAY, "mean_of_step", OWN_STEPS, "the mean over the step, not its end",
                averaged(), expected=False),
        case_of(CUBIC, "mean_of_window", OWN_STEPS, "the mean over the last 0.05",
                averaged(0.05), expected=False),
    )  # fmt: skip


def _stepping(name: str, how: str, plant: Plant, step: float) -> Case:
    says = f"{how}(step/{step:g}) steps of its own"
    distortion = in_steps(ROUNDED_STEPS[how], step)
    return case_of(plant, name, OWN_STEPS, says, distortion, noise=step, expected=step <= FINE)
