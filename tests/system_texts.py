"""A small system file, and changes to it, shared by tests of files, registry and command."""

from pathlib import Path

DECAY = """\
format = 1
name = "decay"
title = "Radioactive decay"
source = "Rutherford, E. (1900)."

[state]
amount = { range = [0, 10], start = 5.0, meaning = "nuclei left" }
heat = { range = [-1, 1], start = 0.5 }

[parameters]
rate = "1/3"
gain = 0.1

[equations]
amount = "-rate*amount"
heat = "gain*amount - heat"

[simulation]
step = 0.5
duration = 20
"""


def changed(old: str, new: str) -> str:
    """The small file with one passage replaced, which must be there once."""
    assert DECAY.count(old) == 1
    return DECAY.replace(old, new)


def renamed(name: str) -> str:
    """The small file under another name."""
    return changed('name = "decay"', f'name = "{name}"')


def written(folder: Path, name: str, text: str | None = None) -> Path:
    """The path of a system file just made in the folder."""
    path = folder / f"{name}.toml"
    path.write_text(renamed(name) if text is None else text, encoding="utf-8")
    return path
