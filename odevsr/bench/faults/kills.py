"""Processes of a discovery killed at random moments, and what is left of the run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.bench.faults.outcome import Outcome
from odevsr.errors import UsageError

LONGEST_LIFE = 60.0
"""Seconds in which processes end whose parent was killed; those that still import take longest."""
JOBS = 2


@dataclass(frozen=True)
class Study:
    """What is discovered in processes, what comes out undisturbed, and how long that takes."""

    system: str
    equations: dict[str, str]
    seconds: float


def undisturbed(system: str, folder: Path) -> Study:
    """Discover a system in processes and let them be."""
    _check_processes_are_seen()
    began = time.monotonic()
    process = _started(system, folder)
    found = _ended(process)
    if found is None:
        raise UsageError(f"{system} cannot be discovered here; choose another system")
    return Study(system, found, time.monotonic() - began)


def main_killed(study: Study, folder: Path, rng: np.random.Generator) -> Outcome:
    """Kill the process that was started; its processes must end, and the run be resumed."""
    process = _started(study.system, folder)
    time.sleep(rng.uniform(0, study.seconds))
    others = _children(process.pid)
    process.kill()
    process.communicate()
    if not _within(LONGEST_LIFE, lambda: not any(map(_is_alive, others))):
        for each in filter(_is_alive, others):
            os.kill(each, signal.SIGKILL)
        return Outcome.OUTLIVED
    again = ("--resume",) if folder.exists() else ()
    found = _ended(_started(study.system, folder, *again))
    return _judged(study, found, folder)


def worker_killed(study: Study, folder: Path, rng: np.random.Generator) -> Outcome:
    """Kill one of the processes that search; the run must go on."""
    process = _started(study.system, folder)
    _within(study.seconds, lambda: len(_workers(process.pid)) == JOBS)
    time.sleep(rng.uniform(0, study.seconds))
    workers = _workers(process.pid)
    if workers:
        os.kill(int(rng.choice(workers)), signal.SIGKILL)
    return _judged(study, _ended(process), folder)


def _judged(study: Study, found: dict[str, str] | None, folder: Path) -> Outcome:
    if list(folder.rglob("*.part")):
        return Outcome.HALF_WRITTEN
    return Outcome.SAME if found == study.equations else Outcome.OTHER


def _started(system: str, folder: Path, *more: str) -> subprocess.Popen[str]:
    words = ["discover", system, "--out", str(folder), "--jobs", str(JOBS), "--json", *more]
    command = [sys.executable, "-m", "odevsr", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _ended(process: subprocess.Popen[str]) -> dict[str, str] | None:
    """The equations that a process prints; None if it prints none."""
    out, _ = process.communicate()
    try:
        found: dict[str, Any] = json.loads(out)
    except ValueError:
        return None
    return {each["variable"]: each["expression"] for each in found["equations"]}


def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _check_processes_are_seen() -> None:
    if not Path("/proc/self/stat").exists():
        raise UsageError("bench faults finds processes in /proc, as Linux has it; run it there")


def _workers(parent: int) -> list[int]:
    """Processes that search, less the one that looks after what they share."""
    return [each for each in _children(parent) if "spawn_main" in _command_line(each)]


def _children(parent: int) -> list[int]:
    numbers = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    return [each for each in numbers if _status(each)[1:2] == [str(parent)]]


def _is_alive(process: int) -> bool:
    return _status(process)[:1] not in ([], ["Z"])


def _status(process: int) -> list[str]:
    """State, parent and so on of a process; nothing of one that has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _command_line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""
