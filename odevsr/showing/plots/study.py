"""The picture of a study: which share of the equations was found, over the noise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from odevsr.showing.plots.panel import Axes, Figure
from odevsr.showing.plots.style import COLOURS, MARKS, dressed, legend, new_figure, plain
from odevsr.studies.rows import Row
from odevsr.studies.run import StudyResult

WIDTH, HEIGHT = 4.2, 3.4
"""Inches of a panel."""


def study_figure(result: StudyResult) -> Figure:
    """A panel for each settings, a line for each target.

    The share is of exact equations, or of identified ones where nobody knows the truth.
    """
    rows = result.summary
    names = _distinct(rows, "settings")
    figure = new_figure(WIDTH * len(names), HEIGHT)
    for number, name in enumerate(names, start=1):
        ax = figure.add_subplot(1, len(names), number)
        _panel(ax, [row for row in rows if row["settings"] == name])
        dressed(ax, name, "noise", "equations found, %")
        legend(ax)
    return figure


def _panel(ax: Axes, rows: Sequence[Row]) -> None:
    noise = _distinct(rows, "noise")
    for index, target in enumerate(_distinct(rows, "target")):
        own = [row for row in rows if row["target"] == target and row["equations"]]
        ax.plot(
            [noise.index(f"{row['noise']}") for row in own],
            [_share(row) for row in own],
            MARKS[index % len(MARKS)] + "-",
            color=COLOURS[index % len(COLOURS)],
            label=plain(target),
        )
    ax.set_xticks(range(len(noise)), [f"{float(each):g}" for each in noise])
    ax.set_ylim(-5, 105)


def _share(row: Row) -> float:
    found = row["identified"] if row["exact"] is None else row["exact"]
    return 100 * float(found or 0) / float(row["equations"] or 1)


def _distinct(rows: Iterable[Row], key: str) -> list[str]:
    return list(dict.fromkeys(f"{row[key]}" for row in rows))
