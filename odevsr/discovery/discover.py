"""discover(): the equations of a target, component by component."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.discovery.files import versions
from odevsr.discovery.folder import RunFolder, open_run, recorded_file
from odevsr.discovery.learning import learnt_rules
from odevsr.discovery.processes import run_tasks
from odevsr.discovery.result import Discovery, Unfinished
from odevsr.discovery.task import Event, Listener, MakeOracle, Task
from odevsr.errors import UsageError, nearest
from odevsr.language.expression import Real
from odevsr.language.grammar import make_grammar
from odevsr.search.loop import Epoch
from odevsr.settings import DEFAULT_OPERATORS, Settings, changed
from odevsr.settings import preset as preset_settings
from odevsr.vertical.equation import Equation, Status
from odevsr.world.guard import TIME_LIMIT
from odevsr.world.oracle import Cost, World
from odevsr.world.pilot import Pilot, explore
from odevsr.world.ranges import RangeLike
from odevsr.world.studied import Studied, Target, recorded_system, study
from odevsr.world.timing import expect


class Interrupted(KeyboardInterrupt):
    """A discovery was interrupted; `discovery` holds what was found until then."""

    def __init__(self, discovery: Discovery) -> None:
        super().__init__()
        self.discovery = discovery


def discover(
    target: Target,
    *,
    params: Mapping[str, Real | str] | None = None,
    vary: Mapping[str, RangeLike] | None = None,
    ranges: Mapping[str, RangeLike] | None = None,
    components: str | Sequence[str] | None = None,
    oracle: MakeOracle | None = None,
    preset: str | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    jobs: int = 1,
    timeout: float = TIME_LIMIT,
    out: str | Path | None = None,
    resume: bool = False,
    on_event: Callable[[Event], None] = lambda event: None,
    **changes: Any,  # noqa: ANN401
) -> Discovery:
    """Find the equations of a target from experiments on its simulator.

    The target is a system, its name or file, or a simulator of your own (see `odevsr.simulator`,
    `odevsr.rhs` and `odevsr.stepper`), which may take `timeout` seconds for each state. A system
    may have other parameters (`params`) or inputs in their place (`vary`, see `odevsr.lift`).
    `ranges` are other ones than the target's own, (low, high) or `odevsr.Range`. `components` names
    the variable, or those, whose equations are wanted; `oracle` makes who measures a component, if
    not by launches.

    Settings are those of a `preset` ("fast", "paper") or `settings` of your own; any field of
    `odevsr.Settings` may be given beside them: `noise=0.01`, `trials=8`. The result is the
    same for any number of `jobs`, which are processes. `out` is a folder for the record of the run,
    which `resume` goes on with, with the system as it was. Ctrl-C raises `Interrupted`, with what
    was found.

    >>> discover("lorenz", components="x2", params={"beta": "7/3"}).print()
    dx2/dt = x0*x1 - 7/3*x2
    """
    if resume and out is not None and not (params or vary or ranges):
        target = recorded_system(target, recorded_file(Path(out))) or target
    studied = study(target, params=params, vary=vary, ranges=ranges, timeout=timeout)
    settings = _settings(preset, settings, changes, studied)
    seed, jobs = _whole("the seed", seed, 0), _whole("the number of jobs", jobs, 1)
    if jobs > 1:
        from odevsr.discovery.spawning import check_program

        check_program()
    make_grammar(studied.names, operators=settings.operators)  # refuses unknown operators at once
    chosen = _chosen(components, studied)
    folder = None
    if out is not None:
        asked = _asked(studied, chosen, settings, seed)
        folder = open_run(Path(out), asked, system_file=studied.system_file, resume=resume)
    elif resume:
        raise UsageError("only a run with a folder can be resumed; give the folder too")
    pilot_seeds, *seeds = np.random.SeedSequence(seed).spawn(1 + 2 * len(studied.names))
    began = time.perf_counter()
    pilot = folder.pilot() if folder is not None else None
    if pilot is None:
        world = studied.world()
        timed = 0 if studied.system_file else _announced(world, len(chosen), jobs, on_event)
        pilot = explore(world, settings.difference, np.random.default_rng(pilot_seeds))
        pilot = replace(pilot, cost=pilot.cost + Cost(simulations=timed))
    search = _Search(studied, pilot, chosen, settings, seed, jobs, began, folder, on_event)
    search.begin()
    try:
        search.first_pass(oracle, seeds)
        search.second_pass(oracle, seeds[len(studied.names) :])
    except KeyboardInterrupt:
        raise Interrupted(search.end(interrupted=True)) from None
    return search.end(interrupted=False)


def _announced(world: World, equations: int, jobs: int, on_event: Listener) -> int:
    """Tell how long a slow simulator will take; how many launches it took to know that."""
    expected = expect(world, equations, jobs)
    if expected.is_long:
        on_event(Event(message=expected.sentence, expected=expected))
    return expected.timed


def _whole(what: str, value: int, least: int) -> int:
    if not (isinstance(value, int | np.integer) and value >= least):
        raise UsageError(f"{what} is a whole number from {least} on, not {value!r}")
    return int(value)


def _settings(
    preset: str | None, settings: Settings | None, changes: Mapping[str, Any], studied: Studied
) -> Settings:
    """What was asked for; the operators are those of the system's file where nobody says."""
    if settings is not None and preset is not None:
        raise UsageError("a preset and settings exclude each other; give one of the two")
    if settings is None:
        operators = studied.operators or DEFAULT_OPERATORS
        settings = preset_settings(preset or "fast", operators=operators)
    return changed(settings, changes)


