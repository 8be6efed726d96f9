"""Laws from recordings beside SINDy's: a page for people, one object for programs."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.plain import finite
from odevsr.showing.laws import short_text
from odevsr.showing.output import SCHEMA, plain_table
from odevsr.verdict.judgement import LONGEST_LAW
from odevsr.verdict.recordings.verdict import RecordedMethod, RecordedVerdict

_METHOD_HEADINGS = ("method", "terms", "reconstructs", "follows", "wall s")


def recorded_verdict_page(verdict: RecordedVerdict) -> RenderableType:
    """Each equation with every method's law of it, then the methods as a whole."""
    parts: list[RenderableType] = []
    names = [name for name, _ in verdict.methods[0].laws]
    for index, (name, status) in enumerate(zip(names, verdict.statuses, strict=True)):
        rows = [
            (method.name, short_text(rounded(method.laws[index][1]), LONGEST_LAW))
            for method in verdict.methods
        ]
        parts.append(Text.assemble((f"d{name}/dt", "bold"), f"    ours is {status.value}"))
        parts.append(Padding(plain_table(("method", "law"), rows), (0, 0, 1, 2)))
    parts += [plain_table(_METHOD_HEADINGS, [_row(each) for each in verdict.methods]), Text()]
    parts.append(
        Text(
            "R2 of the laws' own motion, from smoothed first states on: reconstructs what the "
            f"methods were given, follows {verdict.held}, which they were not."
        )
    )
    return Group(*parts, *(Text(f"{note}.") for note in verdict.notes))


def recorded_verdict_json(verdict: RecordedVerdict) -> dict[str, Any]:
    """Everything on the page, in full precision; null where a motion cannot be followed."""
    return {
        "schema": SCHEMA,
        "target": verdict.target,
        "seed": verdict.seed,
        "held_out": verdict.held,
        "statuses": [status.value for status in verdict.statuses],
        "methods": [
            {
                "method": method.name,
                "equations": [
                    {"variable": name, "expression": to_text(law)} for name, law in method.laws
                ],
                "reconstructs": finite(method.reconstructs),
                "follows": finite(method.follows),
                "elapsed_s": method.elapsed_s,
            }
            for method in verdict.methods
        ],
        "notes": list(verdict.notes),
    }


def _row(method: RecordedMethod) -> tuple[str, ...]:
    r2 = (method.reconstructs, method.follows)
    return method.name, str(method.terms), *map(_r2_text, r2), f"{method.elapsed_s:.1f}"


def _r2_text(r2: float) -> str:
    """R2 as people read it; a motion that is lost has none.

    >>> _r2_text(1 - 1e-9), _r2_text(0.98765), _r2_text(-3.0), _r2_text(float("-inf"))
    ('1 - 1.0e-09', '0.9877', 'below 0', 'lost')
    """
    if not math.isfinite(r2):
        return "lost"
    if r2 < 0:
        return "below 0"
    return f"1 - {1 - r2:.1e}" if 1 - r2 < 1e-4 else f"{r2:.4f}"
