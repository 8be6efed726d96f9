"""compare(): the laws of several runs side by side, with their status and what they took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.discovery.folder import load
from odevsr.discovery.notebook import row
from odevsr.discovery.result import Discovery
from odevsr.errors import UsageError
from odevsr.extras import optional_module
from odevsr.language.number import rounded
from odevsr.plain import finite
from odevsr.showing.laws import short_text
from odevsr.showing.output import SCHEMA, plain_table
from odevsr.verdict.likeness import Compared, Likeness, compared
from odevsr.verdict.scores import r2_text
from odevsr.vertical.equation import Equation, Status
from odevsr.world.box import plain_box

LONGEST_LAW = 160
_KEPT = ("variable", "expression", "status", "r2", "nmse", "deviation", "constants", "oracle",
         "candidates", "elapsed_s")  # fmt: skip
_HEADINGS = ("run", "law", "as first", "status", "R2", "launches", "candidates", "CPU s")
_TOTALS = ("run", "target", "seed", "identified", "states", "launches", "s")


def compare(*runs: Discovery | str | Path) -> Comparison:
    """Discoveries, or the folders of runs, side by side; print it to see it."""
    if len(runs) < 2:
        raise UsageError("one run has nothing to be compared with; give two or more")
    found = [run if isinstance(run, Discovery) else load(run) for run in runs]
    return Comparison(tuple(_labels(found, runs)), tuple(found))


def _labels(found: Sequence[Discovery], runs: Sequence[Discovery | str | Path]) -> Iterator[str]:
    """What each run is called: its folder, or what it is of and where it stands in the row."""
    for number, (each, given) in enumerate(zip(found, runs, strict=True), start=1):
        folder = each.folder if isinstance(given, Discovery) else given
        yield f"{each.target} ({number})" if folder is None else str(folder)


@dataclass(frozen=True)
class Comparison:
    """Runs side by side; `rows` has a row for each equation and run."""

    labels: tuple[str, ...]
    runs: tuple[Discovery, ...]

    def __str__(self) -> str:
        console = Console(width=120, color_system=None, force_jupyter=False)
        with console.capture() as captured:
            console.print(comparison_page(self))
        return "\n".join(line.rstrip() for line in captured.get().rstrip().splitlines())

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.labels)}>"

    @cached_property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """All that is known, equation by equation.

        `same` tells whether a law is the one of the first run that has the equation, `as_first`
        what is known of that; both are None of the first law itself, `same` where nobody can tell.
        """
        return tuple(
            {"run": label, **row(equation), **_likeness(alike)}
            for variable in self.variables
            for label, equation, alike in self.of(variable)
        )

    @property
    def variables(self) -> tuple[str, ...]:
        """Whose equations there are, in the order of the first run that has them."""
        return tuple(dict.fromkeys(each.variable for run in self.runs for each in run.equations))

    def table(self) -> Any:  # noqa: ANN401
        """A DataFrame with a row for each equation and run."""
        return optional_module("pandas", extra="table").DataFrame(list(self.rows))

    def to_json(self) -> dict[str, Any]:
        """One object, as `odevsr compare --json` prints it."""
        laws = [
            {"run": label, **_likeness(alike), **_kept(equation)}
            for variable in self.variables
            for label, equation, alike in self.of(variable)
        ]
        asked = [
            {"run": label, "target": each.target, "seed": each.seed, "elapsed_s": each.elapsed_s,
             "oracle": dict(vars(each.cost))}
            for label, each in zip(self.labels, self.runs, strict=True)
        ]  # fmt: skip
        return {"schema": SCHEMA, "runs": asked, "equations": laws, "differing": self.differing}

    @property
    def differing(self) -> dict[str, list[Any]]:
        """Settings in which the runs differ, with their values in the order of the runs."""
        settings = [each.settings.to_json() for each in self.runs]
        values = {name: [each[name] for each in settings] for name in settings[0]}
        return {name: each for name, each in values.items() if any(one != each[0] for one in each)}

    def of(self, variable: str) -> Iterator[tuple[str, Equation, Compared | None]]:
        """The equations of a variable, with their runs, and how alike they are to the first."""
        first: tuple[Discovery, Equation] | None = None
        for label, run in zip(self.labels, self.runs, strict=True):
            for equation in run.equations:
                if equation.variable != variable:
                    continue
                yield label, equation, None if first is None else _compared(first, run, equation)
                first = first or (run, equation)


def _likeness(alike: Compared | None) -> dict[str, Any]:
    """What is told of a law beside the first one."""
    if alike is None:
        return {"same": None, "as_first": None, "errors_apart": None}
    apart = None if alike.apart is None else finite(alike.apart)
    return {"same": alike.same, "as_first": alike.likeness.value, "errors_apart": apart}


def _kept(equation: Equation) -> dict[str, Any]:
    """What is compared of an equation, in the words of `odevsr discover --json`."""
    values = equation.to_json()
    return {name: values[name] for name in _KEPT}


def _compared(first: tuple[Discovery, Equation], run: Discovery, equation: Equation) -> Compared:
    """How alike two laws are, as far as the errors of their numbers tell."""
    other, law = first
    if set(other.names) != set(run.names):
        return Compared(Likeness.OTHER)
    return compared(law, equation, other.names, plain_box(other.ranges))


def comparison_page(compared: Comparison) -> RenderableType:
    """A table for each equation, then the runs as a whole and what they differ in."""
    parts: list[RenderableType] = []
    for variable in compared.variables:
        found = list(compared.of(variable))
        parts.append(Text(found[0][1].left, style="bold"))
        parts.append(Padding(plain_table(_HEADINGS, [_row(*each) for each in found]), (0, 0, 1, 2)))
    pairs = list(zip(compared.labels, compared.runs, strict=True))
    parts.append(plain_table(_TOTALS, [_total(*each) for each in pairs]))
    if compared.differing:
        rows = [(name, *map(_said, values)) for name, values in compared.differing.items()]
        parts += [Text(), plain_table(("setting", *compared.labels), rows)]
    return Group(*parts)


def _row(label: str, equation: Equation, alike: Compared | None) -> tuple[str, ...]:
    return (
        label,
        short_text(rounded(equation.expression, equation.errors), LONGEST_LAW),
        "-" if alike is None else str(alike),
        equation.status.value,
        "-" if equation.is_constant else r2_text(equation.nmse),
        f"{equation.cost.simulations:,}",
        f"{equation.candidates:,}",
        f"{equation.elapsed_s:.2f}",
    )


def _total(label: str, run: Discovery) -> tuple[str, ...]:
    good = sum(each.status is Status.IDENTIFIED for each in run.equations)
    return (
        label,
        run.target,
        str(run.seed),
        f"{good}/{len(run.equations)}{', interrupted' if run.interrupted else ''}",
        f"{run.cost.states:,}",
        f"{run.cost.simulations:,}",
        f"{run.elapsed_s:.1f}",
    )


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
