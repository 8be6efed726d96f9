"""Discoveries read back from what their `to_json` gave."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from odevsr.discovery.result import SCHEMA, Discovery, Unfinished
from odevsr.errors import RunError
from odevsr.evidence.law import FittedNumber
from odevsr.kind import Kind
from odevsr.language.parse import parse, parse_number
from odevsr.plain import typed
from odevsr.settings import settings_from_json
from odevsr.vertical.equation import Equation, Status
from odevsr.vertical.rivals import Alternative, Experiment
from odevsr.vertical.story_json import conclusion_from_json, round_from_json, screening_from_json
from odevsr.world.experiments.oracle import Cost

_STATUSES = {status.value: status for status in Status}


def discovery_from_json(values: dict[str, Any]) -> Discovery:
    """A discovery as its `to_json` gave it."""
    if values["schema"] != SCHEMA:
        raise RunError(f"its schema is {values['schema']}, and this odevsr reads {SCHEMA}")
    names = tuple(_text(each["name"]) for each in values["variables"])
    return Discovery(
        target=_text(values["target"]),
        names=names,
        ranges=tuple(
            (_real(each["range"][0]), _real(each["range"][1])) for each in values["variables"]
        ),
        equations=tuple(_equation(each, names) for each in values["equations"]),
        seed=_whole(values["seed"]),
        settings=settings_from_json(values["settings"]),
        cost=typed(Cost(**values["oracle"])),
        elapsed_s=_real(values["elapsed_s"]),
        interrupted=bool(values["interrupted"]),
        versions={_text(name): _text(each) for name, each in values["versions"].items()},
        unfinished=tuple(_unfinished(each) for each in values.get("unfinished", ())),
        recorded=values.get("recorded", False),
        notes=tuple(values.get("notes", ())),
    )


def _unfinished(values: dict[str, Any]) -> Unfinished:
    cost = typed(Cost(**values["oracle"]))
    others = {key: value for key, value in values.items() if key != "oracle"}
    return typed(Unfinished(**others, cost=cost))


def _equation(values: dict[str, Any], names: tuple[str, ...]) -> Equation:
    found = Equation(
        variable=_text(values["variable"]),
        expression=parse(values["expression"], names),
        status=_STATUSES[values["status"]],
        constants=tuple(_constant(each) for each in values["constants"]),
        r2=_number(values["r2"], float("-inf")),
        nmse=_number(values["nmse"], float("inf")),
        deviation=_number(values["deviation"], float("inf")),
        rounds=tuple(round_from_json(each) for each in values["rounds"]),
        screenings=tuple(screening_from_json(each) for each in values.get("screenings", ())),
        conclusions=tuple(conclusion_from_json(each) for each in values.get("conclusions", ())),
        cost=typed(Cost(**values["oracle"])),
        candidates=_whole(values["candidates"]),
        elapsed_s=_real(values["elapsed_s"]),
        note=_text(values["note"]),
        alternatives=tuple(_alternative(each, names) for each in values["alternatives"]),
        passes=_whole(values["passes"]),
        found_in=_whole(values.get("found_in", 1)),
        out_of_time=bool(values.get("out_of_time", False)),
        kind=Kind(values.get("measured", Kind.ODE.value)),
    )
    return replace(found, r2=math.nan, nmse=math.nan) if found.is_constant else found


def _alternative(values: dict[str, Any], names: tuple[str, ...]) -> Alternative:
    experiment = values["experiment"]
    if experiment is not None:
        state = tuple(_real(each) for each in experiment["state"])
        first, second = (_real(each) for each in experiment["predictions"])
        experiment = Experiment(state, (first, second), _real(experiment["contrast"]))
    deviation = _number(values["deviation"], float("inf"))
    refuted = values.get("refuted", False)
    return Alternative(parse(values["expression"], names), deviation, experiment, refuted)


def _constant(values: dict[str, Any]) -> FittedNumber:
    exact = None if values["exact"] is None else parse_number(values["exact"])
    error = _number(values["error"], float("inf"))
    return FittedNumber(_number(values["value"], float("nan")), error, exact)


def _number(value: float | None, absent: float) -> float:
    return absent if value is None else float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _real(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return value
