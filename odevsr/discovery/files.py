"""The files of a run folder: written whole or not at all, with the versions that made them.

Each JSON object holds `content_digest`, the SHA-256 of all else in it (as JSON, keys sorted), so
that no damage goes unnoticed. An object without it is read, but no run goes on from it.
"""

from __future__ import annotations

import hashlib
import json
import platform
import stat
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
DIGEST = "content_digest"
LARGEST = 1 << 28
"""Bytes of a JSON file that is read."""
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


def check_new(folder: Path) -> None:
    """Refuse a folder that holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder} exists and is not overwritten; choose another folder")


def make_folder(folder: Path) -> None:
    """Make a folder, and those it is in, where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{folder} cannot be made ({error}); choose another place") from None


def save_result(folder: Path, result: dict[str, Any], **asked: object) -> None:
    """Write a finished discovery to a new run folder, with what is known of how it was asked."""
    check_new(folder)
    make_folder(folder)
    header = {"format": FORMAT, "format_version": FORMAT_VERSION, **asked, "versions": versions()}
    write_json(folder / "run.json", header)
    write_json(folder / "result.json", result)


def read_json(path: Path, otherwise: str = "restore it from a copy") -> dict[str, Any]:
    """The object that a file of ours holds; `otherwise` is what to do if it is damaged."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"it is larger than {LARGEST:,} bytes")
        values = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
        if not isinstance(values, dict):
            raise RunError(f"{path} is not a file of odevsr; choose another")
        if DIGEST in values and values[DIGEST] != _digest(values):
            raise ValueError("its content does not agree with its digest")
        if any(not (each.isprintable() or each in "\n\t") for each in _characters(values)):
            raise ValueError("it holds a control character")
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{path} is damaged or cannot be read ({error}); {otherwise}") from None
    return values


def read_lines(path: Path) -> list[tuple[bytes, dict[str, Any]]]:
    """Lines of a file of ours, each with the object in it, empty if it is damaged or cut short."""
    try:
        if path.stat().st_size > LARGEST:
            raise RunError(f"{path} is larger than {LARGEST:,} bytes; remove it")
        return [(line, _object(line)) for line in path.read_bytes().splitlines(keepends=True)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RunError(f"{path} cannot be read ({error}); see to its folder") from None


def _object(line: bytes) -> dict[str, Any]:
    try:
        values = json.loads(line) if line.endswith(b"\n") else {}
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def check_own(folder: Path) -> None:
    """Refuse links, pipes and devices: whoever follows them reads or writes elsewhere."""
    for each in folder.rglob("*"):
        if not _is_own(each):
            raise RunError(
                f"{each} is a link or no plain file, and a run has only files of its own; put a "
                "copy in its place"
            )


def _is_own(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:  # somebody was writing it
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write an object whole or not at all, with its digest."""
    write_text(path, json_text({**values, DIGEST: _digest(values)}))


def _digest(values: dict[str, Any]) -> str:
    content = {key: value for key, value in values.items() if key != DIGEST}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _characters(value: object) -> Iterator[str]:
    """All that would be printed of a value."""
    if isinstance(value, str):
        yield from value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from key
            yield from _characters(each)
    elif isinstance(value, list):
        for each in value:
            yield from _characters(each)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def json_text(values: dict[str, Any]) -> str:
    """An object as our files hold it."""
    return json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with written_whole(path) as aside:
        aside.write_text(text, encoding="utf-8")


def check_folder(path: Path) -> None:
    """Refuse a file in a folder that is not there."""
    if not path.parent.exists():
        raise RunError(f"{path} cannot be written: there is no folder {path.parent}; make it first")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A place beside the file, from where it is moved; a failure is told in a sentence."""
    try:
        with written_aside(path) as aside:
            yield aside
    except OSError as error:
        check_folder(path)
        why = error.strerror or error
        raise RunError(f"{path} cannot be written ({why}); see to its folder") from None
