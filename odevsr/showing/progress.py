"""What a discovery says while it runs, on stderr: bars on a terminal, few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from odevsr.discovery.task import Event
from odevsr.language.text import to_text
from odevsr.search.loop import Epoch
from odevsr.showing.output import say
from odevsr.world.pilot.timing import PILOT_LAUNCHES, Expected, duration

QUIET_SECONDS = 10.0
"""Plain lines about a search that goes on are at least this far apart."""
LONGEST_FORM = 60

Listener = Callable[[Event], None]


@contextmanager
def progress() -> Iterator[Listener]:
    """A listener for `discover` that suits where stderr goes."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    columns = (SpinnerColumn(finished_text=" "), TextColumn("{task.description}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console) as bars:
        yield _bars(bars)


@dataclass
class _Known:
    """What events have told so far, by component."""

    candidates: dict[str, int] = field(default_factory=dict)
    epochs: dict[str, Epoch] = field(default_factory=dict)
    launches: dict[str, int] = field(default_factory=dict)
    expected: Expected | None = None

    def hear(self, event: Event) -> None:
        """Take in what an event tells."""
        name = event.variable
        if event.expected is not None:
            self.expected = event.expected
        if event.cost is not None:
            self.launches[name] = event.cost.simulations
        if event.epoch is not None:
            self.epochs[name] = event.epoch
            self.candidates[name] = self.candidates.get(name, 0) + event.epoch.candidates
        if event.equation is not None:
            self.launches[name] = event.equation.cost.simulations

    def text(self, name: str) -> str:
        """How far the search for a component's equation is."""
        parts = [self._launches_text(name)]
        if name in self.epochs:
            parts.append(_epoch_text(self.epochs[name], self.candidates[name]))
        return "; ".join(part for part in parts if part)

    def _launches_text(self, name: str) -> str:
        if name not in self.launches:
            return ""
        text = f"{self.launches[name]:,} launches"
        if self.expected is None:
            return text
        left = self.expected.seconds_left(PILOT_LAUNCHES + sum(self.launches.values()))
        return f"{text}, about {duration(left)} left" if left else text


def _bars(bars: Progress) -> Listener:
    tasks: dict[str, TaskID] = {}
    known = _Known()

    def listen(event: Event) -> None:
        known.hear(event)
        if event.message:
            bars.console.print(event.message, markup=False, highlight=False)
            return
        name = event.variable
        if name not in tasks:
            tasks[name] = bars.add_task(name, total=1)
        if event.equation is not None:
            text = _shortened(to_text(event.equation.expression))
            done = f"{name}  {event.equation.status.value}: {text}"
            bars.update(tasks[name], description=_escaped(done), completed=1)
        else:
            bars.update(tasks[name], description=_escaped(f"{name}  {known.text(name)}"))

    return listen


def _lines() -> Listener:
    last = time.monotonic()
    known = _Known()

    def listen(event: Event) -> None:
        nonlocal last
        known.hear(event)
        if event.message:
            say(event.message)
        elif event.equation is not None:
            found = event.equation
            say(f"{event.variable}: {found.status.value} after {found.elapsed_s:.1f} CPU s")
        elif time.monotonic() - last > QUIET_SECONDS:
            last = time.monotonic()
            say(f"{event.variable}: {known.text(event.variable)}")

    return listen


def _epoch_text(epoch: Epoch, candidates: int) -> str:
    return (
        f"over {epoch.variable}, {epoch.proposer}: {candidates:,} candidates, "
        f"{100 * epoch.new:.0f} % new, "
        f"loss {epoch.best_loss:.1e}, "
        f"{_shortened(epoch.best)}"
    )


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_FORM else text[: LONGEST_FORM - 3] + "..."


def _escaped(text: str) -> str:
    return text.replace("[", "\\[")
