"""Systems as tables for people and as plain objects for `--json`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.language.number import number_text
from odevsr.language.text import to_text
from odevsr.plain import finite
from odevsr.settings import DEFAULT_OPERATORS
from odevsr.showing.output import SCHEMA, law_table, plain_table
from odevsr.world.ranges import EVEN, LOG
from odevsr.world.systems.checks import operator_text
from odevsr.world.systems.registry import Entry
from odevsr.world.systems.system import System


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
    lefts = [system.kind.left(name) for name in system.left_sides]
    laws = [to_text(equation) for equation in system.equations]
    parts: list[RenderableType] = [
        Text(f"{system.name}: {system.title}", style="bold"),
        Text(" ".join(system.source.split())),
        Text(),
        _indented(law_table(zip(lefts, laws, strict=True))),
        Text(),
        _indented(_states_table(system)),
    ]
    if system.parameters:
        pairs = [(name, number_text(value)) for name, value in system.parameters.items()]
        parts += [Text(), _indented(plain_table(["parameter", "value"], pairs))]
    return Group(*parts, Text(), _indented(Text(_habits(system))))


def system_json(system: System) -> dict[str, object]:
    """Everything a system file says, parameters both as numbers and exactly as text."""
    return {
        "schema": SCHEMA,
        "name": system.name,
        "measured": system.kind.value,
        "title": system.title,
        "source": system.source,
        "variables": [
            {
                "name": each.name,
                "range": [each.low, each.high],
                "scale": LOG if each.range.is_log else EVEN,
                "domain": each.domain and _ends(each.domain),
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
                system.left_sides, system.equations, system.closed_equations(), strict=True
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


def _ends(domain: tuple[float, float]) -> list[float | None]:
    """A domain for JSON, null where it has no end."""
    return [finite(end) for end in domain]


def _states_table(system: System) -> RenderableType:
    rows = [
        (
            each.name,
            f"{each.low:.12g} .. {each.high:.12g}",
            LOG if each.range.is_log else EVEN,
            _domain_text(each.domain),
            f"{each.start:.12g}",
            each.meaning,
        )
        for each in system.variables
    ]
    return plain_table(["variable", "range", "scale", "domain", "start", "meaning"], rows)


def _domain_text(domain: tuple[float, float] | None) -> str:
    """What values there can be, if someone says; what has no end is left open."""
    if domain is None:
        return ""
    least, most = (f"{end:.12g}" if math.isfinite(end) else "" for end in domain)
    return f"{least} .. {most}".strip()


def _habits(system: System) -> str:
    """How it is simulated and searched if nothing else is asked for."""
    simulation = system.simulation
    operators = " ".join(map(operator_text, system.operators or DEFAULT_OPERATORS))
    in_time = f"simulated for {simulation.duration:.12g} in steps of {simulation.step:.12g}; "
    return f"{in_time if system.kind.moves else ''}searched with {operators}"


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2))
