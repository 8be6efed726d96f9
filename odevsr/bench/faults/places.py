"""Folders that a run cannot have: on a full disk, read-only, or taken by another process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import numpy as np

from odevsr.bench.faults.damages import equations
from odevsr.bench.faults.outcome import Outcome
from odevsr.discovery.lock import locked
from odevsr.errors import OdevsrError

LARGEST_FILE = 40_000
"""Bytes: less than a run writes, so that some file of it finds no room."""


def disk_full(system: str, folder: Path, rng: np.random.Generator) -> Outcome:
    """A run that finds no room for one of its files, and is resumed when there is some."""
    most = int(rng.integers(LARGEST_FILE))
    return _hindered(system, folder, lambda: _files_limited(most))


def read_only(system: str, folder: Path, rng: np.random.Generator) -> Outcome:
    """A run in a folder that nobody may write to, and is resumed when one may."""
    return _hindered(system, folder, lambda: _unwritable(folder))


def taken(system: str, folder: Path, rng: np.random.Generator) -> Outcome:
    """A run in a folder that another run works on, and is begun when that has ended."""
    return _hindered(system, folder, lambda: locked(folder))


def _hindered(
    system: str, folder: Path, hindered: Callable[[], AbstractContextManager[None]]
) -> Outcome:
    """What comes of a run that is hindered, and of the same run when it no longer is."""
    folder.mkdir(parents=True)
    try:
        with hindered():
            equations(system, folder, resume=True)
    except OdevsrError as error:
        if str(folder) not in str(error):
            return Outcome.OTHER
    except Exception:  # whatever it is, it should have been one of ours
        return Outcome.RAW
    if list(folder.rglob("*.part")):
        return Outcome.HALF_WRITTEN
    found = equations(system, folder, resume=True)
    return Outcome.SAME if found == equations(system) else Outcome.OTHER


@contextmanager
def _files_limited(most: int) -> Iterator[None]:
    """No file can be larger than so many bytes, as if there were no more on the disk."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _unwritable(folder: Path) -> Iterator[None]:
    """Nothing can be put into the folder; who may write everywhere has no room in it instead."""
    folder.chmod(0o500)
    try:
        if os.access(folder, os.W_OK):
            with _files_limited(0):
                yield
        else:
            yield
    finally:
        folder.chmod(0o700)
