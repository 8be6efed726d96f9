"""Run folders: what was asked, how the search went, what was measured, what was found.

    run.json            what was asked: target, seed, settings, components, versions; the pilot;
                        the system's file with the parameters used and those varied
    history.jsonl       a line an epoch of each equation's search
    measurements/*.h5   what the oracle measured, one file a component and pass
    result.json         the discovery, as `odevsr discover --json` prints it

Each file is written whole or not at all, so that whatever stops a run, it can be resumed: equations
in result.json are kept, a search cut short is done again on its own measurements.
"""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import odevsr
from odevsr.discovery.result import SCHEMA, Discovery, Unfinished
from odevsr.errors import OdevsrError, RunError
from odevsr.evidence.law import FittedNumber
from odevsr.language.parse import parse, parse_number
from odevsr.settings import settings_from_json
from odevsr.vertical.equation import Equation, Status
from odevsr.vertical.rivals import Alternative, Experiment
from odevsr.vertical.rounds import Round
from odevsr.world.atomic import written_aside
from odevsr.world.oracle import Cost
from odevsr.world.pilot import Pilot, pilot_from_json

FORMAT, FORMAT_VERSION = "odevsr-run", 1
_STATUSES = {status.value: status for status in Status}
_LIBRARIES = ("numpy", "scipy", "sympy", "numba", "torch")


