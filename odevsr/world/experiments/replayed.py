"""An oracle that knows what was measured before, and nothing else."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import RunError
from odevsr.world.experiments.budget import OutOfBudgetError
from odevsr.world.experiments.measurements import Measured
from odevsr.world.experiments.oracle import Cost, Oracle, WrappingOracle
from odevsr.world.sample import Sample


class ReplayingOracle(WrappingOracle):
    """Answers from experiments of an earlier search, in any order, by the states they were made at.

    An experiment that was made several times is answered in turn. One whose states were measured in
    several others is put together from these. What was never measured ends the search: the note
    of its equation says where.
    """

    def __init__(self, oracle: Oracle, experiments: Iterable[Measured]) -> None:
        super().__init__(oracle)
        self._whole: dict[bytes, deque[Measured]] = defaultdict(deque)
        self._single: dict[bytes, tuple[float, float]] = {}
        self._is_new = True
        for each in experiments:
            self._whole[each.asked.tobytes()].append(each)
            for state, *found in zip(each.states, each.values, each.errors, strict=True):
                self._single.setdefault(state.tobytes(), (found[0], found[1]))

    def measure(self, states: FloatArray) -> Sample:
        """As it was measured."""
        flat = np.ascontiguousarray(states.reshape(-1, states.shape[-1]))
        again = self._whole.get(flat.tobytes())
        found = again.popleft() if again else self._put_together(flat)
        self._is_new = False
        self._oracle.cost += found.spent
        return found.sample(states.shape)

    def _put_together(self, flat: FloatArray) -> Measured:
        found = [self._single.get(state.tobytes()) for state in flat]
        if None in found:
            raise self._not_measured(flat[found.index(None)])
        values, errors = np.array(found, dtype=np.float64).reshape(-1, 2).T
        return Measured(flat, values, errors, Cost(experiments=1, states=len(flat)), flat)

    def _not_measured(self, state: FloatArray) -> RunError | OutOfBudgetError:
        """That ends the search; if it is the very first experiment, the run, with a next step."""
        name = self.names[self.component]
        pairs = zip(self.names, state.tolist(), strict=True)
        where = ", ".join(f"{name} = {value:.6g}" for name, value in pairs)
        if self._is_new:
            return RunError(
                f"the first experiment on {name}, at {where}, was never made; replay with the "
                "settings of the run, or change only what decides later"
            )
        return OutOfBudgetError(f"stopped where nothing was measured, at {where}")
