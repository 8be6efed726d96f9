"""The two passes of a discovery: every component, then what the found ones may help with."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace

import numpy as np

from odevsr.discovery.asked import Asked
from odevsr.discovery.executors import Workers, side_by_side
from odevsr.discovery.files import versions
from odevsr.discovery.folder import RunFolder
from odevsr.discovery.learning import learnt_rules
from odevsr.discovery.result import Discovery, Unfinished
from odevsr.discovery.task import Event, Listener, MakeOracle, Task, run_task
from odevsr.errors import RunError, SimulationError
from odevsr.plain import to_plain
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.oracle import Cost
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.pilot.abilities import abilities
from odevsr.world.pilot.pilot import Pilot


class Interrupted(KeyboardInterrupt):
    """A discovery was interrupted; `discovery` holds what was found until then."""

    def __init__(self, discovery: Discovery) -> None:
        super().__init__()
        self.discovery = discovery


class StoppedError(SimulationError, RunError):
    """The simulator, or the folder, failed on the way; `discovery` holds what was found by then."""

    def __init__(self, sentence: str, discovery: Discovery) -> None:
        super().__init__(sentence)
        self.discovery = discovery


@dataclass(eq=False)
class Search:
    """A discovery while it grows."""

    asked: Asked
    pilot: Pilot
    workers: Workers
    began: float
    folder: RunFolder | None
    on_event: Listener
    oracle: MakeOracle | None = None
    """Makes who measures, if not we."""
    shared: SharedLaunches | None = None
    """What equations that share their launches remember them by."""
    found: dict[str, Equation] = field(default_factory=dict)
    unfinished: list[Unfinished] = field(default_factory=list)

    def begin(self) -> None:
        """Tell what the pilot found out and warns of; take over what a resumed run found."""
        studied, difference = self.asked.studied, self.asked.settings.difference
        found = abilities(self.pilot, studied.kind, studied.names, difference)
        self.on_event(Event(found_out=f"{studied.name}: {found.sentence}"))
        for warning in self.pilot.warnings:
            self.on_event(Event(message=warning))
        if self.folder is not None:
            self.folder.begin(self.pilot)
            self.found.update(self.folder.equations())
        self._forget_unfinished()

    def run(self) -> Discovery:
        """Search in two passes; what was found is kept, whatever stops them."""
        _, *seeds = self.asked.seeds()
        count = len(seeds) // 2
        try:
            self._first_pass(seeds[:count])
            self._second_pass(seeds[count:])
        except KeyboardInterrupt:
            raise Interrupted(self.end(interrupted=True)) from None
        except (SimulationError, RunError) as error:
            with suppress(RunError):  # a folder that cannot be written to is what may have failed
                self.end(interrupted=True)
            raise StoppedError(str(error), self.so_far(interrupted=True)) from error
        return self.end(interrupted=False)

    def _first_pass(self, seeds: Sequence[np.random.SeedSequence]) -> None:
        """Search every component that was asked for.

        Where others may teach, half of the seconds are left for the second pass.
        """
        most = self.asked.settings.most_seconds / min(len(self.asked.chosen), 2)
        pairs = zip(self.asked.chosen, self.asked.wanted, strict=True)
        tasks = [self._task(each, seeds, most) for each, name in pairs if name not in self.found]
        self._run(tasks, 1)

    def _second_pass(self, seeds: Sequence[np.random.SeedSequence]) -> None:
        """Search what was not identified once more, with what the identified equations teach."""
        teachers = [
            self.found[name]
            for name in self.asked.studied.components
            if name in self.found and self._is_identified(name) and self.found[name].passes == 1
        ]
        learnt = learnt_rules([each.expression for each in teachers])
        most = self.asked.settings.most_seconds
        tasks = [
            replace(
                self._task(component, seeds, most - before.elapsed_s),
                learnt=learnt,
                spent=before.cost,
            )
            for component, name in zip(self.asked.chosen, self.asked.wanted, strict=True)
            if (before := self.found.get(name)) is not None
            and not self._is_identified(name)
            and before.passes == 1
            and self._has_left(before.cost)
            and before.elapsed_s < most
        ]
        self._run(tasks if learnt else [], 2)

    def _task(
        self, component: int, seeds: Sequence[np.random.SeedSequence], seconds: float
    ) -> Task:
        """The search for one equation; all have the same seeds where they share experiments."""
        asked, own = self.asked, seeds[component]
        settings = replace(asked.settings, most_seconds=seconds)
        noisy = settings.noise > 0 or any(each.is_noisy for each in self.pilot.calibrations)
        if settings.frugal and not noisy:
            own = np.random.SeedSequence(seeds[0].entropy, spawn_key=seeds[0].spawn_key)
        return Task(
            asked.studied,
            self.pilot,
            component,
            settings,
            own,
            self.oracle,
            shared=None if noisy else self.shared,
            guesses=asked.guesses.get(asked.studied.components[component], ()),
        )

    def so_far(self, *, interrupted: bool) -> Discovery:
        """The discovery as it is now."""
        asked = self.asked
        equations = tuple(self.found[name] for name in asked.wanted if name in self.found)
        spent = [each.cost for each in equations] + [each.cost for each in self.unfinished]
        return Discovery(
            target=asked.studied.name,
            names=asked.studied.names,
            ranges=tuple((float(low), float(high)) for low, high in self.pilot.box.limits),
            equations=equations,
            seed=asked.seed,
            settings=asked.settings,
            cost=sum(spent, self.pilot.cost),
            elapsed_s=time.perf_counter() - self.began,
            interrupted=interrupted,
            versions=versions(),
            system_file=asked.studied.system_file,
            folder=None if self.folder is None else self.folder.path,
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
        settings = self.asked.settings
        launches = settings.max_launches or math.inf
        return 2 * cost.states <= settings.most_states and 2 * cost.simulations <= launches

    def _is_identified(self, name: str) -> bool:
        return self.found[name].status in (Status.IDENTIFIED, Status.UNDECIDED)

    def _run(self, tasks: Sequence[Task], passes: int) -> None:
        """Do the tasks; after each, write what has been found.

        What shares its launches stays in this process.
        """
        is_shared = any(task.shared is not None for task in tasks)
        if self.folder is not None:
            tasks = [
                replace(task, record=self.folder.measurements(task.variable, passes))
                for task in tasks
            ]
        found = side_by_side(
            run_task,
            tasks,
            1 if is_shared else self.workers,
            self._logged(passes),
            on_loss=self._forget_unfinished,
        )
        with closing(found) as equations:
            for equation in equations:
                self._keep(equation)

    def _keep(self, equation: Equation) -> None:
        """Take an equation over, write it down, tell of it."""
        before = self.found.get(equation.variable)
        self.found[equation.variable] = _better(before, equation) if before else equation
        if self.folder is not None:
            self.folder.write(self.so_far(interrupted=True))
        self.on_event(Event(equation.variable, equation=self.found[equation.variable]))

    def _forget_unfinished(self) -> None:
        """Keep the history of finished searches alone; the others are done again."""
        if self.folder is not None:
            done = [(name, number) for name, each in self.found.items() for number in (1, 2)
                    if number <= each.passes]  # fmt: skip
            damaged = self.folder.keep_history(done)
            if damaged:
                where = self.folder.path / "history.jsonl"
                self.on_event(Event(message=f"{where}: damaged lines are left out ({damaged})"))

    def _logged(self, passes: int) -> Listener:
        """The listener, which also writes epochs to the run's history; what ends is kept here."""

        def listen(event: Event) -> None:
            if event.unfinished is not None:
                self.unfinished.append(event.unfinished)
                return
            if self.folder is not None and event.epoch is not None:
                self.folder.log(
                    {"equation": event.variable, "pass": passes, **to_plain(event.epoch)}
                )
            self.on_event(event)

        return listen


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
        found_in=2 if nearer else 1,
    )
