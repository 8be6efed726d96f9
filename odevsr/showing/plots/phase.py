"""Phase portraits: measured or simulated motion, and that of the laws found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from odevsr.errors import UsageError
from odevsr.kind import Kind
from odevsr.showing.plots.motion import Motion
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import COLOURS, ORANGE, dressed, legend, named
from odevsr.showing.plots.subject import Subject

OF_RUNS = tuple(each for each in COLOURS if each != ORANGE)


def panels(subject: Subject) -> Iterator[Panel]:
    """One portrait, of the first three variables if there are as many."""
    followed(subject)
    deep = len(subject.names) > 2
    yield Panel("phase portrait", lambda ax: _portrait(ax, subject), deep=deep, width=7, height=5.5)


def followed(subject: Subject) -> None:
    """Refuse what has no motion."""
    if subject.found is not None and subject.found.kind is Kind.FUNCTION:
        raise UsageError(
            f"the laws of {subject.title} are none of motion in time; choose rounds or residuals"
        )
    if not subject.motions:
        raise UsageError(
            f"nothing of {subject.title} can be followed in time: it has no system file, or laws "
            "are missing; find all of them first"
        )


def _portrait(ax: Axes, subject: Subject) -> None:
    count = min(len(subject.names), 3 if ax.name == "3d" else 2)
    for index, motion in enumerate(subject.motions):
        columns = [motion.states[:, place] for place in range(count)]
        if count == 1:
            columns.insert(0, motion.time)
        ax.plot(*columns, **look(motion, index))
    names = list(subject.names[:count])
    labels = [subject.label(name) for name in names]
    if ax.name == "3d":
        named(ax, "\n".join([subject.title, *labels]), *names)
    else:
        dressed(ax, subject.title, *([subject.clock, *labels] if count == 1 else labels))
    legend(ax)


def look(motion: Motion, index: int) -> dict[str, Any]:
    """The motion of laws is dashed and drawn last, over what it should follow."""
    colour = ORANGE if motion.by_laws else OF_RUNS[index % len(OF_RUNS)]
    common = {"color": colour, "label": motion.name}
    if motion.dotted:
        mark = ("x", 2.5) if motion.by_laws else ("o", 1.5)
        return {**common, "linestyle": "none", "marker": mark[0], "markersize": mark[1]}
    style = ("--", 1.2) if motion.by_laws else ("-", 0.9)
    return {**common, "linestyle": style[0], "linewidth": style[1]}
