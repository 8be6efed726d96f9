"""System file to System: TOML, every refusal with file, line, what is wrong and how to mend it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from odevsr.errors import ExpressionError, SystemFileError, nearest
from odevsr.kind import Kind
from odevsr.language.expression import Expression, Op, Real
from odevsr.language.expression import variables as symbols
from odevsr.language.parse import parse, parse_number
from odevsr.world.systems.checks import (
    SECTIONS,
    TIME,
    check_operators,
    check_prose,
    check_simulation,
    check_system_name,
    check_variable,
    judge_names,
    laws_of_inputs,
)
from odevsr.world.systems.refusals import Mistakes, RefusalError, RefusalsError
from odevsr.world.systems.system import Simulation, StateVariable, System
from odevsr.world.systems.text_file import bounded_text
from odevsr.world.systems.toml_text import Table, line_of, read_toml

FORMAT = 1
LARGEST_FILE = 1_000_000

_TOP = ("format", "name", "title", "source", "state", "parameters", *SECTIONS.values())
_TOP_OPTIONAL = ("inputs", "simulation", "search")
_STATE = ("range", "start", "meaning", "scale", "domain")
_SIMULATION = ("step", "duration")
_SEARCH = ("operators",)
_EXAMPLES = {
    "format": f"format = {FORMAT}",
    "name": 'name = "lorenz"',
    "state": "[state] with a line such as x0 = { range = [-20, 20] }",
    "equations": "[equations] with a line for each variable",
    "range": "range = [0, 1]",
    "domain": "domain = [0, inf]",
}
_KINDS = {str: "text in quotes", dict: "a table", list: "a list", int: "a whole number"}


def read_system(path: str | Path) -> System:
    """The system a file describes; the file is called as the system: lorenz.toml holds lorenz."""
    path = Path(path)
    text = _file_text(path)
    system = parse_system(text, str(path))
    if path.stem != system.name:
        line = line_of(text, ("name",))
        raise SystemFileError(
            f"{path}:{line}: name {system.name!r} differs from the file's name; "
            f"rename the file to {system.name}.toml or write name = {path.stem!r}"
        )
    return system


def parse_system(text: str, where: str) -> System:
    """The system a text describes; `where` names the text's origin in refusals."""
    table = read_toml(text, where)
    try:
        return _system(table, text)
    except RefusalsError as error:
        told = [(line_of(text, each.place), str(each)) for each in error.refusals]
        told.sort(key=lambda each: each[0])
        raise SystemFileError("\n".join(f"{where}:{line}: {why}" for line, why in told)) from None


def name_line(path: Path) -> int:
    """The line on which a file gives its system's name."""
    return line_of(_file_text(path), ("name",))


def _file_text(path: Path) -> str:
    return bounded_text(path, LARGEST_FILE, "is it a system file?")


def _system(table: Table, text: str) -> System:
    wrong = Mistakes()
    wrong.of(_check_format, table)
    wrong.tell()
    kind = wrong.of(_kind, table)
    if kind is None:
        raise RefusalsError(wrong.refusals)
    title = SECTIONS[kind]
    is_function = kind is Kind.FUNCTION
    _check_keys(table, (*_TOP, *_TOP_OPTIONAL), (), wrong)
    section = wrong.of(_required, table, title, dict, ())
    states = {} if is_function else wrong.of(_required, table, "state", dict, ())
    driven = wrong.of(_optional, table, "inputs", dict, ()) or {}
    fixed = wrong.of(_optional, table, "parameters", dict, ()) or {}
    name, heading, source = _prose(table, wrong)
    variables = _variables(states or {}, "state", wrong)
    inputs = _variables(driven, "inputs", wrong)
    parameters = {key: wrong.of(_number, each, ("parameters", key)) for key, each in fixed.items()}
    simulation = _simulation(wrong.of(_optional, table, "simulation", dict, ()) or {}, wrong)
    operators = _operators(wrong.of(_optional, table, "search", dict, ()) or {}, wrong)
    if section is None or states is None:
        raise RefusalsError(wrong.refusals)
    of_whom = list(section if is_function else states)
    judge_names(of_whom, list(fixed), list(driven), kind, wrong)
    equations = _equations(section, title, of_whom, [*states, *driven, *fixed], wrong)
    wrong.tell()
    if kind.moves and TIME not in driven and any(TIME in symbols(each) for each in equations):
        inputs = (*inputs, StateVariable(TIME, 0.0, simulation.duration, 0.0))
    return System(
        name=name,
        title=heading,
        source=source,
        variables=(*variables, *inputs),
        parameters={key: value for key, value in parameters.items() if value is not None},
        equations=(*equations, *laws_of_inputs(kind, [each.name for each in inputs])),
        simulation=simulation,
        inputs=tuple(each.name for each in inputs),
        kind=kind,
        outputs=tuple(section) if is_function else (),
        operators=operators,
        text=text,
    )


def _prose(table: Table, wrong: Mistakes) -> tuple[str, str, str]:
    """Name, title and source; the title is the name where none is given."""
    name = wrong.of(_required, table, "name", str, ())
    if name is not None:
        wrong.of(check_system_name, name)
    title, source = (wrong.of(_optional, table, key, str, ()) or "" for key in ("title", "source"))
    for key, text in (("title", title), ("source", source)):
        wrong.of(check_prose, (key,), text)
    return name or "", title if "title" in table else name or "", source


def _check_format(table: Table) -> None:
    """Before anything else: a later format may hold keys that this odevsr cannot judge."""
    version = _required(table, "format", int, ())
    if version != FORMAT:
        raise RefusalError(("format",), f"format is {version}; this odevsr reads format = {FORMAT}")


