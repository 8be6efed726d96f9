"""What a bench returns: figures beside their targets, and the rows they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and whether it keeps what was promised."""

    name: str
    value: float
    target: str
    """Such as "at least 50"."""
    holds: bool


@dataclass(frozen=True, slots=True)
class BenchResult:
    """All figures of one bench, and the measurements in `rows`: the same keys in each.

    `totals` sums the rows up; some benches have none.
    """

    bench: str
    figures: tuple[Figure, ...]
    rows: tuple[Mapping[str, Cell], ...]
    totals: tuple[Mapping[str, Cell], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every figure keeps its target."""
        return all(figure.holds for figure in self.figures)

    def to_json(self) -> dict[str, object]:
        """One plain object for `--json`."""
        figures = [
            {"name": each.name, "value": each.value, "target": each.target, "holds": each.holds}
            for each in self.figures
        ]
        result: dict[str, object] = {"bench": self.bench, "figures": figures}
        result["rows"] = [dict(row) for row in self.rows]
        if self.totals:
            result["totals"] = [dict(row) for row in self.totals]
        return result


def at_least(name: str, value: float, target: float) -> Figure:
    """A figure that should not fall below its target.

    >>> at_least("times faster", 120.0, 50)
    Figure(name='times faster', value=120.0, target='at least 50', holds=True)
    """
    return Figure(name, value, f"at least {target:g}", value >= target)


def at_most(name: str, value: float, target: float) -> Figure:
    """A figure that should not rise above its target."""
    return Figure(name, value, f"at most {target:g}", value <= target)