def _chosen(components: str | Sequence[str] | None, studied: Studied) -> list[int]:
    """Indices of the components asked for, in order; all that have a law if none are named."""
    if isinstance(components, str):
        components = [components]
    known = studied.components
    if components is not None and not components:
        raise UsageError("no component is named; leave components out to search all")
    for component in components or ():
        if component not in known:
            raise UsageError(f"there is no component {component!r}; {nearest(component, known)}")
    wanted = known if components is None else components
    return [index for index, name in enumerate(known) if name in wanted]


def _asked(
    studied: Studied, chosen: Sequence[int], settings: Settings, seed: int
) -> dict[str, object]:
    return {
        "target": studied.name,
        "digest": studied.digest,
        "components": [studied.names[index] for index in chosen],
        "seed": seed,
        "settings": settings.to_json(),
    }


@dataclass(eq=False)
class _Search:
    """A discovery while it grows."""

    studied: Studied
    pilot: Pilot
    chosen: Sequence[int]
    settings: Settings
    seed: int
    jobs: int
    began: float
    folder: RunFolder | None
    on_event: Listener
    found: dict[str, Equation] = field(default_factory=dict)
    unfinished: list[Unfinished] = field(default_factory=list)

    def begin(self) -> None:
        """Tell what the pilot warns of; take over what a resumed run found."""
        for warning in self.pilot.warnings:
            self.on_event(Event(message=warning))
        if self.folder is not None:
            self.folder.begin(self.pilot)
            self.found.update(self.folder.equations())
            done = [(name, number) for name, each in self.found.items() for number in (1, 2)
                    if number <= each.passes]  # fmt: skip
            self.folder.keep_history(done)

    def first_pass(
        self, oracle: MakeOracle | None, seeds: Sequence[np.random.SeedSequence]
    ) -> None:
        """Search every component that was asked for."""
        tasks = [
            Task(self.studied, self.pilot, component, self.settings, seeds[component], oracle)
            for component in self.chosen
            if self.studied.names[component] not in self.found
        ]
        self._run(tasks, 1)

    def second_pass(
        self, oracle: MakeOracle | None, seeds: Sequence[np.random.SeedSequence]
    ) -> None:
        """Search what was not identified once more, with what the identified equations teach."""
        teachers = [
            self.found[name]
            for name in self.studied.names
            if name in self.found and self._is_identified(name) and self.found[name].passes == 1
        ]
        learnt = learnt_rules([each.expression for each in teachers])
        tasks = [
            Task(
                self.studied,
                self.pilot,
                component,
                self.settings,
                seeds[component],
                oracle,
                learnt,
                spent=self.found[name].cost,
            )
            for component in self.chosen
            if (name := self.studied.names[component]) in self.found
            and not self._is_identified(name)
            and self.found[name].passes == 1
            and self._has_left(self.found[name].cost)
        ]
        self._run(tasks if learnt else [], 2)

    def so_far(self, *, interrupted: bool) -> Discovery:
        """The discovery as it is now."""
        names = [self.studied.names[component] for component in self.chosen]
        equations = tuple(self.found[name] for name in names if name in self.found)
        spent = [each.cost for each in equations] + [each.cost for each in self.unfinished]
        return Discovery(
            target=self.studied.name,
            names=self.studied.names,
            ranges=tuple((float(low), float(high)) for low, high in self.pilot.box.limits),
            equations=equations,
            seed=self.seed,
            settings=self.settings,
            cost=sum(spent, self.pilot.cost),
            elapsed_s=time.perf_counter() - self.began,
            interrupted=interrupted,
            versions=versions(),
            system_file=self.studied.system_file,
            unfinished=tuple(self.unfinished),
        )

    def end(self, *, interrupted: bool) -> Discovery:
        """The discovery, written to its folder."""
        discovery = self.so_far(interrupted=interrupted)
        if self.folder is not None:
            self.folder.write(discovery)
        return discovery

    def _has_left(self, cost: Cost) -> bool:
        """Whether half of what an equation may cost is left for another search."""
        launches = self.settings.max_launches or math.inf
        return 2 * cost.states <= self.settings.most_states and 2 * cost.simulations <= launches

    def _is_identified(self, name: str) -> bool:
        return self.found[name].status in (Status.IDENTIFIED, Status.UNDECIDED)

    def _run(self, tasks: Sequence[Task], passes: int) -> None:
        """Do the tasks; after each, write what has been found."""
        if self.folder is not None:
            tasks = [
                replace(task, record=self.folder.measurements(task.variable, passes))
                for task in tasks
            ]
        with closing(run_tasks(tasks, self.jobs, self._logged(passes))) as equations:
            for equation in equations:
                before = self.found.get(equation.variable)
                self.found[equation.variable] = _better(before, equation) if before else equation
                if self.folder is not None:
                    self.folder.write(self.so_far(interrupted=True))
                self.on_event(Event(equation.variable, equation=self.found[equation.variable]))

    def _logged(self, passes: int) -> Listener:
        """The listener, which also writes epochs to the run's history; what ends is kept here."""

        def listen(event: Event) -> None:
            if event.unfinished is not None:
                self.unfinished.append(event.unfinished)
                return
            if self.folder is not None and event.epoch is not None:
                self.folder.log({"equation": event.variable, "pass": passes, **_plain(event.epoch)})
            self.on_event(event)

        return listen


def _plain(epoch: Epoch) -> dict[str, object]:
    """An epoch for the history; JSON has no infinity."""
    loss = epoch.best_loss
    return {**vars(epoch), "best_loss": loss if math.isfinite(loss) else None}


def _better(first: Equation, second: Equation) -> Equation:
    """The second equation if it is identified or nearer, with what both searches cost."""
    order = list(Status)
    nearer = (order.index(second.status), second.nmse) < (order.index(first.status), first.nmse)
    return replace(
        second if nearer else first,
        cost=first.cost + second.cost,
        candidates=first.candidates + second.candidates,
        elapsed_s=first.elapsed_s + second.elapsed_s,
        note=second.note
        if second.status is Status.IDENTIFIED
        else both_notes(first.note, second.note),
        passes=2,
    )


def both_notes(first: str, second: str) -> str:
    """What there is to say of the two passes.

    >>> both_notes("stopped after 60 CPU seconds", "")
    'stopped after 60 CPU seconds in the first of two passes'
    """
    if first and first == second:
        return f"{first} in each of two passes"
    said = (first and f"{first} in the first", second and f"{second} in the second")
    return ", ".join(each for each in said if each) + (" of two passes" if first or second else "")