def _kind(table: Table) -> Kind:
    """What the laws are of, which the title of their section says."""
    kinds = [kind for kind, title in SECTIONS.items() if title in table]
    if len(kinds) > 1:
        titles = " and ".join(f"[{SECTIONS[kind]}]" for kind in kinds)
        raise RefusalError((SECTIONS[kinds[1]],), f"there are {titles}; leave one of them")
    if kinds == [Kind.FUNCTION] and "state" in table:
        raise RefusalError(("state",), "a function has no state; call the section [inputs]")
    return kinds[0] if kinds else Kind.ODE


def _variables(section: Table, title: str, wrong: Mistakes) -> tuple[StateVariable, ...]:
    """The variables of a section, less those that are refused."""
    found = []
    for name, value in section.items():
        if isinstance(value, dict):
            _check_keys(value, _STATE, (title, name), wrong)
        found.append(wrong.of(_variable, (title, name), value))
        if found[-1] is not None:
            wrong.of(check_variable, (title, name), found[-1])
    return tuple(each for each in found if each is not None)


def _variable(place: tuple[str, str], value: object) -> StateVariable:
    name = place[1]
    if not isinstance(value, dict):
        raise RefusalError(place, f"{name} must be a table: {name} = {{ range = [0, 1] }}")
    low, high = (_float(limit, (*place, "range")) for limit in _two(value, "range", place))
    if "start" in value:
        start = _float(value["start"], (*place, "start"))
    else:
        start = low if name == TIME else (low + high) / 2
    meaning = _optional(value, "meaning", str, place)
    scale = _optional(value, "scale", str, place)
    return StateVariable(name, low, high, start, meaning, scale, _domain(value, place))


def _domain(value: Table, place: tuple[str, str]) -> tuple[float, float] | None:
    if "domain" not in value:
        return None
    least, most = (
        end if end in (-math.inf, math.inf) else _float(end, (*place, "domain"))
        for end in _two(value, "domain", place)
    )
    return least, most


def _two(value: Table, key: str, place: tuple[str, str]) -> list[Any]:
    found: list[Any] = _required(value, key, list, place)
    if len(found) != 2:
        example = _EXAMPLES[key]
        raise RefusalError((*place, key), f"{key} of {place[1]} must be two numbers: {example}")
    return found


def _equations(
    section: Table, title: str, states: list[str], names: list[str], wrong: Mistakes
) -> tuple[Expression, ...]:
    """The equations of the states, less those that are refused."""
    for name in section:
        if name not in states:
            known = nearest(name, states)
            said = f"{name} has an equation but is not under [state]; {known}"
            wrong.refusals.append(RefusalError((title, name), said))
    for name in states:
        if name not in section:
            said = f"{name} has no equation; add {name} = '...' under [{title}]"
            wrong.refusals.append(RefusalError(("state", name), said))
    found = (wrong.of(_equation, (title, name), section, names) for name in section)
    laws = dict(zip(section, found, strict=True))
    return tuple(law for name in states if (law := laws.get(name)) is not None)


def _equation(place: tuple[str, str], section: Table, names: list[str]) -> Expression:
    title, name = place
    text = _required(section, name, str, (title,))
    implied = [TIME] if title == SECTIONS[Kind.ODE] and TIME not in names else []
    try:
        return parse(text, [*names, *implied])
    except ExpressionError as error:
        raise RefusalError(place, f"equation of {name}: {error}") from None


def _simulation(section: Table, wrong: Mistakes) -> Simulation:
    """Step and duration; those that are refused are as if nobody said them."""
    _check_keys(section, _SIMULATION, ("simulation",), wrong)
    given = {key: wrong.of(_float, section[key], ("simulation", key))
             for key in _SIMULATION if key in section}  # fmt: skip
    simulation = Simulation(**{key: value for key, value in given.items() if value is not None})
    if None not in given.values():
        wrong.of(check_simulation, simulation)
    return simulation


def _operators(section: Table, wrong: Mistakes) -> tuple[str, ...] | None:
    """The operators to search with, None if the file leaves them to others."""
    _check_keys(section, _SEARCH, ("search",), wrong)
    found = wrong.of(_listed_operators, section) if "operators" in section else None
    wrong.of(check_operators, found or ())
    return found


def _listed_operators(section: Table) -> tuple[str, ...]:
    """As spelled in `Op`: the file may write ^ for **."""
    listed = _required(section, "operators", list, ("search",))
    if not listed or not all(isinstance(each, str) for each in listed):
        raise RefusalError(
            ("search", "operators"), 'operators must be a list such as ["+", "*", "sin"]'
        )
    return tuple(Op.POW.value if each == "^" else each for each in listed)


def _check_keys(
    table: Table, known: tuple[str, ...], place: tuple[str, ...], wrong: Mistakes
) -> None:
    for key in table:
        if key not in known:
            said = f"unknown key {key!r}; {nearest(key, known)}"
            wrong.refusals.append(RefusalError((*place, key), said))


def _required(table: Table, key: str, kind: type, place: tuple[str, ...]) -> Any:  # noqa: ANN401
    if key not in table:
        inside = f" of {place[-1]}" if place else ""
        raise RefusalError(place, f"{key!r}{inside} is missing; add {_EXAMPLES[key]}")
    value = table[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RefusalError((*place, key), f"{key!r} must be {_KINDS[kind]}")
    return value


def _optional(table: Table, key: str, kind: type, place: tuple[str, ...]) -> Any:  # noqa: ANN401
    return _required(table, key, kind, place) if key in table else kind()


def _number(value: object, place: tuple[str, ...]) -> Real:
    try:
        return parse_number(value)
    except ExpressionError as error:
        raise RefusalError(place, f"{place[-1]!r}: {error}") from None


def _float(value: object, place: tuple[str, ...]) -> float:
    return float(_number(value, place))
