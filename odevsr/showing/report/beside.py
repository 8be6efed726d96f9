"""What `odevsr validate` said of a run: its laws beside SINDy's, as a section of a report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from odevsr.showing.plots.subject import Subject
from odevsr.showing.prose import formula, said
from odevsr.showing.report.markup import Html, element, joined, table

LONGEST = 600
"""Letters of a law that is shown whole."""
_MEASURED = (
    "What sparse regression (SINDy) makes of the same system: (a) on trajectories, with finite "
    "differences; (b) on the very states and derivatives that odevsr measured; SINDy-PI with "
    "denominators, too."
)
_RECORDED = (
    "What sparse regression (SINDy) makes of the same samples. R2 is that of the laws' own motion: "
    "it reconstructs what the methods were given, and follows {}, which they were not."
)


def beside_sindy(subject: Subject) -> Html:
    """All laws of all methods; nothing if nobody has asked for them."""
    judged = subject.verdict
    if judged is None:
        return Html()
    if "held_out" not in judged:
        laws = table(("equation", "method", "law", "exact", "R2", "terms"), _judged(judged))
        return joined([element("p", _MEASURED), laws])
    laws = table(("equation", "method", "law"), (row[:3] for row in _judged(judged)))
    motions = [
        (each["method"], _r2(each["reconstructs"]), _r2(each["follows"]))
        for each in judged["methods"]
    ]
    return joined([
        element("p", _RECORDED.format(judged["held_out"])), laws,
        table(("method", "reconstructs", "follows"), motions),
    ])  # fmt: skip


def _judged(judged: dict[str, Any]) -> list[tuple[str, ...]]:
    """The rows of all methods, equation by equation in the order of the first method."""
    rows = [row for method in judged["methods"] for row in _rows(method)]
    order = list(dict.fromkeys(row[0] for row in rows))
    return sorted(rows, key=lambda row: order.index(row[0]))


def _rows(method: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """A row for each law of a method."""
    for each in method["equations"]:
        law = said(formula(str(each["expression"]))).text()
        shown = law if len(law) <= LONGEST else f"{law[:LONGEST]}..."
        exact = {True: "yes", False: "no"}.get(each.get("exact"), "-")
        terms = str(each.get("terms", "-"))
        cells = element("code", shown), exact, _r2(each.get("r2")), terms
        yield f"d{each['variable']}/dt", method["method"], *cells


def _r2(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"
