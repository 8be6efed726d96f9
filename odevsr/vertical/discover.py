"""discover(): the equations of a target, component by component."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import UsageError, nearest
from odevsr.search.train import Epoch
from odevsr.settings import Settings
from odevsr.vertical.equation import discover_equation
from odevsr.vertical.result import Discovery, Equation
from odevsr.world.launch import make_launcher
from odevsr.world.oracle import Oracle, World, calibrate
from odevsr.world.registry import get_system
from odevsr.world.system import System

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Event:
    """What a listener may show: an epoch of a component's search, an equation found, a warning."""

    variable: str = ""
    epoch: Epoch | None = None
    equation: Equation | None = None
    message: str = ""


def discover(
    target: str | Path | System,
    *,
    components: Sequence[str] | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Discovery:
    """Find the equations of a system from experiments on its simulator."""
    began = time.perf_counter()
    settings = settings or Settings()
    system = target if isinstance(target, System) else get_system(target)
    world = World(system.names, system.box, make_launcher(system))
    chosen = _chosen(components, system)
    sequence = np.random.SeedSequence(seed)
    pilot, *each = sequence.spawn(1 + len(system.names))
    steps, cost = calibrate(world, np.random.default_rng(pilot))
    equations = []
    for component in chosen:
        name = system.names[component]
        oracle = Oracle(world, component, float(steps[component]))
        equation = discover_equation(
            oracle, settings, each[component], on_epoch=lambda e, n=name: on_event(Event(n, e))
        )
        on_event(Event(name, equation=equation))
        equations.append(equation)
    total = sum((equation.cost for equation in equations), cost)
    return Discovery(
        target=system.name,
        names=system.names,
        ranges=tuple((each.low, each.high) for each in system.variables),
        equations=tuple(equations),
        seed=seed,
        settings=settings,
        cost=total,
        elapsed_s=time.perf_counter() - began,
    )


def _chosen(components: Sequence[str] | None, system: System) -> list[int]:
    """Indices of the components asked for; all but the inputs if none are named."""
    known = system.components
    for component in components or ():
        if component not in known:
            raise UsageError(f"there is no component {component!r}; {nearest(component, known)}")
    return [known.index(each) for each in (known if components is None else components)]
