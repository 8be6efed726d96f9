"""How pictures look: colours that the colour-blind can tell apart, and labels of any text."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from odevsr.extras import optional_module
from odevsr.showing.plots.panel import Axes, Figure

BLUE, ORANGE, GREEN, RED, PURPLE, SKY = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9",
)  # fmt: skip
COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY)
"""Those of Okabe and Ito."""
MARKS = ("o", "s", "^", "D", "v", "P")
"""Beside colours, for prints in black and white."""
TITLE = 54
"""Letters of a line of a title."""
MOST_TOLD = 8
"""Entries of a legend."""


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of a size in inches, which no global state knows of."""
    optional_module("matplotlib", extra="plot")
    from matplotlib import figure

    return figure.Figure(figsize=(width, height), layout="constrained")


def plain(text: str) -> str:
    r"""A text as it is, with nothing in it read as mathematics.

    >>> print(plain("cost in $"))
    cost in \$
    """
    printable = "".join(each if each.isprintable() or each == "\n" else " " for each in text)
    return printable.replace("\\", "/").replace("$", r"\$")


def dressed(ax: Axes, title: str = "", x: str = "", y: str = "") -> None:
    """Give Axes their title and labels, and take away what is not needed."""
    lines = [part for line in title.split("\n") for part in wrap(line, TITLE) or [""]]
    ax.set_title(plain("\n".join(lines)), fontsize=10, loc="left")
    ax.set_xlabel(plain("\n".join(wrap(x, 48)[:2])), fontsize=9)
    ax.set_ylabel(plain("\n".join(wrap(y, 26)[:3])), fontsize=8)
    ax.tick_params(which="both", labelsize=8)
    if ax.name != "3d":
        ax.spines[["top", "right"]].set_visible(False)


def named(ax: Axes, title: str, x: str, y: str, z: str) -> None:
    """Give Axes in three dimensions their title and short labels."""
    dressed(ax, title, x, y)
    ax.set_zlabel(plain(z), fontsize=9)


def legend(ax: Axes, **where: Any) -> None:  # noqa: ANN401
    """A legend, if there is more than one thing to tell apart; of very many, the first."""
    told: dict[str, Any] = {}
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        told.setdefault(label, handle)
    labels = list(told)[:MOST_TOLD]
    if len(labels) > 1:
        ax.legend([told[each] for each in labels], labels, fontsize=8, frameon=False, **where)
