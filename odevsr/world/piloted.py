"""How a target is measured: by differences of launches, or as it tells rates or values itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from odevsr.world.experiments.launched import LaunchOracle, Noise
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.experiments.values import ValueOracle, explore_values
from odevsr.world.pilot.pilot import Pilot, explore, with_suspects
from odevsr.world.studied import Studied


def pilot_of(
    studied: Studied,
    difference: str,
    rng: np.random.Generator,
    shared: SharedLaunches | None = None,
    before: Callable[[World], None] = lambda world: None,
    *,
    watches: bool = False,
) -> Pilot:
    """What a pilot tells of the target; the difference is that of what only moves.

    `before` is shown the world that is about to be asked. A pilot that only watches sets no state
    but where trajectories begin, which is drawn.
    """
    world = studied.told() if studied.tells else studied.world()
    before(world)
    if studied.tells:
        return explore_values(world, rng, shared)
    if watches:
        return explore(world, "forward", rng)
    return with_suspects(explore(world, difference, rng, shared), world, rng)


def asked_world(studied: Studied, pilot: Pilot) -> World:
    """The world that a pilot asked, which moves states or tells their rates."""
    return studied.world() if pilot.takes_differences else studied.told()


def world_of(studied: Studied, pilot: Pilot) -> World:
    """The same within the ranges that the pilot found to work."""
    return pilot.world(asked_world(studied, pilot))


def oracle_of(
    world: World,
    component: int,
    pilot: Pilot,
    noise: Noise | None = None,
    shared: SharedLaunches | None = None,
) -> LaunchOracle:
    """Who measures a component in that world as the pilot did."""
    calibration = pilot.calibrations[component]
    if not pilot.takes_differences:
        return ValueOracle(world, component, calibration, noise=noise, shared=shared)
    return LaunchOracle(world, component, calibration, pilot.difference, noise, shared)
