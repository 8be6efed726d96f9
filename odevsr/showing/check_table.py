"""What `odevsr check` found: a table for people, one object for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from odevsr.plain import finite
from odevsr.showing.output import SCHEMA
from odevsr.verdict.references.motion import STEPS
from odevsr.verdict.references.reference import (
    FIELD_TOLERANCE,
    STATES,
    TRAJECTORY_TOLERANCE,
    CheckReport,
    Comparison,
    ReferenceAgreement,
    SystemCheck,
    VariableCheck,
)

_STYLES = {
    ReferenceAgreement.AGREES: "green",
    ReferenceAgreement.KNOWN: "yellow",
    ReferenceAgreement.DIFFERS: "bold red",
}
_LEGEND = (
    f"Largest differences: of right-hand sides at {STATES:,} random states, relative to the "
    f"variable's largest rate; of trajectories and data over {STEPS} steps, relative to the "
    f"variable's range. agrees: at most {FIELD_TOLERANCE:.0e} and {TRAJECTORY_TOLERANCE:.0e}. "
    "known: no more than that once the known differences are added to pysindy's side; in a "
    "trajectory, a difference in one equation moves all variables."
)
_NO_DATA = (
    "Data was not compared: there is no data folder here (it comes with a source checkout, not "
    "with an installed package)."
)


def check_table(report: CheckReport) -> RenderableType:
    """A line a variable, what is known to differ and why, how to read it, and a summary."""
    parts: list[RenderableType] = [
        Text(_row("", "right-hand side", "trajectory", "data")),
        Text(),
    ]
    for check in report.checks:
        parts += [_heading(check), *_rows(check), Padding(_notes(check), (0, 0, 0, 2))]
    parts += [Text(_LEGEND), Text()]
    if not report.has_data:
        parts += [Text(_NO_DATA), Text()]
    return Group(*parts, Text(_summary(report.checks)))


def check_json(report: CheckReport) -> dict[str, object]:
    """The same as one object; a difference that is no number is null."""
    return {
        "schema": SCHEMA,
        "agreement": report.agreement.value,
        "has_data": report.has_data,
        "systems": [_system_json(check) for check in report.checks],
    }


def _heading(check: SystemCheck) -> Text:
    counterpart = check.counterpart
    arguments = f"({', '.join(counterpart.passed)})" if counterpart.passed else ""
    return Text.assemble(
        (counterpart.system, "bold"), f" against pysindy's {counterpart.function}{arguments}"
    )


def _rows(check: SystemCheck) -> Iterator[Text]:
    for each in check.variables:
        row = _row(each.variable, *map(_cell, (each.field, each.trajectory, each.data)))
        yield Text.assemble(f"{row}  ", (each.agreement.value, _STYLES[each.agreement]))


def _row(variable: str, field: str, trajectory: str, data: str) -> str:
    return f"  {variable:<8} {field:>15}  {trajectory:>10}  {data:>8}"


def _cell(comparison: Comparison | None) -> str:
    if comparison is None:
        return "-"
    return f"{comparison.difference:.1e}" if comparison.difference else "0"


def _notes(check: SystemCheck) -> Table:
    """What is known to differ, and what is left of the difference once that is added."""
    table = Table.grid(padding=(0, 2, 0, 0))
    counterpart = check.counterpart
    if tuple(each.variable for each in check.variables) != counterpart.variables:
        table.add_row("order", Text(f"in pysindy: {' '.join(counterpart.variables)}"))
    for known in counterpart.known:
        sentence = f"odevsr - pysindy = {known.difference}: {known.why}"
        table.add_row(known.variable, Text(sentence))
    if counterpart.known:
        table.add_row("left", Text(f"after adding these: {_left(check)}"))
    table.add_row()
    return table


def _left(check: SystemCheck) -> str:
    kinds = {
        "right-hand side": [each.field.left for each in check.variables],
        "trajectory": [each.trajectory.left for each in check.variables],
        "data": [each.data.left for each in check.variables if each.data],
    }
    return ", ".join(f"{kind} {_largest(left):.1e}" for kind, left in kinds.items() if left)


def _largest(values: Sequence[float]) -> float:
    return math.nan if any(map(math.isnan, values)) else max(values)


def _summary(checks: Sequence[SystemCheck]) -> str:
    found = [check.agreement for check in checks]
    counts = ", ".join(f"{each.value} {found.count(each)}" for each in ReferenceAgreement)
    return f"Systems compared: {len(found)} ({counts})"


def _system_json(check: SystemCheck) -> dict[str, object]:
    counterpart = check.counterpart
    return {
        "system": counterpart.system,
        "pysindy": counterpart.function,
        "order": list(counterpart.variables),
        "passed": list(counterpart.passed),
        "agreement": check.agreement.value,
        "variables": [_variable_json(each) for each in check.variables],
        "known": [
            {"variable": each.variable, "difference": each.difference, "why": each.why}
            for each in counterpart.known
        ],
    }


def _variable_json(check: VariableCheck) -> dict[str, object]:
    return {
        "variable": check.variable,
        "agreement": check.agreement.value,
        "right_hand_side": _comparison_json(check.field),
        "trajectory": _comparison_json(check.trajectory),
        "data": None if check.data is None else _comparison_json(check.data),
    }


def _comparison_json(comparison: Comparison) -> dict[str, object]:
    values = {"difference": comparison.difference, "left": comparison.left}
    plain = {key: finite(value) for key, value in values.items()}
    return {**plain, "agreement": comparison.agreement.value}
