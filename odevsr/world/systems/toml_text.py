"""Texts in TOML that people write: read within bounds, refused with the line that is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from odevsr.errors import SystemFileError

Table = Mapping[str, Any]

_KEY_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_MANY_PARTS = re.compile(rf"(?<![\w-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{50}}")


def read_toml(text: str, where: str) -> Table:
    """What a text in TOML says; `where` names the text in refusals, which name the line."""
    # A dotted key of many thousand parts takes the TOML reader minutes and all memory.
    if dotted := _MANY_PARTS.search(text):
        line = text.count("\n", 0, dotted.start()) + 1
        raise SystemFileError(f"{where}:{line}: a key has too many parts; simplify it")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SystemFileError(_toml_refusal(str(error), text, where)) from None
    except (ValueError, RecursionError):
        raise SystemFileError(
            f"{where}:1: the text is nested too deeply, or a number is too long; simplify it"
        ) from None


def _toml_refusal(message: str, text: str, where: str) -> str:
    """The TOML reader's message, its line in front, the commonest mistake in plain words."""
    found = re.search(r" \(at line (\d+), column \d+\)", message)
    line = int(found[1]) if found else text.count("\n") + 1
    what = message[: found.start()] if found else message
    if what in ("Cannot overwrite a value", "Cannot declare a table twice") or "twice" in what:
        return f"{where}:{line}: a name is declared twice; remove or rename one of the two"
    return f"{where}:{line}: not valid TOML: {what}; mend the line (text needs quotes)"


def line_of(text: str, place: tuple[str, ...]) -> int:
    """The line where a section or key stands, else that of what encloses it, else the first.

    The TOML reader keeps no positions, so the text is scanned for [section] and `key =` lines.
    """
    header: tuple[str, ...] = ()
    lines: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        before, equals, _ = line.partition("=")
        if line.lstrip().startswith("["):
            header = _key_parts(line.strip(" \t[").partition("]")[0])
            lines.setdefault(header, number)
        elif equals:
            parts = header + _key_parts(before)
            for length in range(len(header) + 1, len(parts) + 1):
                lines.setdefault(parts[:length], number)
    prefixes = (place[:length] for length in range(len(place), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), 1)


def _key_parts(key: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in key.split("."))
