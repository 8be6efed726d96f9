"""Measurements that laws are fitted to and judged by: no variable held, as many as it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from odevsr.evidence.agreement import Agreement
from odevsr.evidence.data import Data
from odevsr.limits import DRAWN, LIKELY, Limits
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Oracle
from odevsr.world.sample import TINY, Sample

STATES = 100
"""States that numbers are fitted to, and as many fresh ones that the law is then held to: with 120
and 80 the same 466 laws of four batteries were found, and as many identified."""
FEW_FRESH = 60
"""Where states are dear. They are spread evenly, and with those seen before they rarely miss what
a law lacks in a fortieth of a range; there, a single state decides."""
MORE_WITH_NOISE = 5
"""So many times more states where single measurements say little."""


@dataclass(frozen=True, eq=False)
class Measuring:
    """Who measures, and what counts as agreement with what is measured."""

    oracle: Oracle
    agreement: Agreement
    is_frugal: bool = False
    """True if a law is held to no more fresh states than will do."""

    @property
    def limits(self) -> Limits:
        """What counts."""
        return self.agreement.limits

    @property
    def states(self) -> int:
        """States that a law is fitted to."""
        return STATES * self._more

    @property
    def fresh_states(self) -> int:
        """Other states that it is then held to."""
        return (FEW_FRESH if self.is_frugal else STATES) * self._more

    @property
    def _more(self) -> int:
        return MORE_WITH_NOISE if self.agreement.is_noisy else 1

    def data(self, sample: Sample) -> Data:
        """What was measured, as laws are held to it."""
        return Data(self.oracle.names, sample, self.agreement)

    def fresh(self, count: int, rng: np.random.Generator, box: Box | None = None) -> Data:
        """Measurements spread over the ranges, or over another box."""
        states = random_states(self.oracle.box if box is None else box, count, rng)
        return self.data(self.oracle.measure(states).measured())

    def enough(self, rng: np.random.Generator) -> Data:
        """Noisy measurements that show what a law may not lack, if that is within reason."""
        data = self.fresh(self.states, rng)
        wanted = wanted_states(data.sample, self.limits)
        if not self.states < wanted <= DRAWN:
            return data
        return self.with_more(data, self.fresh(wanted - self.states, rng).sample)

    def with_more(self, data: Data, seen: Sample) -> Data:
        """The data and all that was measured before, for whatever it was: each tells as much."""
        return self.data(data.sample.with_more(seen.within(self.oracle.box)))


def noise_share(sample: Sample) -> float:
    """Noise of one measurement over their size, each counted for as much as it tells."""
    size = float(np.sqrt(np.mean(sample.values**2)))
    return float(np.mean(sample.honest_errors**-2.0) ** -0.5) / max(size, TINY)


def wanted_states(sample: Sample, limits: Limits) -> int:
    """Measurements like these that show what a law may not lack."""
    wanted = ((limits.significant + LIKELY) * noise_share(sample) / limits.lacking) ** 2
    return math.ceil(min(wanted, 1e9))
