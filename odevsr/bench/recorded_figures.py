"""What the bench of recordings reached in each cell, beside its targets."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from odevsr.bench.result import Cell, Figure, at_least, at_most

Row = Mapping[str, Cell]

TARGETS = {
    "0:0": (0.98, 0.90, 0.82, 0.99),
    "0.01:0": (0.97, 0.82, 0.65, 0.97),
    "0.05:0": (0.93, 0.66, 0.50, 0.95),
    "0.05:0.5": (0.90, 0.60, 0.40, 0.95),
}
"""Cells as sigma:rho, and what to reach in them: shares of runs whose motion is reconstructed, that
generalise, of systems found exactly, and of exact laws among those identified."""
TOGETHER, TOGETHER_EXACT = "0.05:0", 0.65
NAMED = 0.8
"""Share of the laws that are not exact at that noise which are undecided and name the truth."""
MEDIAN_SECONDS, MOST_SECONDS = 5.0, 60.0
SINDYS = {"SINDy": False, "weak SINDy": True}
"""Which of them are weak."""


def totals_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """A row for each cell, one run given or both."""
    kinds = dict.fromkeys((str(row["cell"]), _number(row, "runs")) for row in rows)
    return tuple(
        _total(cell, int(runs), [r for r in rows if (r["cell"], r["runs"]) == (cell, runs)])
        for cell, runs in kinds
    )


def _total(cell: str, runs: int, rows: Sequence[Row]) -> Row:
    def share(key: str, of: str) -> float | None:
        whole = sum(_number(row, of) for row in rows)
        return sum(_number(row, key) for row in rows) / whole if whole else None

    def mean(key: str) -> float:
        return statistics.fmean(_number(row, key) for row in rows)

    return {
        "cell": cell,
        "runs": runs,
        "discoveries": len(rows),
        "reconstructs": mean("reconstructs"),
        "generalises": mean("generalises"),
        "exact": mean("exact"),
        "identified": share("identified", "laws"),
        "of identified exact": share("identified, exact", "identified"),
        "of not exact named": share("not exact, truth named", "not exact"),
        "of not exact, structure named": share("not exact, structure named", "not exact"),
        **{
            f"{name} {key}": mean(f"{name} {key}")
            for name in SINDYS
            for key in ("reconstructs", "generalises", "exact")
            if all(f"{name} {key}" in row for row in rows)
        },
        "median CPU s": statistics.median(_number(row, "CPU s") for row in rows),
        "most CPU s": max(_number(row, "CPU s") for row in rows),
    }


def figures_of(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """For each cell what was reached, and what it took in all."""
    figures: list[Figure] = []
    for total in totals_of(rows):
        cell, runs = str(total["cell"]), int(_number(total, "runs"))
        keys = ("reconstructs", "generalises", "exact", "of identified exact")
        if runs == 1 and cell in TARGETS:
            figures += [
                at_least(f"{cell}: {key}", _share(total, key), target)
                for key, target in zip(keys, TARGETS[cell], strict=True)
            ]
        if cell == TOGETHER and runs == 1:
            share = _share(total, "of not exact, structure named")
            figures.append(at_least(f"{cell}: of not exact, truth among rivals", share, NAMED))
        if runs == 2:
            share = _share(total, "exact")
            figures.append(at_least(f"{cell}: exact from both runs", share, TOGETHER_EXACT))
    seconds = [_number(row, "CPU s") for row in rows] or [0.0]
    figures.append(at_most("median CPU s", statistics.median(seconds), MEDIAN_SECONDS))
    figures.append(at_most("most CPU s", max(seconds), MOST_SECONDS))
    return tuple(figures)


def _share(total: Row, key: str) -> float:
    """A share of nothing is whole."""
    value = total[key]
    return 1.0 if value is None else float(value)


def _number(row: Row, key: str) -> float:
    return float(row[key] or 0)
