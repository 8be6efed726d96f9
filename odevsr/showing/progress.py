"""What a discovery says while it runs, on stderr: bars on a terminal, few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, TaskID, TimeElapsedColumn
from rich.progress import Task as Row
from rich.table import Column
from rich.text import Text

from odevsr.discovery.task import Event
from odevsr.language.text import to_text
from odevsr.search.loop import Epoch
from odevsr.showing.output import say
from odevsr.world.pilot.timing import Expected, duration

QUIET_SECONDS = 10.0
"""Plain lines about a search that goes on are at least this far apart."""
LONGEST_FORM = 60
"""Letters of a form in a plain line; on a terminal, lines are as long as it is wide."""

_ONE_LINE: dict[str, Any] = {"no_wrap": True, "overflow": "ellipsis"}
"""How rich is told to cut what is longer than a line."""

Listener = Callable[[Event], None]


@contextmanager
def progress(*, rounds: bool = False) -> Iterator[Listener]:
    """A listener (`on_event`) that shows how a search goes; with `rounds`, each has its line.

    It draws on a terminal and in a notebook that has ipywidgets; elsewhere, it says a few lines.
    """
    console = Console(stderr=True)
    if not (sys.stderr.isatty() or (console.is_jupyter and find_spec("ipywidgets"))):
        yield _lines(rounds=rounds)
    else:
        whole = Column(no_wrap=True)  # what is too long is cut in the column between these
        columns = SpinnerColumn(table_column=whole), _Told(), TimeElapsedColumn(table_column=whole)
        with Progress(*columns, console=console) as bars:
            yield _bars(bars, rounds=rounds)


class _Told(ProgressColumn):
    """What a search is at, on one line."""

    def render(self, task: Row) -> Text:
        """The line, which is cut where the terminal ends."""
        return Text(task.description, **_ONE_LINE)


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
            self.epochs.pop(name, None)

    def ended_by(self, event: Event) -> Epoch | None:
        """The last epoch of the round that an event, not heard yet, shows to be over."""
        last = self.epochs.get(event.variable)
        if last is None or event.equation is not None:
            return last
        new = event.epoch or last
        return None if (new.target, new.variable) == (last.target, last.variable) else last

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
        left = self.expected.seconds_left(self.expected.pilot + sum(self.launches.values()))
        return f"{text}, about {duration(left)} left" if left else text


def _bars(bars: Progress, *, rounds: bool) -> Listener:
    """A line for each search that goes on; what is over stands above them."""
    tasks: dict[str, TaskID] = {}
    known = _Known()
    show = partial(bars.console.print, markup=False, highlight=False, **_ONE_LINE)

    def listen(event: Event) -> None:
        if event.found_out and not rounds:
            return
        ended = known.ended_by(event)
        known.hear(event)
        name = event.variable
        if rounds and ended is not None:
            show(_round_text(name, ended))
        if message := event.message or event.found_out:
            bars.console.print(Text(message))
        elif event.equation is not None:
            law = to_text(event.equation.expression)
            show(f"  {name}  {event.equation.status.value}: {law}")
            if name in tasks:
                bars.remove_task(tasks.pop(name))
        else:
            if name not in tasks:
                tasks[name] = bars.add_task(name)
            bars.update(tasks[name], description=f"{name}  {known.text(name)}")

    return listen


def _lines(*, rounds: bool) -> Listener:
    last = time.monotonic()
    known = _Known()

    def listen(event: Event) -> None:
        nonlocal last
        if event.found_out and not rounds:
            return
        ended = known.ended_by(event)
        known.hear(event)
        if rounds and ended is not None:
            say(_round_text(event.variable, ended))
        if message := event.message or event.found_out:
            say(message)
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


def _round_text(name: str, epoch: Epoch) -> str:
    """What came of a round: of the equation itself, or of a constant in a form of it."""
    about = name if epoch.target in ("", name) else f"{name}, {epoch.target}"
    best = _shortened(epoch.best)
    return f"{about} over {epoch.variable}: {best}, loss {epoch.best_loss:.1e}, {epoch.proposer}"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_FORM else text[: LONGEST_FORM - 3] + "..."
