"""Every simulator of the battery by its name.

odevsr discover odevsr.bench.rough.simulators:hysteresis
"""

from __future__ import annotations

from odevsr.bench.rough.battery import battery
from odevsr.world.simulators.simulator import Simulator


def __getattr__(name: str) -> Simulator:
    if name not in battery():
        raise AttributeError(f"the battery has no simulator {name!r}")
    return battery()[name].simulator()
