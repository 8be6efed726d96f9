"""Simulators that answer wildly now and then: a law is theirs, but not each answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import CORNERS, Motion, RoughCase
from odevsr.bench.rough.distortions import Distortion
from odevsr.bench.rough.plants import GENE, OSCILLATOR, PENDULUM, PREY, REACTOR, TANK, case_of

Wild = Callable[[FloatArray, FloatArray, np.random.Generator], FloatArray]
"""What comes instead of ends (m, n), from states (m, n)."""


def glitch_cases() -> tuple[RoughCase, ...]:
    """Wild answers of various kinds and shares."""
    return (
        case_of(PREY, "wild_2", CORNERS, "2 % are far off", _now_and_then(0.02, _far_off)),
        case_of(PENDULUM, "wild_4", CORNERS, "4 % are far off", _now_and_then(0.04, _far_off)),
        case_of(REACTOR, "wild_rare", CORNERS, "1 in 300 is far off",
                _now_and_then(1 / 300, _far_off)),
        case_of(OSCILLATOR, "wild_nearby", CORNERS, "2 % are off by a thousandth",
                _now_and_then(0.02, _nearby)),
        case_of(TANK, "wild_frozen", CORNERS, "2 % stay where they were",
                _now_and_then(0.02, _frozen)),
        case_of(GENE, "wild_nought", CORNERS, "2 % are 0", _now_and_then(0.02, _nought)),
        case_of(PREY, "raises_now_and_then", CORNERS, "2 % of the calls raise", _raising),
        case_of(PENDULUM, "wild_noise", CORNERS, "noise of 1e-5, and 2 % are far off",
                _noisy, noise=1e-5, expected=False),
    )  # fmt: skip


def _now_and_then(share: float, wild: Wild) -> Distortion:
    def distorted(motion: Motion, _sizes: Sequence[float], rng: np.random.Generator) -> Motion:
        def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
            ends = motion(states, steps)
            off = rng.random((len(ends), 1)) < share
            return np.where(off, wild(ends, states[:, : ends.shape[1]], rng), ends)

        return moved

    return distorted


def _far_off(ends: FloatArray, _states: FloatArray, rng: np.random.Generator) -> FloatArray:
    return ends + 5 * rng.standard_normal(ends.shape)


def _nearby(ends: FloatArray, _states: FloatArray, rng: np.random.Generator) -> FloatArray:
    return ends * (1 + 1e-3 * rng.standard_normal(ends.shape))


def _frozen(_ends: FloatArray, states: FloatArray, _rng: np.random.Generator) -> FloatArray:
    return states


def _nought(ends: FloatArray, _states: FloatArray, _rng: np.random.Generator) -> FloatArray:
    return 0 * ends


def _raising(motion: Motion, _sizes: Sequence[float], rng: np.random.Generator) -> Motion:
    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        if rng.random() < 0.02:
            raise ConnectionError("no answer")
        return motion(states, steps)

    return moved


def _noisy(motion: Motion, sizes: Sequence[float], rng: np.random.Generator) -> Motion:
    wild = _now_and_then(0.02, _far_off)(motion, sizes, rng)

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        ends = wild(states, steps)
        return ends + 1e-5 * np.asarray(sizes) * rng.standard_normal(ends.shape)

    return moved
