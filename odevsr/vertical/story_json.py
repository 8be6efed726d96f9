"""The story of an equation as plain values, and back; older runs lack what was not told then."""

from __future__ import annotations

import math
from typing import Any

from odevsr.evidence.controlled import Setting
from odevsr.plain import finite, number, typed
from odevsr.vertical.story import Conclusion, Place, Round, Screening, TrialConstant


def round_json(each: Round) -> dict[str, Any]:
    """Plain values; null where a number is not finite."""
    return {
        **vars(each),
        "deviation": finite(each.deviation),
        "free": list(each.free),
        "place": _place_json(each.place),
        "setting": {
            "held": list(each.setting.held),
            "values": [list(row) for row in each.setting.values],
            "experiments": list(each.setting.experiments),
        },
        "constants": [
            {
                "name": constant.name,
                "values": [finite(value) for value in constant.values],
                "errors": [finite(error) for error in constant.errors],
                "kind": "summary" if constant.is_summary else "standalone",
            }
            for constant in each.constants
        ],
        "limit": finite(each.limit),
    }


def screening_json(each: Screening) -> dict[str, Any]:
    """Plain values."""
    effects = {name: finite(value) for name, value in zip(each.names, each.effects, strict=True)}
    return {
        "place": _place_json(each.place),
        "effects": effects,
        "noticeable": each.noticeable,
    }


def conclusion_json(each: Conclusion) -> dict[str, Any]:
    """Plain values."""
    return {**vars(each), "place": _place_json(each.place), "variables": list(each.variables)}


def round_from_json(values: dict[str, Any]) -> Round:
    """A round as `round_json` gave it; those of older runs lack what was not recorded then."""
    told = dict(values)
    if told["proposer"] == "none":  # as it was once said
        told["proposer"] = None
    told["deviation"] = number(told["deviation"], math.inf)
    if "place" not in told:
        return typed(Round(**told, place=Place(told["target"])))
    setting = told["setting"]
    told |= {
        "free": tuple(told["free"]),
        "place": _place(told["place"]),
        "setting": Setting(
            tuple(setting["held"]), tuple(map(tuple, setting["values"])),
            (setting["experiments"][0], setting["experiments"][1]),
        ),
        "constants": tuple(map(_constant, told["constants"])),
        "limit": number(told["limit"], math.inf),
    }  # fmt: skip
    return typed(Round(**told))


def screening_from_json(values: dict[str, Any]) -> Screening:
    """A screening as `screening_json` gave it."""
    effects = tuple(number(value, math.inf) for value in values["effects"].values())
    place, names = _place(values["place"]), tuple(values["effects"])
    return typed(Screening(place, names, effects, values["noticeable"]))


def conclusion_from_json(values: dict[str, Any]) -> Conclusion:
    """A conclusion as `conclusion_json` gave it."""
    told = {"place": _place(values["place"]), "variables": tuple(values["variables"])}
    return typed(Conclusion(**{**values, **told}))


def _place_json(place: Place) -> dict[str, Any]:
    return {**vars(place), "stands_for": [list(each) for each in place.stands_for]}


def _place(values: dict[str, Any]) -> Place:
    """A place; older runs have what stands for what as an object."""
    told = values["stands_for"]
    pairs = told.items() if isinstance(told, dict) else told
    return Place(**{**values, "stands_for": tuple((name, text) for name, text in pairs)})


def _constant(values: dict[str, Any]) -> TrialConstant:
    numbers = tuple(number(value, math.nan) for value in values["values"])
    errors = tuple(number(error, math.inf) for error in values["errors"])
    return TrialConstant(values["name"], numbers, errors, values["kind"] == "summary")
