"""Files of a run folder cut short or flipped at random, and what comes of resuming the run."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from odevsr.bench.faults.outcome import Outcome
from odevsr.discovery.discover import discover
from odevsr.errors import OdevsrError
from odevsr.language.text import to_text


def cut_short(content: bytes, rng: np.random.Generator) -> bytes:
    """The content without its end."""
    return content[: int(rng.integers(len(content)))]


def flipped(content: bytes, rng: np.random.Generator) -> bytes:
    """The content with one byte changed."""
    place, mask = int(rng.integers(len(content))), int(rng.integers(1, 256))
    return content[:place] + bytes([content[place] ^ mask]) + content[place + 1 :]


def damaged(system: str, run: Path, folder: Path, flips: bool, rng: np.random.Generator) -> Outcome:
    """Resume a copy of a finished run, of which one file is damaged.

    Half of the time the equations are to be found again, from the measurements.
    """
    shutil.copytree(run, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    path = files[int(rng.integers(len(files)))]
    path.write_bytes((flipped if flips else cut_short)(path.read_bytes(), rng))
    if path.name != "result.json" and rng.random() < 0.5:
        (folder / "result.json").unlink()
    try:
        found = equations(system, folder, resume=True)
    except OdevsrError as error:
        return Outcome.TOLD if str(path) in str(error) else Outcome.OTHER
    except Exception:  # whatever it is, it should have been one of ours
        return Outcome.RAW
    return Outcome.SAME if found == equations(system) else Outcome.OTHER


def equations(system: str, folder: Path | None = None, *, resume: bool = False) -> dict[str, str]:
    """What is found of a system."""
    found = discover(system, out=folder, resume=resume)
    return {each.variable: to_text(each.expression) for each in found.equations}
