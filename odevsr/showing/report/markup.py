"""HTML from values: whatever is not markup already is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from odevsr.language.mathml import name_mathml, rate_mathml, to_mathml
from odevsr.showing.prose import Formula, Heading, Paragraph, Part, Piece, Rows, visible

LONGEST_MATHS = 300
"""Formulas whose text is longer are not typeset: a browser does not break their lines."""


class Html(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


def text(words: str) -> Html:
    """Words of any origin as markup."""
    return words if isinstance(words, Html) else Html(escape(visible(words)))


def element(tag: str, *children: str, **attributes: str) -> Html:
    """An element; attributes whose names Python reserves end in an underscore.

    >>> element("p", "a < b", class_="x")
    '<p class="x">a &lt; b</p>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
    )
    return Html(f"<{tag}{named}>{joined(children)}</{tag}>")


def joined(children: Iterable[str], between: str = "") -> Html:
    """Markup and words one after the other."""
    return Html(between.join(text(each) for each in children))


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> Html:
    """A table that scrolls by itself where it is too wide."""
    head = element("tr", *(element("th", each, scope="col") for each in headings))
    body = (element("tr", *(element("td", cell) for cell in row)) for row in rows)
    whole = element("table", element("thead", head), element("tbody", *body))
    return element("div", whole, class_="wide", tabindex="0")


def maths(formula: Formula, *, block: bool = False) -> Html:
    """A formula, typeset unless it is too long for that."""
    words = formula.text()
    if len(words) > LONGEST_MATHS:
        return element("code", words)
    left = f"{_left(formula.left)}<mo>=</mo>" if formula.left else ""
    inner = Html(f"{left}{to_mathml(formula.right)}")
    return element("math", inner, display="block" if block else "inline", aria_label=words)


def _left(name: str) -> str:
    if name.startswith("d") and name.endswith("/dt"):
        return rate_mathml(name[1:-3])
    return name_mathml(name)


def parts_html(parts: Iterable[Part], level: int = 2) -> Html:
    """The parts of a story."""
    return joined(_part(each, level) for each in parts)


def _part(part: Part, level: int) -> Html:
    match part:
        case Heading(words, depth):
            return element(f"h{min(6, level + depth)}", words)
        case Paragraph(pieces):
            return element("p", *map(_piece, pieces))
        case Rows(headings, rows):
            return table(headings, rows)


def _piece(piece: Piece) -> str:
    return piece if isinstance(piece, str) else maths(piece)
