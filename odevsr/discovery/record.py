"""Discoveries read back from what their `to_json` gave."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from odevsr.discovery.result import SCHEMA, Discovery, Unfinished
from odevsr.errors import RunError
from odevsr.evidence.law import FittedNumber
from odevsr.language.parse import parse, parse_number
from odevsr.settings import settings_from_json
from odevsr.vertical.equation import Equation, Status
from odevsr.vertical.rivals import Alternative, Experiment
from odevsr.vertical.story import conclusion_from_json, round_from_json, screening_from_json
from odevsr.world.oracle import Cost

_STATUSES = {status.value: status for status in Status}


def discovery_from_json(values: dict[str, Any]) -> Discovery:
    """A discovery as its `to_json` gave it."""
    if values["schema"] != SCHEMA:
        raise RunError(f"its schema is {values['schema']}, and this odevsr reads {SCHEMA}")
    names = tuple(each["name"] for each in values["variables"])
    return Discovery(
        target=values["target"],
        names=names,
        ranges=tuple((each["range"][0], each["range"][1]) for each in values["variables"]),
        equations=tuple(_equation(each, names) for each in values["equations"]),
        seed=values["seed"],
        settings=settings_from_json(values["settings"]),
        cost=Cost(**values["oracle"]),
        elapsed_s=values["elapsed_s"],
        interrupted=values["interrupted"],
        versions=values["versions"],
        unfinished=tuple(_unfinished(each) for each in values.get("unfinished", ())),
        recorded=values.get("recorded", False),
        notes=tuple(values.get("notes", ())),
    )


def _unfinished(values: dict[str, Any]) -> Unfinished:
    return Unfinished(
        cost=Cost(**values["oracle"]),
        **{key: value for key, value in values.items() if key != "oracle"},
    )


def _equation(values: dict[str, Any], names: tuple[str, ...]) -> Equation:
    found = Equation(
        variable=values["variable"],
        expression=parse(values["expression"], names),
        status=_STATUSES[values["status"]],
        constants=tuple(_constant(each) for each in values["constants"]),
        r2=_number(values["r2"], float("-inf")),
        nmse=_number(values["nmse"], float("inf")),
        deviation=_number(values["deviation"], float("inf")),
        rounds=tuple(round_from_json(each) for each in values["rounds"]),
        screenings=tuple(screening_from_json(each) for each in values.get("screenings", ())),
        conclusions=tuple(conclusion_from_json(each) for each in values.get("conclusions", ())),
        cost=Cost(**values["oracle"]),
        candidates=values["candidates"],
        elapsed_s=values["elapsed_s"],
        note=values["note"],
        alternatives=tuple(_alternative(each, names) for each in values["alternatives"]),
        passes=values["passes"],
        found_in=values.get("found_in", 1),
        out_of_time=values.get("out_of_time", False),
    )
    return replace(found, r2=math.nan, nmse=math.nan) if found.is_constant else found


def _alternative(values: dict[str, Any], names: tuple[str, ...]) -> Alternative:
    experiment = values["experiment"]
    if experiment is not None:
        state, predictions = tuple(experiment["state"]), tuple(experiment["predictions"])
        experiment = Experiment(state, predictions, experiment["contrast"])
    deviation = _number(values["deviation"], float("inf"))
    refuted = values.get("refuted", False)
    return Alternative(parse(values["expression"], names), deviation, experiment, refuted)


def _constant(values: dict[str, Any]) -> FittedNumber:
    exact = None if values["exact"] is None else parse_number(values["exact"])
    error = _number(values["error"], float("inf"))
    return FittedNumber(_number(values["value"], float("nan")), error, exact)


def _number(value: float | None, absent: float) -> float:
    return absent if value is None else float(value)
