"""Run folders: what was asked, how the search went, what was measured, what was found.

    run.json            what was asked: target, seed, settings, components, versions; the pilot;
                        the system's file with the parameters used and those varied
    history.jsonl       a line an epoch of each equation's search: what the round was about and had
                        freed, who proposed how much, how much of it was new, loss and reward
    measurements/*.h5   what the oracle measured, one file a component and pass, an experiment after
                        the other
    launches.h5         every launch, if calls were shared out (`--spread`); rates.h5, if rates were
    verdict.json        what `odevsr validate` has said of the run, if it was asked
    result.json         the discovery, as `odevsr discover --json` prints it; of each equation also
                        how it was found (`vertical/asking/story.py`): which variables moved it,
                        every round with what it held, its constants trial by trial and the numbers
                        of its experiments in the file of measurements, and what led from forms to
                        laws

Each file is written whole or not at all (the history line by line), so that whatever stops a run,
it can be resumed: equations in result.json are kept, a search cut short is done again on its own
measurements. Each tells whether it is as it was written (see `files` and `hdf5_file`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import odevsr
from odevsr.discovery.files import (
    DIGEST,
    FORMAT,
    FORMAT_VERSION,
    check_own,
    read_json,
    read_lines,
    versions,
    write_json,
    write_text,
)
from odevsr.discovery.record import discovery_from_json
from odevsr.discovery.result import Discovery
from odevsr.errors import OdevsrError, RunError
from odevsr.vertical.equation import Equation
from odevsr.world.pilot.pilot import Pilot, pilot_from_json

DAMAGES = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OdevsrError)
"""What values of a file that are not as we write them may raise."""
LAUNCHES = {"launches.h5", "rates.h5"}
"""What is written while the pilot still runs."""
_KINDS = {"asked": dict, "pilot": dict, "system_file": str}


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run; `asked` decides the outcome and must be the same to resume."""

    path: Path
    asked: dict[str, Any]
    system_file: str = ""

    def pilot(self) -> Pilot | None:
        """What pilot launches told, if the run got as far."""
        path = self.path / "run.json"
        if not path.exists():
            return None
        try:
            return checked_pilot(read_json(path)["pilot"], self.asked)
        except DAMAGES as error:
            raise RunError(f"{path} is damaged ({error}); start anew in another folder") from None

    def begin(self, pilot: Pilot) -> None:
        """Write what was asked, and make room for what will be measured."""
        self.keep_pilot(pilot)
        try:
            (self.path / "measurements").mkdir(exist_ok=True)
        except OSError as error:
            raise RunError(f"{self.path} cannot be written to ({error})") from None
        self.tidy()

    def tidy(self) -> None:
        """Remove files left half-written by processes that were killed, once none is writing."""
        for left in (*self.path.glob(".*.part"), *self.path.glob("measurements/.*.part")):
            left.unlink(missing_ok=True)

    def keep_pilot(self, pilot: Pilot) -> None:
        """Write what was asked, with what is known of the target by now."""
        header = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "asked": self.asked,
            "system_file": self.system_file,
            "pilot": pilot.to_json(),
            "versions": versions(),
        }
        write_json(self.path / "run.json", header)

    def equations(self) -> dict[str, Equation]:
        """Equations that were finished before; those that ran out of time were not.

        Nor were others searched again since: with more time these might have taught them something.
        """
        path = self.path / "result.json"
        found = load(self.path).equations if path.exists() else ()
        if any(each.out_of_time for each in found):
            found = tuple(each for each in found if not each.out_of_time and each.passes == 1)
        return {each.variable: each for each in found}

    def write(self, discovery: Discovery) -> None:
        """Write the discovery as it is now."""
        write_json(self.path / "result.json", discovery.to_json())

    def measurements(self, variable: str, passes: int) -> Path:
        """Where the measurements of a component's search are kept."""
        again = "" if passes == 1 else f"-{passes}"
        return self.path / "measurements" / f"{variable}{again}.h5"

    def keep_history(self, finished: Iterable[tuple[str, int]]) -> int:
        """Drop the history of searches that were cut short: they are done again.

        So are damaged lines, whose number is returned; the last one may be cut short, too.
        """
        path, kept = self.path / "history.jsonl", set(finished)
        lines = [(line, _search(record)) for line, record in read_lines(path)]
        if not lines:
            return 0
        text = b"".join(line for line, search in lines if search in kept)
        write_text(path, text.decode())
        return sum(search is None for line, search in lines if line.endswith(b"\n"))

    def log(self, record: dict[str, Any]) -> None:
        """Add a line to the history."""
        path = self.path / "history.jsonl"
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise RunError(f"{path} cannot be written ({error}); see to its folder") from None


