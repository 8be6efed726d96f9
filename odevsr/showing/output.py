"""How results are printed: stdout carries the result alone, words beside it go to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

SCHEMA = 1
_UNLIMITED = 1_000_000


def put(content: RenderableType) -> None:
    """Print to stdout: as wide as the terminal, and in whole lines where there is none."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        Console().print(content)
        return
    console = Console(width=_UNLIMITED, color_system=None)
    with console.capture() as captured:
        console.print(content)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def put_json(content: object) -> None:
    """Print one JSON object to stdout."""
    print(json.dumps(content, indent=2, ensure_ascii=False))


def say(sentence: str) -> None:
    """Tell the user something that is not the result."""
    print(sentence, file=sys.stderr, flush=True)


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table without rules whose cells wrap; nothing is ever cut off."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, overflow="fold", no_wrap=index == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def law_table(laws: Iterable[tuple[str, str]], *, style: str = "") -> Table:
    """Variables and the right-hand sides of their laws, one a row; `style` is that of the left."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for variable, law in laws:
        table.add_row(Text(f"d{variable}/dt =", style=style), Text(law))
    return table
