"""Run folders that one process alone works on; the system lets go of them however that ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from odevsr.discovery.files import make_folder
from odevsr.errors import RunError


@contextmanager
def locked(folder: Path | None) -> Iterator[None]:
    """Nobody else works on the run in a folder meanwhile; it is made, unless nothing goes into it.

    Where folders cannot be locked (Windows, some network file systems), nobody is kept away.
    """
    if folder is None:
        yield
        return
    is_new = not folder.is_dir()
    if is_new and (folder.exists() or folder.is_symlink()):
        raise RunError(f"{folder} is a file; choose a folder for the run")
    make_folder(folder)
    try:
        with _lock(folder):
            yield
    finally:
        if is_new:
            with suppress(OSError):  # which it is if anything was put there
                folder.rmdir()


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
