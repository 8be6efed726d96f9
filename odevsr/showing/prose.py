"""Words and formulas before anybody knows where they go: a terminal, a page, a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Expression
from odevsr.language.text import to_text
from odevsr.showing.meanings import StandsFor, read, with_short_numbers, written_out
from odevsr.showing.output import plain_table


@dataclass(frozen=True)
class Formula:
    """A formula in running text: a left side, as `dx/dt`, if it has one, and an expression."""

    right: Expression
    left: str = ""

    def text(self) -> str:
        """As plain text."""
        law = to_text(self.right)
        return f"{self.left} = {law}" if self.left else law


Piece = str | Formula


@dataclass(frozen=True)
class Heading:
    """A title; the deeper, the smaller."""

    text: str
    level: int = 1


@dataclass(frozen=True)
class Paragraph:
    """Words and formulas in a row."""

    pieces: tuple[Piece, ...]

    def text(self) -> str:
        """As plain text."""
        return "".join(each if isinstance(each, str) else each.text() for each in self.pieces)


@dataclass(frozen=True)
class Rows:
    """A table."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Part = Heading | Paragraph | Rows


def said(*pieces: Piece) -> Paragraph:
    """A paragraph of these words and formulas."""
    return Paragraph(pieces)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Rows:
    """A table with these cells."""
    return Rows(tuple(headings), tuple(tuple(row) for row in rows))


def formula(text: str, left: str = "", stands_for: StandsFor = ()) -> Piece:
    """A formula that a run has recorded, its numbers as long as is worth reading.

    Coordinates are written out. What is no formula of ours stays the text it is.

    >>> formula("C1*x + 2.0000000001", "dx/dt").text()
    'dx/dt = C1*x + 2'
    """
    law = read(text)
    if law is None:
        return f"{left} = {text}" if left else text
    short = normal_form(with_short_numbers(law))  # which leaves out factors of one
    return Formula(with_short_numbers(written_out(short, stands_for)), left)


def visible(text: str) -> str:
    r"""A text without what steers a terminal, whatever a file put into it.

    >>> print(visible("a\x1b[31mb"))
    a\x1b[31mb
    """
    return "".join(
        each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text
    )


def in_terminal(parts: Iterable[Part]) -> RenderableType:
    """The parts for a terminal of any width."""
    return Group(*(_shown(each) for each in parts))


def as_text(parts: Iterable[Part]) -> str:
    """The parts as plain text of lines as long as they are."""
    from rich.console import Console

    console = Console(width=100, color_system=None, force_jupyter=False)
    with console.capture() as captured:
        console.print(in_terminal(parts))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _shown(part: Part) -> RenderableType:
    match part:
        case Heading(text, level):
            return Padding(Text(visible(text), style="bold"), (1 if level > 1 else 0, 0, 0, 0))
        case Paragraph():
            return Text(visible(part.text()))
        case Rows(headings, rows):
            cells = [[visible(cell) for cell in row] for row in rows]
            return Padding(plain_table([visible(each) for each in headings], cells), (0, 0, 0, 4))
