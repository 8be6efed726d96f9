"""A bench's result as text: what was measured, then each figure beside its target."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from odevsr.bench.result import BenchResult, Cell, Figure
from odevsr.errors import UsageError
from odevsr.showing.output import plain_table

LONGEST = 120
"""Letters of a law that a table shows; JSON has it in full."""


def bench_page(result: BenchResult) -> RenderableType:
    """Rows first, then what sums them up, figures last."""
    parts: list[RenderableType] = [Text(f"bench {result.bench}", style="bold"), Text()]
    for rows in (result.rows, result.totals):
        if rows:
            headings = list(rows[0])
            cells = [[_cell(row[heading]) for heading in headings] for row in rows]
            parts += [plain_table(headings, cells), Text()]
    figures = [_figure_row(figure) for figure in result.figures]
    return Group(*parts, plain_table(["figure", "value", "target", ""], figures))


def _figure_row(figure: Figure) -> tuple[str, ...]:
    return figure.name, _cell(figure.value), figure.target, "holds" if figure.holds else "MISSED"


def _cell(value: Cell) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def with_table(text: str, result: BenchResult) -> str:
    r"""The text with the rows between the marks of the bench, which say the command that renders.

    >>> marked = "<!-- odevsr bench x --markdown -->\nold\n<!-- end -->"
    >>> print(with_table(marked, BenchResult("x", (), ({"a": 1},))))
    <!-- odevsr bench x --markdown -->
    | a |
    | --- |
    | 1 |
    <!-- end -->
    """
    mark, end = f"<!-- odevsr bench {result.bench} --markdown -->\n", "\n<!-- end -->"
    before, found, rest = text.partition(mark)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise UsageError(f"there is no {mark.strip()} ... {end.strip()} in the file; add the two")
    return f"{before}{mark}{bench_markdown(result)}{end}{after}"


def bench_markdown(result: BenchResult) -> str:
    """The rows as a Markdown table.

    >>> print(bench_markdown(BenchResult("x", (), ({"method": "a", "exact, %": 57.14},))))
    | method | exact, % |
    | --- | --- |
    | a | 57.14 |
    """
    headings = list(result.rows[0])
    cells = [[_cell(row[heading]) for heading in headings] for row in result.rows]
    return "\n".join(
        f"| {' | '.join(line)} |" for line in [headings, ["---"] * len(headings), *cells]
    )