def versions() -> dict[str, str]:
    """Versions of odevsr, Python and the libraries that decide what a search finds."""
    found = {"odevsr": odevsr.__version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:  # a frozen application may carry a library without its record
            found[library] = "unknown"
    return found


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run; `asked` decides the outcome and must be the same to resume."""

    path: Path
    asked: dict[str, Any]
    system_file: str = ""

    def pilot(self) -> Pilot | None:
        """What pilot launches told, if the run got as far."""
        header = _read_json(self.path / "run.json") if self._begun() else {}
        return pilot_from_json(header["pilot"]) if "pilot" in header else None

    def begin(self, pilot: Pilot) -> None:
        """Write what was asked."""
        header = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "asked": self.asked,
            "system_file": self.system_file,
            "pilot": pilot.to_json(),
            "versions": versions(),
        }
        try:
            (self.path / "measurements").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{self.path} cannot be made ({error}); choose another place") from None
        _write_text(self.path / "run.json", _json(header))

    def equations(self) -> dict[str, Equation]:
        """Equations that were finished before."""
        path = self.path / "result.json"
        found = load(self.path).equations if path.exists() else ()
        return {each.variable: each for each in found}

    def write(self, discovery: Discovery) -> None:
        """Write the discovery as it is now."""
        _write_text(self.path / "result.json", _json(discovery.to_json()))

    def measurements(self, variable: str, passes: int) -> Path:
        """Where the measurements of a component's search are kept."""
        again = "" if passes == 1 else f"-{passes}"
        return self.path / "measurements" / f"{variable}{again}.h5"

    def keep_history(self, finished: Iterable[tuple[str, int]]) -> None:
        """Drop the history of searches that were cut short: they are done again."""
        path, kept = self.path / "history.jsonl", set(finished)
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            whole = [line for line in lines if line.endswith("\n")]
            _write_text(path, "".join(line for line in whole if _search(line) in kept))

    def log(self, record: dict[str, Any]) -> None:
        """Add a line to the history."""
        path = self.path / "history.jsonl"
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise RunError(f"{path} cannot be written ({error}); see to its folder") from None

    def _begun(self) -> bool:
        return (self.path / "run.json").exists()


def _search(line: str) -> tuple[str, int] | None:
    """Which search a line of the history is of; None if it is damaged."""
    try:
        record = json.loads(line)
        return record["equation"], record["pass"]
    except (ValueError, LookupError, TypeError):
        return None


def open_run(
    path: Path, asked: dict[str, Any], *, system_file: str = "", resume: bool
) -> RunFolder:
    """A new run folder, or with `resume` one that the same was asked of before."""
    folder = RunFolder(path, asked, system_file)
    if path.exists() and not path.is_dir():
        raise RunError(f"{path} is a file; choose a folder for the run")
    if not (path.exists() and any(path.iterdir())):
        return folder
    if not resume:
        raise RunError(f"{path} is not empty; choose another folder, or go on with --resume")
    before = run_header(path)
    if not {"asked", "pilot", "versions"} <= set(before):
        raise RunError(f"{path} holds a discovery, not a run to go on with; choose another folder")
    made_by = before["versions"].get("odevsr")
    if made_by != odevsr.__version__:
        raise RunError(
            f"the run in {path} was made by odevsr {made_by}, this is {odevsr.__version__}; "
            "start anew in another folder"
        )
    different = [key for key in asked if before["asked"].get(key) != asked[key]]
    if different:
        raise RunError(
            f"the run in {path} was asked for other {', '.join(different)}; resume it with the "
            "same options, or choose another folder"
        )
    return folder


def save_discovery(discovery: Discovery, path: Path) -> None:
    """Write a finished discovery to a new run folder."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise RunError(f"{path} exists and is not overwritten; choose another folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path} cannot be made ({error}); choose another place") from None
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "system_file": discovery.system_file,
        "versions": versions(),
    }
    _write_text(path / "run.json", _json(header))
    _write_text(path / "result.json", _json(discovery.to_json()))


def load(folder: str | Path) -> Discovery:
    """The discovery in a run folder, as far as the run got."""
    path = Path(folder)
    header = run_header(path)
    result = path / "result.json"
    if not result.exists():
        raise RunError(f"the run in {path} has found nothing yet; go on with --resume")
    values = _read_json(result)
    try:
        discovery = discovery_from_json(values)
    except (LookupError, TypeError, ValueError, OdevsrError) as error:
        raise RunError(
            f"{result} is damaged or of another version ({error}); restore it from a copy"
        ) from None
    return replace(discovery, system_file=header.get("system_file", ""))


def discovery_from_json(values: dict[str, Any]) -> Discovery:
    """A discovery as its `to_json` gave it."""
    if values["schema"] != SCHEMA:
        raise RunError(f"its schema is {values['schema']}, and this odevsr reads {SCHEMA}")
    names = tuple(each["name"] for each in values["variables"])
    return Discovery(
        target=values["target"],
        names=names,
        ranges=tuple((each["range"][0], each["range"][1]) for each in values["variables"]),
        equations=tuple(_equation(each, names) for each in values["equations"]),
        seed=values["seed"],
        settings=settings_from_json(values["settings"]),
        cost=Cost(**values["oracle"]),
        elapsed_s=values["elapsed_s"],
        interrupted=values["interrupted"],
        versions=values["versions"],
        unfinished=tuple(_unfinished(each) for each in values.get("unfinished", ())),
    )


def _unfinished(values: dict[str, Any]) -> Unfinished:
    return Unfinished(
        cost=Cost(**values["oracle"]),
        **{key: value for key, value in values.items() if key != "oracle"},
    )


def _equation(values: dict[str, Any], names: tuple[str, ...]) -> Equation:
    found = Equation(
        variable=values["variable"],
        expression=parse(values["expression"], names),
        status=_STATUSES[values["status"]],
        constants=tuple(_constant(each) for each in values["constants"]),
        r2=_number(values["r2"], float("-inf")),
        nmse=_number(values["nmse"], float("inf")),
        deviation=_number(values["deviation"], float("inf")),
        rounds=tuple(_round(each) for each in values["rounds"]),
        cost=Cost(**values["oracle"]),
        candidates=values["candidates"],
        elapsed_s=values["elapsed_s"],
        note=values["note"],
        alternatives=tuple(_alternative(each, names) for each in values["alternatives"]),
        passes=values["passes"],
        out_of_time=values.get("out_of_time", False),
    )
    return replace(found, r2=math.nan, nmse=math.nan) if found.is_constant else found


def _alternative(values: dict[str, Any], names: tuple[str, ...]) -> Alternative:
    experiment = values["experiment"]
    if experiment is not None:
        state, predictions = tuple(experiment["state"]), tuple(experiment["predictions"])
        experiment = Experiment(state, predictions, experiment["contrast"])
    deviation = _number(values["deviation"], float("inf"))
    refuted = values.get("refuted", False)
    return Alternative(parse(values["expression"], names), deviation, experiment, refuted)


def _constant(values: dict[str, Any]) -> FittedNumber:
    exact = None if values["exact"] is None else parse_number(values["exact"])
    error = _number(values["error"], float("inf"))
    return FittedNumber(_number(values["value"], float("nan")), error, exact)


def _round(values: dict[str, Any]) -> Round:
    proposer = None if values["proposer"] == "none" else values["proposer"]  # as it was once said
    deviation = _number(values["deviation"], float("inf"))
    return Round(**{**values, "proposer": proposer, "deviation": deviation})


def _number(value: float | None, absent: float) -> float:
    return absent if value is None else float(value)


def recorded_file(path: Path) -> str:
    """The file of the system that a run was begun with; empty if there is none."""
    begun = (path / "run.json").exists()
    return str(run_header(path).get("system_file", "")) if begun else ""


def run_header(path: Path) -> dict[str, Any]:
    """What run.json says, of a folder that is a run of a format known here."""
    if not path.is_dir():
        raise RunError(f"{path} is no run folder; give one that `odevsr discover --out` made")
    if not (path / "run.json").exists():
        raise RunError(f"{path} is not a run folder of odevsr: it has no run.json; choose another")
    header = _read_json(path / "run.json")
    if header.get("format") != FORMAT:
        raise RunError(f"{path} is not a run folder of odevsr; choose another")
    if header["format_version"] > FORMAT_VERSION:
        raise RunError(f"the run in {path} is of a later format; update odevsr")
    return header


def _read_json(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{path} cannot be read ({error}); restore it from a copy") from None
    if not isinstance(values, dict):
        raise RunError(f"{path} is not a file of odevsr; choose another")
    return values


def _json(values: dict[str, Any]) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _write_text(path: Path, text: str) -> None:
    try:
        with written_aside(path) as aside:
            aside.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"{path} cannot be written ({error}); see to its folder") from None
