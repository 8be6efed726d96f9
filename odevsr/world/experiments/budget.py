"""What an equation may cost: an oracle that refuses the experiment that would cost too much.

States are counted before they are measured and launches before they are made, so that nothing is
ever spent beyond the limits. A part is kept back for the last measurements, on which the best law
that was found within the limits is judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import OdevsrError
from odevsr.world.experiments.oracle import Cost, Oracle, WrappingOracle
from odevsr.world.sample import Sample
from odevsr.world.simulators.launch import Launch

KEPT_STATES, KEPT_LAUNCHES = 80, 800
"""What is kept back for the judgement at most,"""
KEPT_SHARE = 4
"""and which part of a limit it is at most: one in so many."""
LAUNCHES_A_STATE = 8
"""How many launches a state is thought to take before any was measured."""

PATIENCE = 15_000
"""States after which, if nobody limits them, a search ends that has found nothing on its way since
as many before: a law takes some 1,000 at the median, and some come out only with 100,000."""

NOTHING = Cost()


class OutOfBudgetError(OdevsrError):
    """What is allowed for an equation is spent; `by_time` if it is the seconds that are."""

    def __init__(self, note: str, *, by_time: bool = False) -> None:
        super().__init__(note)
        self.by_time = by_time


class OutOfLaunchesError(OutOfBudgetError):
    """An experiment needs more launches than are left."""


class LimitedLaunch:
    """A launcher that counts, and refuses a call with more states than are `left`."""

    def __init__(self, launch: Launch, left: float = math.inf) -> None:
        self.left = left
        self._launch = launch

    def __call__(self, states: FloatArray, step: float | FloatArray) -> FloatArray:
        """As the launcher does."""
        if len(states) > self.left:
            raise OutOfLaunchesError("no launches are left")
        self.left -= len(states)
        return self._launch(states, step)


class LimitedOracle(WrappingOracle):
    """An oracle that measures as long as that stays within `most_states` and `most_launches`.

    Without a limit of states, what is still found decides (see `watch`); where noise makes anything
    promise, `PATIENCE` does. `launch` is what its launches go through; without it only states are
    limited. `spent` is what an earlier search took of the same limits.
    """

    def __init__(
        self,
        oracle: Oracle,
        most_states: float | None,
        most_launches: float = math.inf,
        launch: LimitedLaunch | None = None,
        spent: Cost = NOTHING,
    ) -> None:
        super().__init__(oracle)
        self._seen: list[Sample] = []
        self._is_firm = most_states is not None or oracle.is_noisy
        most_states = PATIENCE + spent.states if most_states is None else most_states
        self._most_states, self._most_launches = most_states, most_launches
        self._found: Callable[[], int] = lambda: 0
        self._found_before = 0
        self._spent = spent
        self._launch = launch
        # A share of no limit at all is no number: the lesser comes first.
        self._kept_states = min(KEPT_STATES, most_states // KEPT_SHARE)
        self._kept_launches = min(KEPT_LAUNCHES, most_launches // KEPT_SHARE)

    def measure(self, states: FloatArray) -> Sample:
        """As the oracle does, unless that would pass a limit."""
        while math.prod(states.shape[:-1]) > self._left()[0] and self._is_promising():
            self._most_states += PATIENCE
        states_left, left = self._left()
        if math.prod(states.shape[:-1]) > states_left:
            raise OutOfBudgetError(f"stopped at the limit of {self._most_states:,} states")
        before = self.cost
        if self._launch is not None:
            self._launch.left = left
        try:
            batch = self._oracle.measure(states)
        except OutOfLaunchesError:
            # What was launched for the experiment that could not be ended is spent all the same.
            launch = self._launch
            made = 0 if launch is None or math.isinf(left) else int(left - launch.left)
            self.cost = before + Cost(simulations=made)
            raise OutOfBudgetError(
                f"stopped at the limit of {self._most_launches:,} launches"
            ) from None
        self._seen.append(batch)
        return batch

    def watch(self, found: Callable[[], int]) -> None:
        """Let what is found on the way, so much by now, decide how long states may be measured."""
        self._found = found

    def _is_promising(self) -> bool:
        """Whether anything was found since this was asked before."""
        before, self._found_before = self._found_before, self._found()
        return not self._is_firm and self._found_before > before

    def release(self) -> None:
        """Let what was kept back be used too."""
        self._kept_states = self._kept_launches = 0

    def affordable(self, states: int) -> int:
        """How many states, up to those asked for, can still be measured, as far as is known."""
        cost = self.cost
        each = 2 * cost.simulations / cost.states if cost.states else LAUNCHES_A_STATE
        states_left, launches_left = self._left()
        possible = launches_left / each if each else math.inf
        return max(0, int(min(states, possible, states_left)))

    def all_seen(self) -> Sample:
        """All that was measured, as if in one experiment: states (m, n)."""
        if not self._seen:
            raise OutOfBudgetError(
                "the limits allow no experiment at all; allow more states or launches"
            )
        states = np.concatenate([each.states.reshape(-1, len(self.names)) for each in self._seen])
        values = np.concatenate([each.values.ravel() for each in self._seen])
        return Sample(states, values, np.concatenate([each.errors.ravel() for each in self._seen]))

    def _left(self) -> tuple[float, float]:
        """States and launches that are not spent yet, nor kept back."""
        spent = self.cost + self._spent
        return (
            self._most_states - self._kept_states - spent.states,
            self._most_launches - self._kept_launches - spent.simulations,
        )
