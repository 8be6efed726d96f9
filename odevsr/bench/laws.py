"""Whether laws drawn from the grammar are ever identified wrongly, however short the search.

Half of them are of one variable, half of two. A law is right if it has the values of the one that
was drawn, in the ranges and half as far again; one that is called identified and is not right is
false. That a law is missed is no fault: searches are short.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.bench.parallel import mapped
from odevsr.bench.random_laws import RandomLaw, random_law
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.language.text import to_text
from odevsr.settings import Settings
from odevsr.vertical.attempts import discover_equation
from odevsr.vertical.equation import Equation, Status

Row = Mapping[str, Cell]

SHORT = Settings(
    attempts=1,
    prior_batches=1,
    epochs=1,
    batch=50,
    width=8,
    most_candidates=800,
    most_seconds=2,
)
"""Searches that end soon: a law that is not found at once tempts to call another identified."""
COUNT = 400
SHARE, MEDIAN_SECONDS = 0.5, 1.0
"""Share of laws to identify at least, and what one may take at the median."""


@dataclass(frozen=True)
class Draw:
    """A law by its number among those of a seed; even ones are of one variable, odd ones of two."""

    seed: int
    number: int

    @property
    def dimension(self) -> int:
        """Variables of the law."""
        return 1 + self.number % 2

    @property
    def seeds(self) -> tuple[int, int]:
        """What the law and its search are drawn by."""
        return self.seed, self.number


def bench_laws(count: int = COUNT, seed: int = 0, jobs: int = 1) -> BenchResult:
    """Draw so many laws, and search for each."""
    rows: list[Row] = []
    for row in mapped(row_of_draw, [Draw(seed, number) for number in range(count)], jobs):
        rows.append(row)
        said = f"{row['law']} of {count}, {row['truth']}: {row['status']}, right {row['right']}"
        print(said, file=sys.stderr, flush=True)
    return BenchResult("laws", figures_of(rows), tuple(rows), totals_of(rows))


def searched(law: RandomLaw, seed: int | Sequence[int], settings: Settings = SHORT) -> Equation:
    """What a short search makes of a law."""
    return discover_equation(law.oracle(), settings, np.random.SeedSequence(seed))


def is_false(law: RandomLaw, found: Equation) -> bool:
    """Whether what was found is called identified, and is another law."""
    return found.status is Status.IDENTIFIED and not law.is_equal(found.expression)


def row_of_draw(draw: Draw) -> Row:
    """A law beside what was found, and what that took."""
    law = random_law(draw.seeds, draw.dimension)
    found = searched(law, draw.seeds)
    return {
        "law": draw.number,
        "variables": draw.dimension,
        "right": law.is_equal(found.expression),
        "status": found.status.value,
        "false": is_false(law, found),
        "states": found.cost.states,
        "CPU s": found.elapsed_s,
        "form": to_text(found.expression),
        "truth": to_text(law.expression),
    }


def figures_of(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """No false law, most of them identified, and soon."""
    total = _total("all", rows)
    return (
        at_most("false laws among the identified", _number(total, "false"), 0),
        at_least("share of laws identified", _number(total, "identified") / len(rows), SHARE),
        at_most("median CPU s", _number(total, "median CPU s"), MEDIAN_SECONDS),
    )


def totals_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """What became of laws of one variable, of two, and of all."""
    groups = [
        (f"of {number}", [row for row in rows if row["variables"] == number]) for number in (1, 2)
    ]
    return tuple(_total(name, some) for name, some in [*groups, ("all", rows)] if some)


def _total(name: str, rows: Sequence[Row]) -> Row:
    return {
        "variables": name,
        "laws": len(rows),
        "right": sum(bool(row["right"]) for row in rows),
        "identified": sum(row["status"] == Status.IDENTIFIED.value for row in rows),
        "false": sum(bool(row["false"]) for row in rows),
        "median CPU s": statistics.median(_number(row, "CPU s") for row in rows),
        "median states": statistics.median(_number(row, "states") for row in rows),
    }


def _number(row: Row, key: str) -> float:
    return float(row[key] or 0)
