"""Study file to Study: every mistake with file, line and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from odevsr.errors import SystemFileError, nearest
from odevsr.studies.grid import Mistake, MistakesError, Study
from odevsr.world.studied import is_reference
from odevsr.world.systems.registry import is_path
from odevsr.world.systems.text_file import bounded_text
from odevsr.world.systems.toml_text import Table, line_of, read_toml

FORMAT = 1
LARGEST = 1_000_000
_KEYS = ("targets", "seeds", "noise", "settings")


def read_study(path: str | Path) -> Study:
    """The study a file describes; paths in it are seen from the folder it is in."""
    path = Path(path)
    text = bounded_text(path, LARGEST, "is it a study?")
    table = read_toml(text, str(path))
    if table.get("format") != FORMAT:
        said = f"the study needs the line format = {FORMAT}, the one that this odevsr reads"
        raise _refusal(path, text, [(("format",), said)])
    mistakes: list[Mistake] = [
        ((key,), f"unknown key {key!r}; {nearest(key, _KEYS)}")
        for key in table
        if key not in ("format", *_KEYS)
    ]
    try:
        study = _study(table, path.parent)
    except MistakesError as error:
        mistakes += error.mistakes
    if mistakes:
        raise _refusal(path, text, mistakes)
    return study


def _refusal(path: Path, text: str, mistakes: list[Mistake]) -> SystemFileError:
    lines = sorted((line_of(text, place), sentence) for place, sentence in mistakes)
    return SystemFileError("\n".join(f"{path}:{line}: {sentence}" for line, sentence in lines))


def _study(table: Table, folder: Path) -> Study:
    given = {key: table[key] for key in _KEYS if key in table}
    targets = given.get("targets", [])
    if isinstance(targets, list):
        given["targets"] = [_placed(each, folder) for each in targets]
    return Study(**{"targets": [], **given})


def _placed(target: Any, folder: Path) -> Any:  # noqa: ANN401
    """The target, whose path is seen from the study's folder."""
    if isinstance(target, Mapping) and "target" in target:
        return {**target, "target": _placed(target["target"], folder)}
    if isinstance(target, str) and (is_path(target) or Path(target).suffix in (".xml", ".fmu")):
        return target if is_reference(target) else str(folder / target)
    return target
