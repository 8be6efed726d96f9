"""What laws leave unexplained, over each variable.

Of derivatives it is told in units of the measurement errors, of recordings as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.evidence.data import Data
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import BLUE, RED, dressed
from odevsr.showing.plots.subject import Subject
from odevsr.vertical.equation import Equation

LARGEST, OTHERS = 100, 400
"""Points that are drawn: the largest residuals, and others."""


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel for each equation and variable."""
    found = subject.discovery()
    drawn = _along if found.recorded else _over
    if found.recorded and not any(each.by_laws for each in subject.motions):
        return
    for equation in found.equations:
        for name in subject.names:
            draw = partial(drawn, subject=subject, equation=equation, name=name)
            yield Panel(f"what is left of {equation.left} over {name}", draw)


def _along(ax: Axes, subject: Subject, equation: Equation, name: str) -> None:
    """What the motion by the laws leaves of what was recorded."""
    pairs = [
        np.concatenate(
            [each.states[:: each.every] for each in subject.motions if each.by_laws is by_laws]
        )
        for by_laws in (False, True)
    ]
    measured, followed = pairs
    place, column = subject.names.index(equation.variable), subject.names.index(name)
    left = measured[:, place] - followed[:, place]
    known = np.isfinite(left) & np.isfinite(measured[:, column])
    shown = _few(left[known])
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.plot(measured[known, column][shown], left[known][shown], ".", color=BLUE, markersize=3,
            alpha=0.5)  # fmt: skip
    title = f"{equation.variable}, measured less simulated"
    dressed(ax, title, subject.label(name), subject.label(equation.variable))


def _over(ax: Axes, subject: Subject, equation: Equation, name: str) -> None:
    sample = subject.sample(equation)
    left = Data(subject.names, sample).residuals(equation.expression)
    column = sample.states[:, subject.names.index(name)]
    shown = _few(left)
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.plot(column[shown], left[shown], ".", color=BLUE, markersize=3, alpha=0.5)
    limit = subject.discovery().settings.limits.estimated
    if max(abs(left), default=0.0) > 100 * limit:
        ax.set_yscale("symlog", linthresh=limit)
    for side in (-limit, limit):
        ax.axhline(side, color=RED, linewidth=0.8, linestyle=":")
    title = f"{equation.left} over {name}"
    dressed(ax, title, subject.label(name), "residual in errors")


def _few(residuals: FloatArray) -> NDArray[np.intp]:
    """Places of the largest residuals, and of others evenly, as many as can be told apart."""
    order = np.argsort(-np.abs(residuals), kind="stable")
    others = order[LARGEST:]
    return np.concatenate([order[:LARGEST], others[:: max(1, len(others) // OTHERS)]])
