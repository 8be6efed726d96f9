"""Panels as SVG inside a page: colours follow the page, light or dark."""

from __future__ import annotations

import io
import re
from typing import Any

from odevsr.showing.plots.panel import Panel
from odevsr.showing.plots.style import COLOURS, new_figure
from odevsr.showing.report.markup import Html, element

GREYS = {"#999999": "--muted", "#d9d9d9": "--line", "#000000": "--ink", "#ffffff": "--paper"}


SMALLER, WIDEST = 0.8, 4.8
"""Panels are drawn so much smaller than for a file, and so many inches wide at most, that letters
can be read on a narrow screen."""
LOWEST = 2.2


def figure(panel: Panel, name: str) -> Html:
    """A panel, which has its title; `name` is its own on the page."""
    return element("figure", svg(panel, name))


def svg(panel: Panel, name: str) -> Html:
    """A panel as SVG that takes the width it is given."""
    import matplotlib

    drawn = new_figure(*_size(panel))
    plain: Any = {"svg.fonttype": "none", "svg.hashsalt": name, "savefig.facecolor": "none"}
    with matplotlib.rc_context(plain):
        ax = drawn.add_subplot()
        panel.draw(ax)
        for each in drawn.axes:
            each.patch.set_visible(False)
        text = io.StringIO()
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return _inline(text.getvalue(), name, panel.caption)


def _size(panel: Panel) -> tuple[float, float]:
    """Inches that a panel takes on a page."""
    width = min(SMALLER * panel.width, WIDEST)
    return width, min(max(SMALLER * panel.height, LOWEST), width)


def _inline(document: str, name: str, label: str) -> Html:
    """The SVG without what only a file of its own needs, its ids made its own."""
    inner = document[document.index("<svg") :]
    inner = re.sub(r"<metadata>.*?</metadata>", "", inner, flags=re.DOTALL)
    box = re.search(r'viewBox="([^"]*)"', inner)
    body = inner[inner.index(">") + 1 :].replace("</svg>", "")
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", body)
    for number, colour in enumerate(COLOURS):
        body = body.replace(colour, f"var(--c{number})")
    for colour, variable in GREYS.items():
        body = body.replace(colour, f"var({variable})")
    view = box[1] if box else "0 0 100 100"
    return element("svg", Html(body), viewBox=view, role="img", aria_label=label)
