"""Systems as tables for people and as plain objects for `--json`."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from odevsr.language.text import number_text, to_text
from odevsr.world.registry import Entry
from odevsr.world.system import System

SCHEMA = 1
_UNLIMITED = 1_000_000


def put(content: RenderableType) -> None:
    """Print to stdout: as wide as the terminal, and in whole lines where there is none."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        Console().print(content)
        return
    console = Console(width=_UNLIMITED, color_system=None)
    with console.capture() as captured:
        console.print(content)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def put_json(content: object) -> None:
    """Print one JSON object to stdout."""
    print(json.dumps(content, indent=2, ensure_ascii=False))


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table without rules whose cells wrap; nothing is ever cut off."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, overflow="fold", no_wrap=index == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def systems_table(entries: Sequence[Entry]) -> RenderableType:
    """Name, dimension, title and citation of each; below, what cannot be used, and why."""
    usable = [entry.system for entry in entries if entry.system is not None]
    rows = [
        (each.name, str(len(each.variables)), each.title, short_citation(each.source))
        for each in usable
    ]
    table = plain_table(["system", "n", "title", "source"], rows)
    errors = [Text(f"\nnot usable: {entry.error}") for entry in entries if entry.error is not None]
    return Group(table, *errors)


def systems_json(entries: Sequence[Entry]) -> dict[str, object]:
    """The registry as one object; `error` is null where the system can be used."""
    return {"schema": SCHEMA, "systems": [_entry_json(entry) for entry in entries]}


def _entry_json(entry: Entry) -> dict[str, object]:
    system = entry.system
    return {
        "name": entry.name,
        "dimension": len(system.variables) if system else None,
        "title": system.title if system else None,
        "source": system.source if system else None,
        "origin": entry.origin,
        "error": str(entry.error) if entry.error else None,
    }


def system_page(system: System) -> RenderableType:
    """Title, citation, equations, state variables and parameters of one system."""
    parts: list[RenderableType] = [
        Text(f"{system.name}: {system.title}", style="bold"),
        Text(" ".join(system.source.split())),
        Text(),
        _indented(_equations(system)),
        Text(),
        _indented(plain_table(["variable", "range", "start", "meaning"], _state_rows(system))),
    ]
    if system.parameters:
        pairs = [(name, number_text(value)) for name, value in system.parameters.items()]
        parts += [Text(), _indented(plain_table(["parameter", "value"], pairs))]
    return Group(*parts)


def system_json(system: System) -> dict[str, object]:
    """Everything a system file says, parameters both as numbers and exactly as text."""
    return {
        "schema": SCHEMA,
        "name": system.name,
        "title": system.title,
        "source": system.source,
        "variables": [
            {
                "name": each.name,
                "range": [each.low, each.high],
                "start": each.start,
                "meaning": each.meaning,
            }
            for each in system.variables
        ],
        "parameters": {
            name: {"value": float(value), "exact": str(value)}
            for name, value in system.parameters.items()
        },
        "equations": [
            {"variable": name, "expression": to_text(equation), "closed": to_text(closed)}
            for name, equation, closed in zip(
                system.names, system.equations, system.closed_equations(), strict=True
            )
        ],
        "simulation": {"step": system.simulation.step, "duration": system.simulation.duration},
        "operators": list(system.operators) if system.operators is not None else None,
        "digest": system.digest,
    }


def short_citation(source: str) -> str:
    """The first authors and year of a citation, or all of it where it has no such beginning.

    >>> short_citation("Lorenz, E. N. (1963). Deterministic nonperiodic flow.")
    'Lorenz, E. N. (1963)'
    """
    source = " ".join(source.split())
    found = re.match(r".*?\(\d{4}\)", source)
    return found[0] if found else source


def _equations(system: System) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, equation in zip(system.names, system.equations, strict=True):
        table.add_row(Text(f"d{name}/dt ="), Text(to_text(equation)))
    return table


def _state_rows(system: System) -> list[tuple[str, ...]]:
    return [
        (each.name, f"{each.low:.12g} .. {each.high:.12g}", f"{each.start:.12g}", each.meaning)
        for each in system.variables
    ]


def _indented(table: Table) -> Padding:
    return Padding(table, (0, 0, 0, 2))
