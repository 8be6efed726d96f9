"""How results are printed: stdout carries the result alone, words beside it go to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

SCHEMA = 1
NARROW = 20
"""Characters that a column of long cells has at least, or the table becomes blocks."""
UNBROKEN = 12
"""Cells up to this length are never broken."""
_UNLIMITED = 1_000_000


def put(content: RenderableType) -> None:
    """Print to stdout: as wide as the terminal, and in whole lines where there is none."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        Console().print(content)
        return
    console = Console(width=_UNLIMITED, color_system=None)
    console.width = console.measure(content).maximum  # blanks that fill lines cost time
    with console.capture() as captured:
        console.print(content)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def put_json(content: object) -> None:
    """Print one JSON object to stdout."""
    print(json.dumps(content, indent=2, ensure_ascii=False))


def say(sentence: str) -> None:
    """Tell the user something that is not the result; a terminal breaks lines between words."""
    if sys.stderr.isatty():
        Console(stderr=True).print(Text(sentence))
    else:
        print(sentence, file=sys.stderr, flush=True)


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> RenderableType:
    """A table without rules whose cells wrap; in a narrow terminal, a block a row.

    Nothing is ever cut off.
    """
    return _PlainTable(tuple(headings), tuple(tuple(row) for row in rows))


@dataclass(frozen=True)
class _PlainTable:
    """What `plain_table` makes, laid out once the width is known."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        widths = [max(map(len, cells)) for cells in zip(self.headings, *self.rows, strict=True)]
        first, *others = widths
        least = first + sum(2 + min(width, NARROW) for width in others)
        if least <= options.max_width:
            yield self._table(widths)
        else:
            for row in self.rows:
                yield Text(row[0], style="bold")
                yield Padding(self._block(row, options.max_width - 2), (0, 0, 0, 2))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """As wide as all cells unbroken."""
        widths = [max(map(len, cells)) for cells in zip(self.headings, *self.rows, strict=True)]
        return Measurement(NARROW, sum(widths) + 2 * len(widths)).with_maximum(options.max_width)

    def _table(self, widths: Sequence[int]) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for index, (heading, width) in enumerate(zip(self.headings, widths, strict=True)):
            table.add_column(heading, overflow="fold", no_wrap=index == 0 or width <= UNBROKEN)
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        return table

    def _block(self, row: Sequence[str], width: int) -> Text:
        """The cells of a row with their headings, as many on a line as fit whole."""
        pairs = zip(self.headings[1:], row[1:], strict=True)
        lines: list[str] = []
        for item in (f"{heading}: {cell}".removeprefix(": ") for heading, cell in pairs if cell):
            if lines and len(lines[-1]) + 2 + len(item) <= width:
                lines[-1] += f"  {item}"
            else:
                lines.append(item)
        return Text("\n".join(lines))


def law_table(laws: Iterable[tuple[str, str]], *, style: str = "") -> Table:
    """Left and right-hand sides of laws, one a row; `style` is that of the left."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for left, law in laws:
        table.add_row(Text(f"{left} =", style=style), Text(law))
    return table
