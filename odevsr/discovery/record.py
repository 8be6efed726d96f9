"""Discoveries read back from what their `to_json` gave, by this version or an earlier one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from odevsr.discovery.result import SCHEMA, Discovery
from odevsr.errors import RunError
from odevsr.kind import Kind
from odevsr.language.expression import Expression, Number, rebuild, walk
from odevsr.language.parse import parse, parse_number
from odevsr.plain import from_plain
from odevsr.settings import settings_from_json
from odevsr.vertical.equation import Equation
from odevsr.world.systems.checks import check_name


def discovery_from_json(values: dict[str, Any]) -> Discovery:
    """A discovery as its `to_json` gave it."""
    if values["schema"] != SCHEMA:
        raise RunError(f"its schema is {values['schema']}, and this odevsr reads {SCHEMA}")
    names = from_plain(tuple[str, ...], [each["name"] for each in values["variables"]])
    for name in (*names, *(each["variable"] for each in values["equations"])):
        check_name("inputs", name)  # which may have the name of time
    fields = values | {
        "names": names,
        "ranges": [each["range"] for each in values["variables"]],
        "equations": [_equation(each, names) for each in values["equations"]],
        "settings": settings_from_json(values["settings"]),
        "cost": values["oracle"],
        "unfinished": [each | {"cost": each["oracle"]} for each in values.get("unfinished", ())],
    }
    return from_plain(Discovery, fields)


def _equation(values: dict[str, Any], names: tuple[str, ...]) -> Equation:
    fields = values | {
        "expression": _law(values, names),
        "constants": [each | {"exact": _exact(each["exact"])} for each in values["constants"]],
        "r2": -math.inf if values["r2"] is None else values["r2"],
        "rounds": [_round(each) for each in values["rounds"]],
        "cost": values["oracle"],
        "alternatives": [_alternative(each, names) for each in values["alternatives"]],
        "left_out": [
            each | {"term": parse(each["term"], names)} for each in values.get("left_out", ())
        ],
        "kind": values.get("measured", Kind.ODE.value),
    }
    found = from_plain(Equation, fields)
    if found.kind is not Kind.FUNCTION and found.variable not in names:
        raise RunError(f"it has a law of {found.variable}, which is no variable")
    return replace(found, r2=math.nan, nmse=math.nan) if found.is_constant else found


def _law(values: dict[str, Any], names: tuple[str, ...]) -> Expression:
    """The law; a text does not tell which of its numbers were fitted, the constants do."""
    law = parse(values["expression"], names)
    inexact = [each["value"] for each in values["constants"] if each["exact"] is None]
    fitted = {abs(each) for each in inexact if each is not None}
    numbers = [node.value for node in walk(law) if isinstance(node, Number)]
    given = [Number(float(each) if abs(float(each)) in fitted else each) for each in numbers]
    return rebuild(law, iter(given), Number)


def _exact(text: str | None) -> object:
    return None if text is None else parse_number(text)


def _round(values: dict[str, Any]) -> dict[str, Any]:
    """A round; earlier versions did not say where it is, and wrote "none" for no proposer."""
    proposer = None if values["proposer"] == "none" else values["proposer"]
    return {"place": {"target": values["target"]}} | values | {"proposer": proposer}


def _alternative(values: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    law = parse(values["expression"], names)
    return values | {"expression": law, "is_refuted": values.get("refuted", False)}
