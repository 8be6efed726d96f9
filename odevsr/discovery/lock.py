"""Run folders that one process alone works on; the system lets go of them however that ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from odevsr.errors import RunError


@contextmanager
def locked(folder: str | Path | None) -> Iterator[None]:
    """Nobody else works on the run in a folder meanwhile; it is made, unless nothing goes into it.

    Where folders cannot be locked (Windows, some network file systems), nobody is kept away.
    """
    if folder is None:
        yield
        return
    path = Path(folder)
    is_new = _made(path)
    try:
        with _lock(path):
            yield
    finally:
        if is_new:
            with suppress(OSError):  # which it is if anything was put there
                path.rmdir()


def _made(path: Path) -> bool:
    """Make a folder; True if it was not there."""
    if path.is_dir():
        return False
    if path.exists() or path.is_symlink():
        raise RunError(f"{path} is a file; choose a folder for the run")
    try:
        path.mkdir(parents=True)
    except OSError as error:
        raise RunError(f"{path} cannot be made ({error}); choose another place") from None
    return True


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    import fcntl

    folder = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RunError(
                    f"another process works on the run in {path}; wait for it, or choose another "
                    "folder"
                ) from None
        yield
    finally:
        os.close(folder)
