"""discover(): the equations of a target, component by component."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from odevsr.errors import UsageError, nearest
from odevsr.settings import Settings
from odevsr.vertical.learning import learnt_rules
from odevsr.vertical.result import Discovery, Equation, Status
from odevsr.vertical.task import Event, MakeOracle, Task, run_tasks
from odevsr.world.pilot import Pilot, explore
from odevsr.world.simulator import TIME_LIMIT
from odevsr.world.studied import Studied, Target, study


class Interrupted(KeyboardInterrupt):  # noqa: N818  (it is one)
    """A discovery was interrupted; `discovery` holds what was found until then."""

    def __init__(self, discovery: Discovery) -> None:
        super().__init__()
        self.discovery = discovery


def discover(
    target: Target,
    *,
    components: Sequence[str] | None = None,
    oracle: MakeOracle | None = None,
    policy: str | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    jobs: int = 1,
    timeout: float = TIME_LIMIT,
    on_event: Callable[[Event], None] = lambda event: None,
) -> Discovery:
    """Find the equations of a target from experiments on its simulator.

    The target is a system, its name or file, or a simulator of your own (see `odevsr.simulator`).
    `components` names the variables whose equations are wanted; `policy` is short for the setting;
    `oracle` makes who measures a component, if not by launches. The result is the same for any
    number of `jobs`, which are processes. Ctrl-C raises `Interrupted`, with what was found.
    """
    began = time.perf_counter()
    settings = settings or Settings()
    if policy is not None:
        settings = replace(settings, policy=policy)
    studied = study(target, timeout=timeout)
    chosen = _chosen(components, studied)
    pilot_seeds, *seeds = np.random.SeedSequence(seed).spawn(1 + 2 * len(studied.names))
    world = studied.world()
    pilot = explore(world, settings.difference, np.random.default_rng(pilot_seeds))
    for warning in pilot.warnings:
        on_event(Event(message=warning))
    first = [Task(studied, pilot, index, settings, seeds[index], oracle) for index in chosen]
    found: dict[str, Equation] = {}

    def so_far(interrupted: bool) -> Discovery:
        return _discovery(studied, pilot, chosen, found, settings, seed, began, interrupted)

    try:
        for equation in run_tasks(first, jobs, on_event):
            found[equation.variable] = equation
        second = _second_pass(first, found, seeds[len(studied.names) :])
        for equation in run_tasks(second, jobs, on_event):
            found[equation.variable] = _better(found[equation.variable], equation)
    except KeyboardInterrupt:
        raise Interrupted(so_far(interrupted=True)) from None
    return so_far(interrupted=False)


def _chosen(components: Sequence[str] | None, studied: Studied) -> list[int]:
    """Indices of the components asked for, in order; all that have a law if none are named."""
    known = studied.components
    for component in components or ():
        if component not in known:
            raise UsageError(f"there is no component {component!r}; {nearest(component, known)}")
    wanted = known if components is None else components
    return [index for index, name in enumerate(known) if name in wanted]


def _second_pass(
    first: Sequence[Task], found: dict[str, Equation], seeds: Sequence[np.random.SeedSequence]
) -> list[Task]:
    """The equations not identified once more, with what the identified ones teach as rules."""
    identified = [each for each in found.values() if each.status is Status.IDENTIFIED]
    order = sorted(identified, key=lambda each: each.variable)
    learnt = learnt_rules([each.expression for each in order])
    if not learnt:
        return []
    return [
        replace(task, seeds=seeds[task.component], learnt=learnt)
        for task in first
        if found[task.variable].status is not Status.IDENTIFIED
    ]


def _better(first: Equation, second: Equation) -> Equation:
    """The second equation if it is identified or nearer, with what both searches cost."""
    order = list(Status)
    nearer = (order.index(second.status), second.nmse) < (order.index(first.status), first.nmse)
    return replace(
        second if nearer else first,
        cost=first.cost + second.cost,
        candidates=first.candidates + second.candidates,
        elapsed_s=first.elapsed_s + second.elapsed_s,
        passes=2,
    )


def _discovery(
    studied: Studied,
    pilot: Pilot,
    chosen: Sequence[int],
    found: dict[str, Equation],
    settings: Settings,
    seed: int,
    began: float,
    interrupted: bool,
) -> Discovery:
    names = [studied.names[index] for index in chosen]
    equations = tuple(found[name] for name in names if name in found)
    return Discovery(
        target=studied.name,
        names=studied.names,
        ranges=pilot.box,
        equations=equations,
        seed=seed,
        settings=settings,
        cost=sum((each.cost for each in equations), pilot.cost),
        elapsed_s=time.perf_counter() - began,
        interrupted=interrupted,
    )
