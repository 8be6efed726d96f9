"""How long a discovery will take where the simulator is slow, and how far it has come.

What launches take is all that matters then. A pilot makes some 3,300 of them, in 100 calls; an
equation of the registered systems takes 2,000 to 6,000, most often 3,500, in 15 to 30 calls. Where
equations share their launches, a pilot makes 2,300, and an equation adds 0 to 400 in ten calls.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.world.experiments.oracle import Cost, Oracle, World, WrappingOracle
from odevsr.world.pilot.beginning import middle_states
from odevsr.world.sample import Sample
from odevsr.world.simulators.guard import HangingError
from odevsr.world.simulators.launch import Launch


class Usual(NamedTuple):
    """What a pilot and an equation take, in launches and calls."""

    pilot_launches: int
    pilot_calls: int
    equation_launches: int
    equation_calls: int

    def launches(self, equations: float) -> int:
        """Of a discovery of so many equations."""
        return round(self.pilot_launches + equations * self.equation_launches)

    def calls(self, equations: float) -> float:
        """The same in calls."""
        return self.pilot_calls + equations * self.equation_calls


EACH_ALONE, FRUGAL = Usual(3_300, 100, 3_500, 20), Usual(2_300, 100, 150, 10)
LONG_SECONDS = 20.0
"""From here on people are told beforehand."""
SHORT_STEP = 1e-11
"""As short as the pilot's first steps: whatever the system, it does not go far."""
TRIED, TOGETHER = 8, 8
TELL_SECONDS = 0.2
"""What was spent is told at most so often."""


@dataclass(frozen=True)
class Expected:
    """What a discovery is thought to take: launches and seconds; `timed` launches found out."""

    pilot: int
    """Launches of the pilot, which are among all launches."""
    launches: int
    seconds: float
    timed: int

    @property
    def is_long(self) -> bool:
        """Whether people should be told."""
        return self.seconds > LONG_SECONDS

    @property
    def sentence(self) -> str:
        """What to tell them."""
        launches = rounded(self.launches)
        return f"the simulator is slow: about {launches} launches, {duration(self.seconds)}"

    def seconds_left(self, launches: int) -> float:
        """After so many launches; 0 if there were more than expected."""
        return self.seconds * max(0.0, 1 - launches / self.launches)


def rounded(launches: int) -> str:
    """A number of launches, as far as it is known.

    >>> rounded(12_700)
    '13,000'
    """
    return f"{float(f'{launches:.2g}'):,.0f}"


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(47.2), duration(612), duration(9000)
    ('47 seconds', '10 minutes', '2.5 hours')
    """
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def expect(
    world: World,
    equations: int,
    jobs: int = 1,
    usual: Usual = EACH_ALONE,
    clock: Callable[[], float] = time.perf_counter,
) -> Expected:
    """What the pilot and the search for so many equations will take, from a few timed launches.

    One launch tells that a simulator is fast. If it is not, another tells what the first took to
    get going, and a call with several what a state takes and what a call.
    """
    states = middle_states(world.box, TRIED + 1 + TOGETHER, np.random.default_rng(0))
    timed, seconds = _one_works(world.launch, states[:TRIED], clock)
    launches = usual.launches(equations)
    in_turn = equations / min(jobs, equations)  # the others are searched beside them
    waited, calls = usual.launches(in_turn), usual.calls(in_turn)
    if seconds * waited <= LONG_SECONDS:
        return Expected(usual.pilot_launches, launches, seconds * waited, timed)
    try:
        a_call = min(seconds, _seconds(world.launch, states[TRIED : TRIED + 1], clock))
        several = _seconds(world.launch, states[TRIED + 1 :], clock)
    except HangingError:
        raise
    except SimulationError:
        return Expected(usual.pilot_launches, launches, seconds * waited, timed)
    a_state = max(0.0, several - a_call) / (TOGETHER - 1)
    total = calls * max(0.0, a_call - a_state) + waited * a_state
    return Expected(usual.pilot_launches, launches, total, timed + 1 + TOGETHER)


def _one_works(launch: Launch, states: FloatArray, clock: Callable[[], float]) -> tuple[int, float]:
    """How many states it took to find one from which a launch works, and how long that took."""
    for tried in range(len(states)):
        try:
            return tried + 1, _seconds(launch, states[tried : tried + 1], clock)
        except HangingError:
            raise
        except SimulationError:
            continue
    return len(states), 0.0


def _seconds(launch: Launch, states: FloatArray, clock: Callable[[], float]) -> float:
    began = clock()
    launch(states, np.full(len(states), SHORT_STEP))
    return clock() - began


class TellingOracle(WrappingOracle):
    """An oracle that tells now and then what has been spent."""

    def __init__(self, oracle: Oracle, tell: Callable[[Cost], None]) -> None:
        super().__init__(oracle)
        self._tell = tell
        self._told = time.monotonic()

    def measure(self, states: FloatArray) -> Sample:
        """As the oracle does."""
        batch = self._oracle.measure(states)
        if time.monotonic() - self._told >= TELL_SECONDS:
            self._tell(self.cost)
            self._told = time.monotonic()
        return batch
