"""The passes of a discovery: what is found of every equation at once, then what that helps with.

Each pass begins with what those before have found, whoever searched it and when, so that the
equations are the same for any number of processes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial

from odevsr.discovery.executors import Workers, side_by_side
from odevsr.discovery.files import versions
from odevsr.discovery.folder import RunFolder
from odevsr.discovery.plan import Plan
from odevsr.discovery.request import Request
from odevsr.discovery.result import Discovery, Unfinished
from odevsr.discovery.task import Event, Listener, MakeOracle, Task, run_task
from odevsr.errors import RunError, SimulationError
from odevsr.plain import to_plain
from odevsr.vertical.equation import Equation, Status
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.pilot.abilities import abilities
from odevsr.world.pilot.pilot import Pilot

CHANGED = "asked again, the simulator answers otherwise than at first: it remembers"


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

    request: Request
    pilot: Pilot
    workers: Workers
    began: float
    folder: RunFolder | None
    on_event: Listener
    oracle: MakeOracle | None = None
    """Makes the oracle, where it is not ours."""
    shared: SharedLaunches | None = None
    """Where equations that share their launches keep them."""
    found: dict[str, Equation] = field(default_factory=dict)
    unfinished: list[Unfinished] = field(default_factory=list)

    def begin(self) -> None:
        """Tell what the pilot found out and warns of; take over what a resumed run found."""
        studied, difference = self.request.studied, self.request.settings.difference
        found = abilities(self.pilot, studied.kind, studied.names, difference)
        self.on_event(Event(found_out=f"{studied.name}: {found.sentence}"))
        for warning in self.pilot.warnings:
            self.on_event(Event(message=warning))
        if self.folder is not None:
            self.folder.begin(self.pilot)
            self.found.update(self.folder.equations())
        self._forget_unfinished()

    def run(self) -> Discovery:
        """Search in passes; what was found is kept, whatever stops them."""
        try:
            for number in range(1, len(self.request.chosen) + 2):
                self._run(Plan(self.request, self.pilot, self.found).tasks(number), number)
        except KeyboardInterrupt:
            raise Interrupted(self.end(interrupted=True)) from None
        except (SimulationError, RunError) as error:
            with suppress(RunError):  # a folder that cannot be written to is what may have failed
                self.end(interrupted=True)
            raise StoppedError(str(error), self.so_far(interrupted=True)) from error
        return self.end(interrupted=False)

    def so_far(self, *, interrupted: bool) -> Discovery:
        """The discovery as it is now."""
        request = self.request
        equations = tuple(self.found[name] for name in request.wanted if name in self.found)
        spent = [each.cost for each in equations] + [each.cost for each in self.unfinished]
        return Discovery(
            target=request.studied.name,
            names=request.studied.names,
            ranges=tuple((float(low), float(high)) for low, high in self.pilot.box.limits),
            equations=equations,
            seed=request.seed,
            settings=request.settings,
            cost=sum(spent, self.pilot.cost),
            elapsed_s=time.perf_counter() - self.began,
            interrupted=interrupted,
            versions=versions(),
            system_file=request.studied.system_file,
            folder=None if self.folder is None else self.folder.path,
            unfinished=tuple(self.unfinished),
        )

    def end(self, *, interrupted: bool) -> Discovery:
        """The discovery, written to its folder."""
        discovery = self.so_far(interrupted=interrupted)
        if self.folder is not None:
            self.folder.write(discovery)
            if not interrupted:
                self.folder.tidy()
        return discovery

    def _run(self, tasks: Sequence[Task], passes: int) -> None:
        """Do the tasks; after each, write what has been found.

        What shares its launches stays in this process.
        """
        tasks = [replace(task, oracle=self.oracle, shared=self.shared) for task in tasks]
        if self.folder is not None:
            record = partial(self.folder.measurements, passes=passes)
            tasks = [replace(task, record=record(task.variable)) for task in tasks]
        workers = self.workers if self.shared is None else 1
        listener, again = self._logged(passes), self._forget_unfinished
        found = side_by_side(run_task, tasks, workers, listener, on_loss=again)
        with closing(found) as equations:
            for equation in equations:
                self._keep(equation)

    def _keep(self, equation: Equation) -> None:
        """Take an equation over, write it down, tell of it."""
        before = self.found.get(equation.variable)
        equation = equation.doubted(CHANGED) if self.pilot.has_changed else equation
        self.found[equation.variable] = _better(before, equation) if before else equation
        if self.folder is not None:
            self.folder.write(self.so_far(interrupted=True))
        self.on_event(Event(equation.variable, equation=self.found[equation.variable]))

    def _notice_change(self) -> None:
        """What was found so far is of a simulator that is no more; a replay is to know it, too."""
        if self.pilot.has_changed:
            return
        self.pilot = replace(self.pilot, has_changed=True)
        if self.folder is not None:
            self.folder.keep_pilot(self.pilot)
        self.found = {name: each.doubted(CHANGED) for name, each in self.found.items()}
        self.on_event(Event(message=CHANGED))

    def _forget_unfinished(self) -> None:
        """Keep the history of finished searches alone; the others are done again."""
        if self.folder is not None:
            done = [
                (name, number)
                for name, each in self.found.items()
                for number in range(1, each.passes + 1)
            ]
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
            if event.has_changed:
                self._notice_change()
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
        out_of_time=first.out_of_time or second.out_of_time,
        passes=first.passes + 1,
        found_in=first.passes + 1 if nearer else first.found_in,
    )
