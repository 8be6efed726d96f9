"""What a discovery of a study comes to: a row an equation."""

from __future__ import annotations

from collections.abc import Mapping

from odevsr.discovery.result import Discovery
from odevsr.studies.grid import StudyCase
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Equation
from odevsr.world.simulators.sbml.file import is_sbml
from odevsr.world.simulators.sbml.study import open_model
from odevsr.world.systems.file import parse_system
from odevsr.world.systems.system import System

Cell = str | int | float | bool | None
Row = Mapping[str, Cell]

COLUMNS: Mapping[str, type] = {
    "target": str,
    "settings": str,
    "noise": float,
    "seed": int,
    "variable": str,
    "status": str,
    "exact": bool,
    "law": str,
    "r2": float,
    "nmse": float,
    "states": int,
    "launches": int,
    "candidates": int,
    "cpu_s": float,
    "note": str,
    "folder": str,
}
FAILED = "failed"
"""The status of a discovery that an error ended; the note says which."""


def rows_of(case: StudyCase, found: Discovery) -> list[Row]:
    """A row an equation; `exact` is empty where nobody knows the truth."""
    truth = _truth(case, found)
    return [
        {**_head(case), **_cells(each), "exact": _exact(each, truth)} for each in found.equations
    ]


def _cells(equation: Equation) -> dict[str, Cell]:
    said = equation.to_json()
    return {
        "variable": equation.variable,
        "status": equation.status.value,
        "law": said["expression"],
        "r2": said["r2"],
        "nmse": said["nmse"],
        "states": equation.cost.states,
        "launches": equation.cost.simulations,
        "candidates": equation.candidates,
        "cpu_s": equation.elapsed_s,
        "note": equation.note,
    }


def _exact(equation: Equation, truth: System | None) -> bool | None:
    if truth is None:
        return None
    laws = dict(zip(truth.left_sides, truth.closed_equations(), strict=True))
    law = laws[equation.variable]
    return is_equivalent(equation.expression, law, truth.names, truth.box)


def failed_row(case: StudyCase, error: Exception) -> Row:
    """The row of a discovery that an error ended."""
    nothing: dict[str, Cell] = dict.fromkeys(COLUMNS)
    return {**nothing, **_head(case), "variable": "", "status": FAILED, "note": str(error)}


def _head(case: StudyCase) -> dict[str, Cell]:
    return {
        "target": case.label,
        "settings": case.settings,
        "noise": case.noise,
        "seed": case.seed,
        "folder": case.name,
    }


def _truth(case: StudyCase, found: Discovery) -> System | None:
    if found.system_file:
        return parse_system(found.system_file, case.label)
    target = case.asked["target"]
    if not is_sbml(target):
        return None
    changes = {key: case.asked.get(key) for key in ("params", "vary", "ranges")}
    return open_model(target, **changes).truth()
