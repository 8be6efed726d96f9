"""What laws leave unexplained, over each variable, in units of the measurement errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from odevsr.evidence.law import residuals
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import BLUE, RED, dressed
from odevsr.showing.plots.subject import Subject
from odevsr.vertical.equation import Equation


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel for each equation and variable."""
    for equation in subject.discovery().equations:
        for name in subject.names:
            yield Panel(partial(_over, subject=subject, equation=equation, name=name))


def _over(ax: Axes, subject: Subject, equation: Equation, name: str) -> None:
    sample = subject.sample(equation)
    left = residuals(equation.expression, subject.names, sample)
    column = sample.states[:, subject.names.index(name)]
    ax.axhline(0, color="0.6", linewidth=0.8)
    ax.plot(column, left, ".", color=BLUE, markersize=3, alpha=0.5, rasterized=len(left) > 5000)
    limit = subject.discovery().settings.limits.estimated
    if max(abs(left), default=0.0) > 100 * limit:
        ax.set_yscale("symlog", linthresh=limit)
    for side in (-limit, limit):
        ax.axhline(side, color=RED, linewidth=0.8, linestyle=":")
    title = f"d{equation.variable}/dt over {name}"
    dressed(ax, title, subject.label(name), "residual in errors")
