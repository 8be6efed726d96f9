"""Engines: solvers with a step of their own, as people write them, on whichever side of exact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import OWN_STEPS, Field, Motion, RoughCase, power_of_ten
from odevsr.bench.rough.motion import field_of
from odevsr.bench.rough.plants import GENE, LOGISTIC, OSCILLATOR, PENDULUM, PREY, TANK, Plant

Step = Callable[[Field, FloatArray, FloatArray], FloatArray]
"""By how much a step of lengths (m, 1) moves states (m, n) along a field."""
Engine = Callable[[Callable[[FloatArray, FloatArray], FloatArray], float], Motion]
"""A motion made of steps, which move states (m, n) for lengths (m,), of a length of its own."""

MOST = 2000
"""Steps that an engine makes before it gives up."""


def _euler(field: Field, states: FloatArray, step: FloatArray) -> FloatArray:
    return np.asarray(step * field(states))


def _midpoint(field: Field, states: FloatArray, step: FloatArray) -> FloatArray:
    return np.asarray(step * field(states + step / 2 * field(states)))


def _implicit(field: Field, states: FloatArray, step: FloatArray) -> FloatArray:
    moved = _euler(field, states, step)
    for _ in range(50):
        moved = np.asarray(step * field(states + moved))
    return moved


def _runge_kutta(field: Field, states: FloatArray, step: FloatArray) -> FloatArray:
    first = field(states)
    second = field(states + step / 2 * first)
    third = field(states + step / 2 * second)
    fourth = field(states + step * third)
    return np.asarray(step / 6 * (first + 2 * second + 2 * third + fourth))


def _times(
    move: Callable[[FloatArray, FloatArray], FloatArray],
    states: FloatArray,
    lengths: FloatArray,
    counts: FloatArray,
) -> FloatArray:
    """States after so many steps each."""
    counts = np.minimum(counts, MOST)
    for count in range(int(counts.max(initial=0))):
        states = np.where((count < counts)[:, None], move(states, lengths), states)
    return states


def _whole(move: Callable[[FloatArray, FloatArray], FloatArray], length: float) -> Motion:
    """The nearest whole number of steps, in either direction."""
    return lambda states, steps: _times(
        move, states, length * np.sign(steps), np.rint(np.abs(steps) / length)
    )


def _forwards(move: Callable[[FloatArray, FloatArray], FloatArray], length: float) -> Motion:
    """As many whole steps as there is time for, forwards only."""
    return lambda states, steps: _times(
        move, states, np.full(len(states), length), np.floor(steps / length)
    )


def _one_at_least(move: Callable[[FloatArray, FloatArray], FloatArray], length: float) -> Motion:
    """Whole steps, and one if it should be none."""
    return lambda states, steps: _times(
        move, states, length * np.sign(steps), np.maximum(np.rint(np.abs(steps) / length), 1)
    )


def _with_rest(move: Callable[[FloatArray, FloatArray], FloatArray], length: float) -> Motion:
    """Whole steps, and a shorter one at the end."""

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        whole = np.floor(np.abs(steps) / length)
        states = _times(move, states, length * np.sign(steps), whole)
        return move(states, np.sign(steps) * (np.abs(steps) - length * whole))

    return moved


def _fitted(move: Callable[[FloatArray, FloatArray], FloatArray], length: float) -> Motion:
    """Equal steps of about that length, which end in time."""

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        counts = np.clip(np.ceil(np.abs(steps) / length), 1, MOST)
        return _times(move, states, steps / counts, counts)

    return moved


ENGINES: tuple[tuple[str, Plant, Step, Engine, float, bool], ...] = (
    ("euler_whole", PENDULUM, _euler, _whole, 1e-2, False),
    ("euler_whole", PENDULUM, _euler, _whole, 1e-4, True),
    ("euler_forwards", PREY, _euler, _forwards, 1e-2, False),
    ("euler_forwards", LOGISTIC, _euler, _forwards, 1e-4, True),
    ("euler_one_at_least", LOGISTIC, _euler, _one_at_least, 1e-4, False),
    ("euler_with_rest", LOGISTIC, _euler, _with_rest, 1e-1, False),
    ("euler_with_rest", LOGISTIC, _euler, _with_rest, 1e-3, True),
    ("euler_fitted", PENDULUM, _euler, _fitted, 1e-2, False),
    ("midpoint_whole", TANK, _midpoint, _whole, 1e-2, True),
    ("implicit_whole", PREY, _implicit, _whole, 1e-2, False),
    ("implicit_fitted", LOGISTIC, _implicit, _fitted, 1e-3, False),
    ("rk4_whole", OSCILLATOR, _runge_kutta, _whole, 1e-2, True),
    ("rk4_whole", OSCILLATOR, _runge_kutta, _whole, 1e-1, False),
    ("rk4_forwards", GENE, _runge_kutta, _forwards, 1e-2, False),
    ("rk4_with_rest", GENE, _runge_kutta, _with_rest, 1e-1, True),
)


def engine_cases() -> tuple[RoughCase, ...]:
    """Each engine on one plant."""
    return tuple(_case(*each) for each in ENGINES)


def _case(
    name: str, plant: Plant, step: Step, engine: Engine, length: float, good: bool
) -> RoughCase:
    field, size = field_of(plant.laws, plant.inputs), len(plant.laws)

    def move(states: FloatArray, lengths: FloatArray) -> FloatArray:
        return states + step(field, states, lengths[:, None])

    motion = engine(move, length)
    return RoughCase(
        name=f"{name}_{power_of_ten(length)}",
        kind=OWN_STEPS,
        says=f"{name.replace('_', ' ')}, steps of {length:g}",
        ranges=plant.ranges,
        make=lambda rng: lambda states, steps: motion(states, steps)[:, :size],
        laws=plant.laws,
        inputs=plant.inputs,
        expected=good,
    )
