"""The front of complexity and error: the law, and what is left of it with ever fewer terms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from odevsr.evidence.data import Data
from odevsr.evidence.law import fit
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import terms
from odevsr.language.size import size
from odevsr.language.text import to_text
from odevsr.showing.meanings import with_short_numbers
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import BLUE, ORANGE, dressed, plain
from odevsr.showing.plots.subject import Subject, shortened
from odevsr.vertical.equation import Equation
from odevsr.vertical.judging.finish import without_weakest

MOST_LAWS = 6
LONGEST = 50
LEAST = 1e-6
"""Deviations are drawn at least so large, relative to what counts as explained."""


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel an equation; what recordings leave of simpler laws was never measured."""
    for equation in () if subject.discovery().recorded else subject.discovery().equations:
        draw = partial(_front, subject=subject, equation=equation)
        yield Panel(f"{equation.left} with ever fewer terms", draw, width=6.6, height=3.8)


def front(subject: Subject, equation: Equation) -> list[tuple[int, float, str]]:
    """Complexity, deviation from all that was measured, and text of the law and of simpler ones."""
    data = Data(subject.names, subject.sample(equation))
    laws = [equation.expression]
    expression = normal_form(equation.expression)
    while len(terms(expression)) > 1 and len(laws) < MOST_LAWS:
        rest, _ = without_weakest(expression, data)
        expression = fit(rest, data).expression
        laws.append(expression)
    return [
        (
            size(law),
            data.deviation(law),
            shortened(to_text(with_short_numbers(law)), LONGEST),
        )
        for law in laws
    ]


def _front(ax: Axes, subject: Subject, equation: Equation) -> None:
    found = front(subject, equation)
    limit = subject.discovery().settings.limits.estimated
    sizes, exact, texts = zip(*found, strict=True)
    deviations = [max(each, LEAST * limit) for each in exact]
    ax.plot(sizes, deviations, ".-", color=BLUE, linewidth=0.8)
    ax.plot(sizes[:1], deviations[:1], "o", color=ORANGE, markersize=7)
    ax.set_yscale("log")
    ax.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    ax.margins(x=0.12, y=0.2)
    ax.axhline(limit, color="0.6", linewidth=0.8, linestyle=":")
    dressed(ax, equation.left, "complexity", "deviation in errors")
    laws = [plain(f"{size}: {text}") for size, text in zip(sizes, texts, strict=True)]
    unmarked = ax.plot([], [], linestyle="none")
    ax.legend(unmarked * len(laws), laws, fontsize=8, frameon=False, handlelength=0,
              handletextpad=0, loc="upper left", bbox_to_anchor=(0, -0.2))  # fmt: skip
