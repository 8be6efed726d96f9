"""plot(): a picture of a run, a system or recorded trajectories."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from odevsr.discovery.files import check_folder, written_whole
from odevsr.discovery.result import Discovery
from odevsr.errors import UsageError, nearest
from odevsr.showing.plots import (
    experiments,
    front,
    learning,
    phase,
    residuals,
    rounds,
    time,
)
from odevsr.showing.plots.panel import Axes, Figure, Panel
from odevsr.showing.plots.style import new_figure
from odevsr.showing.plots.subject import Subject, subject_of
from odevsr.showing.plots.told_rounds import undrawn
from odevsr.world.systems.system import System
from odevsr.world.trajectories.recording import Recording

KINDS: Mapping[str, Callable[[Subject], Iterator[Panel]]] = {
    "phase": phase.panels,
    "time": time.panels,
    "experiments": experiments.panels,
    "rounds": rounds.panels,
    "residuals": residuals.panels,
    "learning": learning.panels,
    "front": front.panels,
}
SUFFIXES = (".png", ".svg", ".pdf")
MOST_PANELS = 24
"""More panels cannot be read on one page."""
WIDTH = 14.0
"""Inches that panels side by side may take."""


def plot(
    target: Discovery | System | Recording | str | Path,
    kind: str = "phase",
    *,
    ax: Axes | None = None,
    panel: int = 0,
) -> Figure:
    """A figure of that kind: phase, time, experiments, rounds, residuals, learning or front.

    The target is a discovery or the folder of a run; phase and time also take a system, its name,
    or a file of trajectories. With `ax`, only the one `panel` is drawn, on these Axes.
    """
    found = panels_of(subject_of(target), kind)
    if ax is None:
        return _page(found)
    if not 0 <= panel < len(found):
        raise UsageError(f"there is no panel {panel}; this picture has {len(found)}, from 0 on")
    found[panel].draw(ax)
    return ax.get_figure()


def panels_of(subject: Subject, kind: str) -> list[Panel]:
    """The panels of a picture, at least one and no more than can be read."""
    if kind not in KINDS:
        raise UsageError(f"there is no picture of kind {kind!r}; {nearest(kind, KINDS)}")
    found = list(KINDS[kind](subject))
    if not found:
        raise UsageError(_nothing(subject, kind))
    return found[:MOST_PANELS]


def _nothing(subject: Subject, kind: str) -> str:
    """Why a picture would be empty."""
    words = f"the run of {subject.title} has nothing to draw as {kind}"
    if not subject.discovery().equations:
        return f"{words} yet; let the search go on with --resume"
    why = undrawn(subject) if kind in ("rounds", "experiments") else ""
    return f"{words}; `odevsr explain` tells how its laws were found. {why}".rstrip(" .")


def _page(panels: list[Panel]) -> Figure:
    """All panels on one page, in rows as even as can be."""
    first = panels[0]
    rows = math.ceil(len(panels) / max(1, int(WIDTH / first.width)))
    columns = math.ceil(len(panels) / rows)
    figure = new_figure(columns * first.width, rows * first.height)
    for place, each in enumerate(panels, start=1):
        shape = {"projection": "3d"} if each.deep else {}
        each.draw(figure.add_subplot(rows, columns, place, **shape))
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a new file, as its name ends."""
    import matplotlib

    plain: Any = {"svg.fonttype": "none", "svg.hashsalt": "odevsr", "pdf.fonttype": 42}
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix, {})
    with matplotlib.rc_context(plain), written_whole(path) as aside:
        figure.savefig(aside, format=path.suffix[1:], dpi=150, metadata=undated)


def check_destination(path: Path) -> None:
    """Refuse a name that is taken or of no known format, before anything is drawn."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"pictures are written as {', '.join(SUFFIXES)}; {path.name} is none")
    if path.exists():
        raise UsageError(f"{path} exists and is not overwritten; choose another name")
    check_folder(path)
