"""System to text: as a system file, and in the canonical form its digest is taken from."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from odevsr.kind import Kind
from odevsr.language.expression import Expression, Real
from odevsr.language.number import number_text
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.world.systems.checks import SECTIONS

if TYPE_CHECKING:
    from odevsr.world.systems.system import StateVariable, System

_MOST_REWRITINGS = 10


def system_text(system: System) -> str:
    """A system file that reads back to an equal system."""
    sections = [
        _heading(system),
        _section("state", _states(system, system.components)),
        _section("inputs", _states(system, system.inputs)),
        _section("parameters", {k: _exact_text(v) for k, v in system.parameters.items()}),
        _section(SECTIONS[system.kind], _equations(system)),
        _section("simulation", _simulation(system)),
        _section("search", _search(system)),
    ]
    return "\n".join(section for section in sections if section)


def settled(equation: Expression, names: Collection[str]) -> Expression:
    """The equation as its own text reads, so that a system and its file hold the same trees."""
    for _ in range(_MOST_REWRITINGS):
        again = parse(to_text(equation), names)
        if again == equation:
            break
        equation = again
    return equation


def canonical_text(system: System) -> str:
    """What decides how a system moves; titles, sources and comments are left out."""
    variables = [[each.name, *_plain_floats(each), *_spread(each)] for each in system.variables]
    parameters = {name: _exact_text(value) for name, value in system.parameters.items()}
    equations = [to_text(equation) for equation in system.equations]
    kind = [] if system.kind is Kind.ODE else [system.kind.value, *system.outputs]
    return json.dumps([system.name, variables, parameters, equations, *kind], sort_keys=True)


def _heading(system: System) -> str:
    pairs = {"name": system.name, "title": system.title, "source": system.source}
    lines = ["format = 1", *(f"{key} = {_quoted(value)}" for key, value in pairs.items())]
    return "\n".join(lines) + "\n"


def _section(title: str, pairs: dict[str, str]) -> str:
    if not pairs:
        return ""
    return "\n".join([f"[{title}]", *(f"{key} = {value}" for key, value in pairs.items())]) + "\n"


def _states(system: System, names: Collection[str]) -> dict[str, str]:
    return {each.name: _state_text(each) for each in system.variables if each.name in names}


def _state_text(variable: StateVariable) -> str:
    meaning = f", meaning = {_quoted(variable.meaning)}" if variable.meaning else ""
    low, high, start = _plain_floats(variable)
    spread = "".join(f", {each}" for each in _spread(variable))
    return f"{{ range = [{low!r}, {high!r}], start = {start!r}{spread}{meaning} }}"


def _spread(variable: StateVariable) -> list[str]:
    """Scale and domain, as far as someone said them, as they stand in a file."""
    said = [f"scale = {_quoted(variable.scale)}"] if variable.scale else []
    if variable.domain is not None:
        least, most = (float(end) + 0.0 for end in variable.domain)
        said.append(f"domain = [{least!r}, {most!r}]")
    return said


def _plain_floats(variable: StateVariable) -> tuple[float, float, float]:
    """Low, high and start, where 1, 1.0 and a numpy one are the same, as are 0.0 and -0.0."""
    return float(variable.low) + 0.0, float(variable.high) + 0.0, float(variable.start) + 0.0


def _equations(system: System) -> dict[str, str]:
    pairs = zip(system.components, system.equations, strict=False)
    return {name: _quoted(to_text(equation)) for name, equation in pairs}


def _simulation(system: System) -> dict[str, str]:
    step, duration = system.simulation.step, system.simulation.duration
    return {"step": repr(float(step)), "duration": repr(float(duration))}


def _search(system: System) -> dict[str, str]:
    if system.operators is None:
        return {}
    return {"operators": "[" + ", ".join(_quoted(each) for each in system.operators) + "]"}


def _exact_text(value: Real) -> str:
    text = number_text(value)
    return _quoted(text) if "/" in text else text


def _quoted(text: str) -> str:
    """A basic TOML string; JSON's escapes are a subset of TOML's but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
