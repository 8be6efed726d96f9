"""The search for one equation as a task that any process can do, and tasks done side by side."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from odevsr.discovery.result import Unfinished
from odevsr.errors import SimulationError
from odevsr.language.expression import Expression
from odevsr.limits import ASKED
from odevsr.search.loop import Epoch
from odevsr.settings import Settings
from odevsr.vertical.attempts import discover_equation
from odevsr.vertical.equation import Equation
from odevsr.vertical.judging.doubt import Doubt, Weight
from odevsr.world.experiments.budget import NOTHING, LimitedLaunch, LimitedOracle
from odevsr.world.experiments.launched import Noise
from odevsr.world.experiments.measurements import RecordingOracle
from odevsr.world.experiments.oracle import Cost, Oracle, World
from odevsr.world.experiments.shared import SharedLaunches
from odevsr.world.experiments.watching import CrossingOracle
from odevsr.world.pilot.pilot import Pilot
from odevsr.world.pilot.timing import Expected, TellingOracle
from odevsr.world.piloted import asked_world, oracle_of
from odevsr.world.studied import Studied

NEGLIGIBLE = 1e-3
"""Share of a derivative that may stay open: laws that differ by less are the same."""
MakeOracle = Callable[[World, int, Pilot, Settings, np.random.SeedSequence], Oracle]
"""Makes the oracle of a component; it must be importable if there are several jobs."""


@dataclass(frozen=True)
class Event:
    """What a listener may show: an epoch of a component's search, an equation found, a warning.

    Or that a search was cut short by an interruption, what a component's search has spent so far,
    what all is expected to take.
    """

    variable: str = ""
    epoch: Epoch | None = None
    equation: Equation | None = None
    message: str = ""
    unfinished: Unfinished | None = None
    cost: Cost | None = None
    expected: Expected | None = None
    found_out: str = ""
    """What the pilot found out about the target, for those who want to know more."""
    has_changed: bool = False
    """True if the simulator was asked the same again, and answered otherwise."""


Listener = Callable[[Event], None]


@dataclass(frozen=True, eq=False)
class Task:
    """The search for the equation of one component, and all that decides its outcome."""

    studied: Studied
    pilot: Pilot
    component: int
    settings: Settings
    seeds: np.random.SeedSequence
    oracle: MakeOracle | None = None
    learnt: tuple[Expression, ...] = ()
    record: Path | None = None
    """Where measurements are kept; those already there are not made again."""
    spent: Cost = NOTHING
    """What an earlier search for the same equation took of its limits."""
    shared: SharedLaunches | None = None
    """Launches made for other equations, if they are shared."""
    guesses: tuple[Expression, ...] = ()
    """Laws to try before any other."""

    @property
    def variable(self) -> str:
        """Name of the component."""
        return self.studied.components[self.component]


def run_task(task: Task, on_event: Listener) -> Equation:
    """Search for the equation."""
    settings, shared = task.settings, task.shared
    most_launches = settings.max_launches or math.inf
    world = asked_world(task.studied, task.pilot)
    launch = LimitedLaunch(world.launch, most_launches - task.spent.simulations)
    world = task.pilot.world(replace(world, launch=launch))
    if shared is not None:
        world = replace(world, launch=shared.before(world.launch))
    noise_seeds, search_seeds = task.seeds.spawn(2)
    make = task.oracle or partial(make_oracle, shared=shared)
    measuring = make(world, task.component, task.pilot, settings, noise_seeds)
    began = time.process_time()
    epochs: list[Epoch] = []

    def on_epoch(epoch: Epoch) -> None:
        epochs.append(epoch)
        on_event(Event(task.variable, epoch))

    with ExitStack() as stack:
        if task.record is not None:
            measuring = RecordingOracle(measuring, task.record)
            stack.callback(measuring.write)
        telling = TellingOracle(measuring, lambda cost: on_event(Event(task.variable, cost=cost)))
        oracle = LimitedOracle(telling, settings.most_states, most_launches, launch, task.spent)
        try:
            found = discover_equation(
                oracle,
                settings,
                search_seeds,
                task.learnt,
                suspects=_suspects(task),
                known=partial(_doubts, task),
                guesses=task.guesses,
                on_epoch=on_epoch,
            )
            if _has_changed(task, oracle, launch):
                on_event(Event(task.variable, has_changed=True))
            return replace(found, cost=oracle.cost)
        except KeyboardInterrupt:
            elapsed = time.process_time() - began
            unfinished = _unfinished(task.variable, oracle.cost, elapsed, epochs)
            on_event(Event(task.variable, unfinished=unfinished))
            raise


def _unfinished(variable: str, cost: Cost, elapsed: float, epochs: Sequence[Epoch]) -> Unfinished:
    candidates = sum(each.candidates for each in epochs)
    over, best = (epochs[-1].variable, epochs[-1].best) if epochs else ("", "")
    return Unfinished(variable, cost, elapsed, candidates, over, best)


def _suspects(task: Task) -> tuple[int, ...] | None:
    """Variables the pilot saw the component depend on; None if it did not look, or less blurred."""
    settings = task.settings
    if settings.noise > 0 or settings.sampling == "crossings" or not task.pilot.suspects:
        return None
    return task.pilot.suspects[task.component]


def _has_changed(task: Task, oracle: Oracle, launch: LimitedLaunch) -> bool:
    """Whether the simulator, asked again what it was asked first of all, answers otherwise.

    A few answers of a call may be stray, and are asked again; most of a call are not.
    """
    begun, known = task.pilot.beginning, task.pilot.calibrations[task.component]
    if begun is None:
        return False
    elsewhere = np.ones(1, dtype=bool)
    for _ in range(1 + ASKED):
        if launch.left < len(begun.states):
            return False
        oracle.cost += Cost(simulations=len(begun.states))  # in a replay, too: the run spent it
        if task.oracle is not None:
            return False
        try:
            now = begun.otherwise(launch, task.component, known)
        except SimulationError:
            continue
        if np.any(np.mean(now, axis=1) > 0.5):
            return True
        elsewhere = elsewhere & now
        if np.sum(elsewhere) <= known.is_noisy:  # of noise, a first answer may have been wild
            return False
    return True


def _doubts(task: Task) -> Iterator[Doubt]:
    """What the pilot doubts of any law of the component."""
    pilot, component = task.pilot, task.component
    if task.studied.kind.moves and not any(each.size for each in pilot.calibrations):
        yield Doubt("nothing moves at all: the simulator may not simulate", Weight.LEAVES_OPEN)
    if task.settings.sampling == "crossings":
        yield Doubt("checked only where trajectories go", Weight.TOLD)
    if pilot.remembering and pilot.remembering[component]:
        sentence = "the state shown does not tell where it goes, or the simulator's step is crude"
        yield Doubt(sentence, Weight.LEAVES_OPEN)
    if pilot.calibrations[component].is_wild:
        yield Doubt("some answers are wild, and were asked again", Weight.TOLD)
    share = pilot.calibrations[component].open_share
    if share > NEGLIGIBLE:
        sentence = f"the simulator's own steps leave {100 * share:.2g} % of the derivative open"
        yield Doubt(sentence, Weight.LEAVES_OPEN)


def make_oracle(
    world: World,
    component: int,
    pilot: Pilot,
    settings: Settings,
    seeds: np.random.SeedSequence,
    shared: SharedLaunches | None = None,
) -> Oracle:
    """Measures as the settings say: by launches or where trajectories cross, with their noise."""
    size = pilot.calibrations[component].size
    noise_seeds, crossing_seeds = seeds.spawn(2)
    noise = Noise(settings.noise * size, noise_seeds) if settings.noise > 0 else None
    if settings.sampling == "crossings":
        return CrossingOracle(world, component, pilot, noise, np.random.default_rng(crossing_seeds))
    return oracle_of(world, component, pilot, noise, shared)
