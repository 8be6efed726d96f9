"""Simulators without a law: what happens next is not decided by the state that is shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.rough.case import NO_LAW, Make, Motion, RoughCase


def lawless_cases() -> tuple[RoughCase, ...]:
    """Memories, hidden variables, delays and drifts; each relaxes or turns by a formula."""
    return (
        _case("hysteresis", "a relay that remembers on which side the last launch was", _relay),
        _case("hidden_speed", "an oscillator that shows only its place, and starts at rest", _rest),
        _case("hidden_kept", "a variable that is not shown goes on between calls", _hidden_kept),
        _case("hidden_start", "a hidden variable that starts anew", _hidden_start),
        _case("delay", "reacts to where it was a time of 1 ago: where it starts", _delay),
        _case("delay_kept", "reacts to where the last call was", _delay_kept),
        _case("drift_per_call", "a rate that grows by 1e-3 at each call", _drifting(1e-3, 0.0)),
        _case("drift_per_launch", "a rate that grows with the launches", _drifting(0.0, 1e-5)),
        _case("drift_slow", "a rate that grows by 1e-4 at each call", _drifting(1e-4, 0.0)),
        _case("waves", "a rate that goes up and down with the calls", _paced(_waving)),
        _case("ripples", "the same by 1e-5, with the launches", _rippling),
        _case("warming_up", "a rate that settles after many calls", _paced(_warming)),
        _case("latch", "a relay that latches for good beyond 1.9", _latching),
        _case("fuse", "a rate that falls for good after 3,000 launches", _fused),
        *(
            _case(
                f"tired_{calls}",
                f"a rate that falls at call {calls}",
                _paced(partial(_tired, calls)),
            )
            for calls in (8, 20, 60)
        ),
        _case("every_tenth", "a rate that is another at every tenth call", _paced(_every_tenth)),
        _case(
            "crowd", "a rate that is another where many launches are asked for at once", _crowded
        ),
        _case("first_of_call", "launches that follow the first of their call", _following),
        _case("thermostat", "a relay with two thresholds", _thermostat),
        _case("neighbours", "launches of one call disturb each other", _neighbours),
    )


def _case(name: str, says: str, make: Make) -> RoughCase:
    return RoughCase(
        name=name, kind=NO_LAW, says=says, ranges={"x": (-2.0, 2.0)}, make=make, expected=False
    )


def _relaxed(states: FloatArray, goal: FloatArray | float, time: FloatArray) -> FloatArray:
    """Where x' = goal - x leads."""
    return np.asarray(goal + (states - goal) * np.exp(-time)[:, None])


def _relay(_rng: np.random.Generator) -> Motion:
    last = [1.0]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        sides = np.empty_like(states)
        for row, place in enumerate(states[:, 0]):
            last[0] = float(np.sign(place)) if abs(place) > 0.5 else last[0]
            sides[row] = last[0]
        return _relaxed(states, sides, steps)

    return moved


def _rest(_rng: np.random.Generator) -> Motion:
    return lambda states, steps: states * np.cos(steps)[:, None]


def _hidden_start(_rng: np.random.Generator) -> Motion:
    """The variables follow x' = y - x and y' = -x; y is hidden and starts at x**2."""

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        hidden = states**2 - states * steps[:, None]
        return _relaxed(states, hidden, steps)

    return moved


def _hidden_kept(_rng: np.random.Generator) -> Motion:
    hidden = [0.0]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        hidden[0] = 0.9 * hidden[0] + 0.1 * float(np.mean(states)) + 0.02
        return _relaxed(states, hidden[0], steps)

    return moved


def _delay(_rng: np.random.Generator) -> Motion:
    return lambda states, steps: states * (1 - steps)[:, None]


def _delay_kept(_rng: np.random.Generator) -> Motion:
    last = [0.0]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        before, last[0] = last[0], float(states[0, 0])
        return _relaxed(states, -before, steps)

    return moved


def _drifting(a_call: float, a_launch: float) -> Make:
    def make(_rng: np.random.Generator) -> Motion:
        rate = [1.0]

        def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
            rate[0] += a_call + a_launch * len(states)
            return _relaxed(states, 0.5, rate[0] * steps)

        return moved

    return make


def _paced(pace: Callable[[int], float]) -> Make:
    """A rate that depends on how many calls there were."""

    def make(_rng: np.random.Generator) -> Motion:
        calls = [0]

        def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
            calls[0] += 1
            return _relaxed(states, 0.0, pace(calls[0]) * steps)

        return moved

    return make


def _waving(calls: int) -> float:
    return 1 + 0.05 * math.sin(calls / 7)


def _warming(calls: int) -> float:
    return 1 - 0.3 * math.exp(-calls / 400)


def _tired(most: int, calls: int) -> float:
    return 1.0 if calls < most else 0.4


def _every_tenth(calls: int) -> float:
    return 1.0 if calls % 10 else 0.4


def _latching(_rng: np.random.Generator) -> Motion:
    goal = [1.0]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        if np.any(states > 1.9):
            goal[0] = 0.0
        return _relaxed(states, goal[0], steps)

    return moved


def _fused(_rng: np.random.Generator) -> Motion:
    launches = [0]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        launches[0] += len(states)
        return _relaxed(states, 0.0, (1.0 if launches[0] < 3000 else 0.4) * steps)

    return moved


def _rippling(_rng: np.random.Generator) -> Motion:
    launches = [0]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        own = launches[0] + np.arange(len(states))
        launches[0] += len(states)
        return _relaxed(states, 3.0, (1 + 1e-5 * np.sin(own / 300)) * steps)

    return moved


def _crowded(_rng: np.random.Generator) -> Motion:
    return lambda states, steps: _relaxed(states, 0.0, (1.1 if len(states) > 50 else 1.0) * steps)


def _following(_rng: np.random.Generator) -> Motion:
    return lambda states, steps: _relaxed(states, 0.1 * states[:1], steps)


def _thermostat(_rng: np.random.Generator) -> Motion:
    rate = [0.5]

    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        rates = np.empty(len(states))
        for row, place in enumerate(states[:, 0]):
            if abs(place) > 1.5:
                rate[0] = 1.0 if place > 0 else 0.5
            rates[row] = rate[0]
        return _relaxed(states, 0.0, rates * steps)

    return moved


def _neighbours(_rng: np.random.Generator) -> Motion:
    def moved(states: FloatArray, steps: FloatArray) -> FloatArray:
        return _relaxed(states, 0.1 * np.roll(states, 1, axis=0), steps)

    return moved
