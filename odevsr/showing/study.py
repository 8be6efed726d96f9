"""A study as text: how it goes, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.text import Text

from odevsr.showing.output import plain_table, say
from odevsr.studies.rows import FAILED, Cell
from odevsr.studies.run import Progress, StudyResult
from odevsr.vertical.equation import Status

Listener = Callable[[Progress], None]


def study_page(result: StudyResult) -> RenderableType:
    """What was found by target, settings and noise, and where the table is."""
    rows = result.summary
    cells = [[_cell(value) for value in row.values()] for row in rows]
    where = Text(f"{len(result.rows)} rows in {result.folder / 'table.csv'}")
    return Group(plain_table(list(rows[0]), cells), Text(), where)


def _cell(value: Cell) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@contextmanager
def study_progress() -> Iterator[Listener]:
    """A listener for `study` that suits where stderr goes: a bar, or a line a discovery."""
    if not sys.stderr.isatty():
        yield lambda progress: say(_line(progress)) if _line(progress) else None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TimeRemainingColumn(), console=Console(stderr=True)) as bars:
        task = bars.add_task("discoveries", total=None)

        def listen(progress: Progress) -> None:
            if _line(progress):
                bars.console.print(_line(progress), markup=False, highlight=False)
            if progress.total:
                bars.update(task, completed=progress.done, total=progress.total)

        yield listen


def _line(progress: Progress) -> str:
    if not progress.total:
        return progress.message
    rows = progress.rows
    if rows[0]["status"] == FAILED:
        outcome = f"failed: {rows[0]['note']}"
    else:
        identified = sum(row["status"] == Status.IDENTIFIED.value for row in rows)
        outcome = f"{identified} of {len(rows)} identified"
    return f"{progress.done} of {progress.total}: {progress.case}: {outcome}"
