"""What laws leave unexplained, over each variable, in units of the measurement errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.evidence.law import residuals
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import BLUE, RED, dressed
from odevsr.showing.plots.subject import Subject
from odevsr.vertical.equation import Equation

LARGEST, OTHERS = 100, 400
"""Points that are drawn: the largest residuals, and others."""


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel for each equation and variable."""
    for equation in subject.discovery().equations:
        for name in subject.names:
            draw = partial(_over, subject=subject, equation=equation, name=name)
            yield Panel(f"what is left of {equation.left} over {name}", draw)


def _over(ax: Axes, subject: Subject, equation: Equation, name: str) -> None:
    sample = subject.sample(equation)
    left = residuals(equation.expression, subject.names, sample)
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
