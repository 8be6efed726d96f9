"""study(): every discovery of a grid, each once, to one table.

    DIR/discoveries/NAME/             the run folder of each discovery (`discovery/folder.py`)
    DIR/discoveries/NAME/study.json   its rows, once it is done: it is not made again
    DIR/table.csv, DIR/table.parquet  all rows so far, a row an equation

What stops a study loses nothing: the same study in the same folder goes on, also in the middle of a
discovery.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from odevsr.discovery.discover import discover
from odevsr.discovery.executors import Workers, checked_workers, side_by_side
from odevsr.discovery.files import check_own, read_json, write_json
from odevsr.discovery.lock import locked
from odevsr.discovery.task import Event, Listener
from odevsr.errors import OdevsrError, RunError, UsageError
from odevsr.studies.file import read_study
from odevsr.studies.grid import Study, StudyCase
from odevsr.studies.rows import Row, failed_row, rows_of
from odevsr.studies.table import summary, write_table

DISCOVERIES, DONE = "discoveries", "study.json"


@dataclass(frozen=True)
class Progress:
    """What a listener may show: which discovery is done, with its rows, or a `message` of one."""

    case: str = ""
    rows: tuple[Row, ...] = ()
    done: int = 0
    total: int = 0
    message: str = ""


@dataclass(frozen=True)
class StudyResult:
    """The table of a study, a row an equation, and the folder that keeps it."""

    rows: tuple[Row, ...]
    folder: Path

    @property
    def summary(self) -> list[Row]:
        """A row for each target, settings and noise."""
        return summary(self.rows)


@dataclass(frozen=True)
class _Place:
    """A discovery and the folder of its record."""

    case: StudyCase
    folder: Path


def study(
    study: str | Path | Study,
    *,
    out: str | Path | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    on_event: Callable[[Progress], None] = lambda progress: None,
) -> StudyResult:
    """Make every discovery of a study, a file or a `Study`, and write all to one table.

    The folder is `out`, or that of the file with the file's name; a study that was begun there
    goes on. Discoveries are shared out to so many processes (`jobs`) or to an `executor`; the table
    is the same for any. A discovery that fails has a row that says why, and is tried again the next
    time.
    """
    grid = study if isinstance(study, Study) else read_study(study)
    if out is None and isinstance(study, Study):
        raise UsageError("a study needs a folder for what it finds; give out=FOLDER")
    folder = Path(out) if out is not None else Path(str(study)).with_suffix("")
    cases, workers = grid.cases(), checked_workers(jobs, executor)
    with locked(folder):
        _check_folder(folder)
        rows = _run(cases, folder / DISCOVERIES, workers, on_event)
    return StudyResult(rows, folder)


def _check_folder(folder: Path) -> None:
    """Refuse a folder that holds what is not of a study, or leads elsewhere."""
    if any(folder.iterdir()) and not (folder / DISCOVERIES).is_dir():
        raise RunError(f"{folder} is not empty, and no study was begun there; choose another")
    check_own(folder)
    try:
        (folder / DISCOVERIES).mkdir(exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be written to ({error}); choose another place") from None


def _run(
    cases: Sequence[StudyCase],
    folder: Path,
    workers: Workers,
    on_event: Callable[[Progress], None],
) -> tuple[Row, ...]:
    """The rows of all cases in their order; the table is written, whatever ends the study."""
    known = {case.name: _known(folder / case.name) for case in cases}
    left = [_Place(case, folder / case.name) for case in cases if not known[case.name]]
    found = side_by_side(
        run_case,
        left,
        workers,
        lambda event: on_event(Progress(message=event.message)),
    )
    try:
        with closing(found) as results:
            for case, rows in results:
                known[case.name] = rows
                done = sum(map(bool, known.values()))
                on_event(Progress(str(case), tuple(rows), done, len(cases)))
    finally:
        table = tuple(row for rows in known.values() for row in rows)
        write_table(folder.parent, table)
    return table


def _known(folder: Path) -> list[Row]:
    """The rows of a discovery that is done; none of one that is not, or whose record is damaged."""
    try:
        rows: list[Row] = read_json(folder / DONE)["rows"]
    except (RunError, LookupError):
        return []
    return rows


def run_case(place: _Place, on_event: Listener) -> tuple[StudyCase, list[Row]]:
    """Make one discovery, or go on with it, and write its rows; an error becomes a row of its own.

    Messages are passed on with the case they are of.
    """
    case, folder = place.case, place.folder

    def listen(event: Event) -> None:
        if event.message:
            on_event(replace(event, message=f"{case}: {event.message}"))

    try:
        found = discover(**_asked(case), out=folder, resume=folder.exists(), on_event=listen)
        rows = rows_of(case, found)
        write_json(folder / DONE, {"rows": rows})
    except OdevsrError as error:
        return case, [failed_row(case, error)]
    return case, rows


def _asked(case: StudyCase) -> dict[str, Any]:
    return {**case.asked, **case.changes, "noise": case.noise, "seed": case.seed}
