"""schema(): what our JSON and system files hold, as JSON Schema (draft 2020-12)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from odevsr.errors import UsageError, nearest

SCHEMAS = ("discovery", "verdict", "comparison", "study", "bench", "system")


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of what a command prints with `--json`, or of a file.

    A "discovery" is also a run's result.json, a "verdict" (`odevsr validate`) its verdict.json;
    "comparison", "study" and "bench" are of the commands, "system" is of system files.

    >>> schema("system")["required"]
    ['format', 'name']
    """
    if name not in SCHEMAS:
        raise UsageError(f"there is no schema {name!r}; {nearest(name, SCHEMAS)}")
    text = files("odevsr.showing").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)
    return values
