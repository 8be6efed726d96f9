"""What a discovery says while it runs, on stderr: bars on a terminal, few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from odevsr.discovery.task import Event
from odevsr.language.text import to_text
from odevsr.search.loop import Epoch
from odevsr.showing.output import say

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


def _bars(bars: Progress) -> Listener:
    tasks: dict[str, TaskID] = {}
    candidates: dict[str, int] = {}

    def listen(event: Event) -> None:
        if event.message:
            bars.console.print(event.message, markup=False, highlight=False)
            return
        name = event.variable
        if name not in tasks:
            tasks[name] = bars.add_task(name, total=1)
        if event.epoch is not None:
            candidates[name] = candidates.get(name, 0) + event.epoch.candidates
            text = f"{name}  {_epoch_text(event.epoch, candidates[name])}"
            bars.update(tasks[name], description=_escaped(text))
        if event.equation is not None:
            text = _shortened(to_text(event.equation.expression))
            done = f"{name}  {event.equation.status.value}: {text}"
            bars.update(tasks[name], description=_escaped(done), completed=1)

    return listen


def _lines() -> Listener:
    last = time.monotonic()
    candidates: dict[str, int] = {}

    def listen(event: Event) -> None:
        nonlocal last
        if event.message:
            say(event.message)
        elif event.equation is not None:
            found = event.equation
            say(f"{event.variable}: {found.status.value} after {found.elapsed_s:.1f} CPU s")
        elif event.epoch is not None:
            name = event.variable
            candidates[name] = candidates.get(name, 0) + event.epoch.candidates
            if time.monotonic() - last > QUIET_SECONDS:
                last = time.monotonic()
                say(f"{name}: {_epoch_text(event.epoch, candidates[name])}")

    return listen


def _epoch_text(epoch: Epoch, candidates: int) -> str:
    return (
        f"over {epoch.variable}, {epoch.proposer}: {candidates:,} candidates, "
        f"loss {epoch.best_loss:.1e}, "
        f"{_shortened(epoch.best)}"
    )


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_FORM else text[: LONGEST_FORM - 3] + "..."


def _escaped(text: str) -> str:
    return text.replace("[", "\\[")
