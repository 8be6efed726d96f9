"""Each variable over time: measured or simulated, and by the laws found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.phase import followed, look
from odevsr.showing.plots.style import dressed, legend
from odevsr.showing.plots.subject import Subject

MOST_STEPS = 60
"""Steps of a map that can be told apart; soon after, rounding sends chaotic motions apart."""


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel a variable."""
    followed(subject)
    for place, name in enumerate(subject.names):
        draw = partial(_over_time, subject=subject, place=place)
        yield Panel(f"{name} over time", draw, width=9, height=2.1)


def _over_time(ax: Axes, subject: Subject, place: int) -> None:
    most = MOST_STEPS if subject.clock == "step" else None
    for index, motion in enumerate(subject.motions):
        ax.plot(motion.time[:most], motion.states[:most, place], **look(motion, index))
    title = f"{subject.title}\n" if place == 0 else ""  # the legend stands below it
    dressed(ax, title, subject.clock, subject.label(subject.names[place]))
    if place == 0:
        legend(ax, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
