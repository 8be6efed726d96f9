"""The files of a run folder: written whole or not at all, with the versions that made them."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import odevsr
from odevsr.errors import RunError
from odevsr.world.atomic import written_aside

FORMAT, FORMAT_VERSION = "odevsr-run", 2
"""Version 2 holds how each equation was found; folders of version 1 lack it, and are read too."""
VERDICT = "verdict.json"
"""What `odevsr validate` says of a run, as `--json` prints it."""
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


def save_result(folder: Path, system_file: str, result: dict[str, Any]) -> None:
    """Write a finished discovery to a new run folder."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder} exists and is not overwritten; choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be made ({error}); choose another place") from None
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "system_file": system_file,
        "versions": versions(),
    }
    write_text(folder / "run.json", json_text(header))
    write_text(folder / "result.json", json_text(result))


def read_json(path: Path) -> dict[str, Any]:
    """The object that a file of ours holds."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{path} cannot be read ({error}); restore it from a copy") from None
    if not isinstance(values, dict):
        raise RunError(f"{path} is not a file of odevsr; choose another")
    return values


def json_text(values: dict[str, Any]) -> str:
    """An object as our files hold it."""
    return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with written_whole(path) as aside:
        aside.write_text(text, encoding="utf-8")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A place beside the file, from where it is moved; a failure is told in a sentence."""
    try:
        with written_aside(path) as aside:
            yield aside
    except OSError as error:
        raise RunError(f"{path} cannot be written ({error}); see to its folder") from None
