"""Controlled experiments in the state space: the attractor, what was held, where was launched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import COLOURS, MARKS, SKY, dressed, named
from odevsr.showing.plots.subject import Subject
from odevsr.showing.plots.told_rounds import Shown, shown_rounds


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel a round."""
    for shown in shown_rounds(subject):
        yield Panel(
            shown.caption,
            partial(_launched, subject=subject, shown=shown),
            deep=len(subject.names) > 2,
            height=3.8,
        )


def axes_of(subject: Subject, shown: Shown, most: int = 3) -> list[int]:
    """The variables that are drawn: those free, then those held, then others."""
    told = shown.round
    ordered = [*(told.free or (told.variable,)), *told.setting.held, *subject.names]
    return sorted(subject.names.index(name) for name in list(dict.fromkeys(ordered))[:most])


def plane(subject: Subject, shown: Shown, axes: Sequence[int]) -> FloatArray | None:
    """Corners (4, 3) of the plane in which one variable is held as in the first trial."""
    first_trial = shown.trials[0][0] if shown.trials else np.empty((0, len(subject.names)))
    still = [index for index in axes if len(set(first_trial[:, index])) == 1]
    if len(axes) < 3 or not still:
        return None
    held = [index for index in still if subject.names[index] in shown.round.setting.held]
    fixed = (held or still)[-1]
    value = first_trial[0, fixed]
    ranges = subject.discovery().ranges
    first, second = (index for index in axes if index != fixed)
    corners = np.zeros((4, 3))
    for row, (i, j) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        values = {fixed: value, first: ranges[first][i], second: ranges[second][j]}
        corners[row] = [values[index] for index in axes]
    return corners


def _launched(ax: Axes, subject: Subject, shown: Shown) -> None:
    axes = axes_of(subject, shown, 3 if ax.name == "3d" else 2)
    if len(axes) == 1:  # of one variable there is only the derivative to draw beside it
        for states, values in shown.trials:
            ax.plot(states[:, 0], values, MARKS[0], color=COLOURS[0], markersize=3)
        dressed(ax, "launched points", subject.label(subject.names[0]), "derivative")
        return
    for motion in subject.motions[:1]:
        ax.plot(*motion.states[:, axes].T, color="0.6", linewidth=0.5)
    for trial, (states, _) in enumerate(shown.trials[: len(COLOURS)]):
        ax.plot(*states[:, axes].T, MARKS[trial], color=COLOURS[trial], markersize=2.5)
    corners = plane(subject, shown, axes)
    if corners is not None and ax.name == "3d":
        _plane(ax, corners)
    names = [subject.names[index] for index in axes]
    if ax.name == "3d":
        named(ax, shown.caption, *names)
    else:
        dressed(ax, shown.caption, *map(subject.label, names))


def _plane(ax: Axes, corners: FloatArray) -> None:
    """A mesh, so that one sees what lies behind."""
    a, b, c, d = corners
    shares = np.linspace(0, 1, 9)
    for share in shares:
        for start, end in ((a + share * (d - a), b + share * (c - b)),
                           (a + share * (b - a), d + share * (c - d))):  # fmt: skip
            ax.plot(*np.stack([start, end]).T, color=SKY, linewidth=0.4)