def checked_pilot(values: dict[str, Any], asked: dict[str, Any]) -> Pilot:
    """A pilot that was written with what was asked; a ValueError if it is of other variables."""
    pilot = pilot_from_json(values)
    if len(pilot.box) != len(asked["variables"]) or len(pilot.calibrations) < len(asked["outputs"]):
        raise ValueError("its pilot is of other variables")
    return pilot


def _search(record: dict[str, Any]) -> tuple[str, int] | None:
    """Which search a line of the history is of; None if it is damaged."""
    match record:
        case {"equation": str(variable), "pass": int(number)}:
            return variable, number
    return None


def open_run(path: Path, asked: dict[str, Any], system_file: str, *, resume: bool) -> RunFolder:
    """A new run folder, or with `resume` one that the same was asked of before."""
    folder = RunFolder(path, asked, system_file)
    left = {each.name for each in path.iterdir() if each.suffix != ".part"}
    if left and not resume:
        raise RunError(f"{path} is not empty; choose another folder, or go on with --resume")
    if left <= LAUNCHES:
        check_own(path)
        return folder
    before = run_header(path)
    if not {"asked", "pilot"} <= set(before):
        raise RunError(f"{path} holds a discovery, not a run to go on with; choose another folder")
    made_by = before["versions"].get("odevsr")
    if made_by != odevsr.__version__:
        raise RunError(
            f"the run in {path} was made by odevsr {made_by}, this is {odevsr.__version__}; "
            "start anew in another folder"
        )
    if DIGEST not in before:
        raise RunError(f"{path / 'run.json'} was changed by others; start anew in another folder")
    different = [
        key for key in asked if _decisive(before["asked"].get(key)) != _decisive(asked[key])
    ]
    if different:
        raise RunError(
            f"the run in {path} was asked for other {', '.join(different)}; resume it with the "
            "same options, or choose another folder"
        )
    return folder


def _decisive(asked: object) -> object:
    """What was asked, less the seconds allowed: they end a search, and decide nothing."""
    if not isinstance(asked, dict):
        return asked
    return {key: value for key, value in asked.items() if key != "most_seconds"}


def load(folder: str | Path) -> Discovery:
    """The discovery in a run folder, as far as the run got."""
    path = Path(folder)
    header = run_header(path)
    result = path / "result.json"
    if not result.exists():
        raise RunError(f"the run in {path} has found nothing yet; go on with --resume")
    again = (
        "restore it from a copy, or remove it and search again with --resume on the measurements"
    )
    values = read_json(result, again)
    try:
        discovery = discovery_from_json(values)
    except DAMAGES as error:
        raise RunError(f"{result} is damaged or of another version ({error}); {again}") from None
    return replace(discovery, system_file=header.get("system_file", ""), folder=path)


def header_if_begun(path: Path) -> dict[str, Any]:
    """What run.json says, if a run was begun in the folder; else nothing."""
    return run_header(path) if (path / "run.json").exists() else {}


def run_header(path: Path) -> dict[str, Any]:
    """What run.json says, of a folder that is a run of a format known here."""
    if not path.exists():
        raise RunError(f"{path}: there is no such folder; check the path")
    if not path.is_dir():
        raise RunError(f"{path} is no run folder; give one that `odevsr discover --out` made")
    if not (path / "run.json").exists():
        raise RunError(f"{path} is not a run folder of odevsr: it has no run.json; choose another")
    check_own(path)
    header = read_json(path / "run.json", "restore it from a copy, or start anew in another folder")
    if header.get("format") != FORMAT:
        raise RunError(f"{path} is not a run folder of odevsr; choose another")
    match header:
        case {"format_version": int(version)} if version > FORMAT_VERSION:
            raise RunError(f"the run in {path} is of a later format; update odevsr")
        case {"format_version": int(), "versions": dict()} if all(
            isinstance(header.get(name, kind()), kind) for name, kind in _KINDS.items()
        ):
            return header
    raise RunError(f"{path / 'run.json'} is damaged; restore it from a copy")
