"""The pilot launches of a discovery, and the launches that its equations share."""

from __future__ import annotations

import numpy as np

from odevsr.discovery.executors import Workers
from odevsr.discovery.request import Request
from odevsr.discovery.task import Event, Listener
from odevsr.settings import Settings
from odevsr.vertical.asking.common import common_shares
from odevsr.vertical.asking.design import design_of
from odevsr.world.experiments.oracle import World
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.pilot.pilot import PILOT_STATES, Pilot
from odevsr.world.pilot.timing import EACH_ALONE, FRUGAL, expect, rounded
from odevsr.world.piloted import pilot_of


def run_pilot(
    request: Request, workers: Workers, on_event: Listener, shared: SharedLaunches | None
) -> Pilot:
    """What pilot launches tell; before them, say how long a slow simulator will take.

    How many launches that estimate takes depends on the machine, so they are not counted.
    """

    def announce(world: World) -> None:
        equations, jobs = len(request.chosen), workers if isinstance(workers, int) else 1
        shares = shared is not None
        expected = expect(world, equations, 1 if shares else jobs, FRUGAL if shares else EACH_ALONE)
        if expected.is_long:
            fewer = f"; about {rounded(FRUGAL.launches(equations))} with --frugal"
            settings = request.settings
            is_usual = settings.expansion == "factored" and not settings.frugal
            said = expected.sentence + fewer * (is_usual and _may_share(settings))
            on_event(Event(message=said, expected=expected))

    rng = np.random.default_rng(request.pilot_seeds)
    before = announce if not request.studied.system_file else lambda world: None
    watches = request.settings.sampling == "crossings"
    difference = request.settings.difference
    return pilot_of(request.studied, difference, rng, shared, before, watches=watches)


def shared_launches(request: Request) -> SharedLaunches | None:
    """Where equations that share their launches keep them; None if they do not."""
    if not (request.settings.frugal and _may_share(request.settings)):
        return None
    design = design_of(np.random.SeedSequence(request.seed))
    return SharedLaunches(common_shares(PILOT_STATES, len(request.studied.names), design))


def _may_share(settings: Settings) -> bool:
    """Whether equations could share their launches."""
    return settings.noise == 0 and settings.sampling == "launches"
