"""What a discovery is: equations with status, constants and cost, and how they were found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import odevsr
from odevsr.arrays import FloatArray
from odevsr.discovery import notebook
from odevsr.discovery.columns import chosen_columns
from odevsr.discovery.files import save_result
from odevsr.discovery.motion import Input, iterated, motion, numbers
from odevsr.errors import UsageError, visible
from odevsr.kind import Kind
from odevsr.language.evaluate import Field, compile_field
from odevsr.plain import to_plain
from odevsr.settings import Settings
from odevsr.vertical.equation import Equation, Status, relation
from odevsr.world.experiments.oracle import Cost

SCHEMA = 1


@dataclass(frozen=True)
class Unfinished:
    """A search for an equation that was cut short: what it took, and how far it had come.

    `best` is the nearest form, with open constants C, when last one was proposed; `over` is the
    variable that was free then. `elapsed_s` is CPU time.
    """

    variable: str
    cost: Cost
    elapsed_s: float
    candidates: int = 0
    over: str = ""
    best: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        values: dict[str, Any] = to_plain(self)
        return values | {"oracle": values.pop("cost")}


@dataclass(frozen=True)
class Discovery:
    """The equations found for a target, in the order of its variables.

    `ranges` are those the experiments kept to, or the recordings visited. `elapsed_s` is wall time.
    `interrupted` is true if equations that were asked for are missing.
    """

    target: str
    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]
    equations: tuple[Equation, ...]
    seed: int
    settings: Settings
    cost: Cost
    elapsed_s: float
    interrupted: bool = False
    versions: dict[str, str] = field(default_factory=dict)
    system_file: str = field(default="", repr=False)
    """The file of the system that was studied, with its parameters; a simulator has none."""
    folder: Path | None = field(default=None, repr=False, compare=False)
    """Where the record of the run is kept, if anywhere."""
    unfinished: tuple[Unfinished, ...] = ()
    """Searches that an interruption cut short."""
    recorded: bool = False
    """True if the laws come from recordings and nothing was experimented on."""
    notes: tuple[str, ...] = ()
    """What must be known of the recordings, a sentence each."""
    units: dict[str, str] = field(default_factory=dict)
    """Of variables and of time, as headings of the recordings have them; empty if none has any."""

    def __str__(self) -> str:
        missing = ["interrupted: equations that were asked for are missing"]
        return "\n".join([*map(str, self.equations), *(missing if self.interrupted else [])])

    @property
    def kind(self) -> Kind:
        """What the laws are of."""
        return self.equations[0].kind if self.equations else Kind.ODE

    def heading(self, name: str) -> str:
        """A variable, or time, with its unit if one is known: x [m]."""
        unit = self.units.get(name)
        return f"{name} [{unit}]" if unit else name

    def __repr__(self) -> str:
        statuses = [each.status.value for each in self.equations]
        counts = [f"{statuses.count(each)} {each}" for each in dict.fromkeys(statuses)]
        return f"<Discovery of {self.target}: {', '.join(counts) or 'nothing found'}>"

    def _repr_latex_(self) -> str:
        """The equations as LaTeX, of which a page can be made."""
        return f"$${self.latex()}$$"

    def _repr_html_(self) -> str:
        """The equations as a notebook shows them."""
        return notebook.html(self)

    @property
    def identified(self) -> bool:
        """True if every equation asked for was found and identified."""
        good = all(each.status is Status.IDENTIFIED for each in self.equations)
        return good and not self.interrupted

    def print(self) -> None:
        """Print the equations, one a line, with their status unless they are identified."""
        print(self)

    def predict(
        self, states: ArrayLike, *, inputs: Mapping[str, ArrayLike] | None = None
    ) -> FloatArray:
        """Derivatives, values or next states (..., equations) at states (..., n).

        A table with named columns, such as a DataFrame, is matched by their names. Variables whose
        values are given as `inputs`, by name, a number or one for each state, have no column.
        """
        points = chosen_columns(states, self.names, inputs or {}, self.target)
        return self.function()(points)

    def function(self) -> Field:
        """A fast function from an array of states (..., n) to derivatives (..., equations).

        States have a column for each of `names`, and nothing is checked: see `predict`.
        """
        return compile_field([each.expression for each in self.equations], self.names)

    def score(self, states: ArrayLike, derivatives: ArrayLike) -> FloatArray:
        """R2 of each equation on states (N, n) and derivatives (N, equations)."""
        predicted = self.predict(states)
        truth = numbers(derivatives, "derivatives")
        if predicted.ndim != 2:
            raise UsageError("a score is over several states; give states (N, n)")
        if truth.shape != predicted.shape:
            raise UsageError(
                f"derivatives of shape {truth.shape} cannot be compared; give {predicted.shape}"
            )
        residual = np.sum((truth - predicted) ** 2, axis=0)
        spread = np.sum((truth - truth.mean(axis=0)) ** 2, axis=0)
        score: FloatArray = 1 - residual / np.where(spread > 0, spread, 1.0)
        return score

    def simulate(
        self, start: ArrayLike, times: ArrayLike, *, inputs: Mapping[str, Input] | None = None
    ) -> FloatArray:
        """States (len(times), equations) of the discovered system from `start` at times[0].

        Times are in order, forwards or backwards. Inputs, which have no equation, are set to a
        value each, to a function of time, or to samples, (times, values), with straight lines
        between them. A map is followed by whole steps, its inputs are numbers.
        """
        laws = {each.variable: each.expression for each in self.equations}
        if self.kind is Kind.FUNCTION:
            raise UsageError("a function does not move; predict gives its values")
        if self.kind is Kind.MAP:
            fixed = {name: float(value) for name, value in (inputs or {}).items()}  # type: ignore[arg-type]
            return iterated(laws, self.names, start, times, fixed)
        ranges = dict(zip(self.names, self.ranges, strict=True))
        sizes = [max(map(abs, ranges[name])) for name in laws]
        return motion(laws, self.names, start, times, inputs or {}, sizes)

    def latex(self) -> str:
        """The equations in LaTeX, one below the other, for the mathematics mode."""
        rows = [
            each.latex().replace(sign := relation(each), f"&{sign}", 1) for each in self.equations
        ]
        return "\n".join([r"\begin{aligned}", " \\\\\n".join(rows), r"\end{aligned}"])

    def to(self, form: str) -> str:
        """The laws as a text for another tool: "numpy", "c", "latex" or as `odevsr export` has it.

        It begins with a comment that says how sure each law is; numbers have all their digits.
        """
        return odevsr.exported(self, form)

    def table(self) -> Any:  # noqa: ANN401
        """A pandas DataFrame with a row an equation: law, status, scores and cost."""
        return notebook.table(self)

    def explain(self) -> str:
        """How each equation was found, in words and formulas for who has never seen the method."""
        return odevsr.explain(self)

    def plot(self, kind: str = "phase", *, ax: Any = None, panel: int = 0) -> Any:  # noqa: ANN401
        """A figure, or one panel of it on Axes of your own; see `odevsr.plot`."""
        return odevsr.plot(self, kind, ax=ax, panel=panel)

    def report(self, out: str | Path | None = None) -> str:
        """All there is to see as one HTML page; with `out`, also a new file."""
        return odevsr.report(self, out)

    def save(self, folder: str | Path) -> None:
        """Write the discovery to a new run folder, which `odevsr.load` reads."""
        save_result(Path(folder), self.to_json(), system_file=self.system_file)

    def to_json(self) -> dict[str, Any]:
        """One object, as `odevsr discover --json` prints it."""
        pairs = zip(self.names, self.ranges, strict=True)
        return {
            "schema": SCHEMA,
            "target": visible(self.target),
            "seed": self.seed,
            "elapsed_s": self.elapsed_s,
            "interrupted": self.interrupted,
            "oracle": to_plain(self.cost),
            "equations": [each.to_json() for each in self.equations],
            "unfinished": [each.to_json() for each in self.unfinished],
            "recorded": self.recorded,
            "notes": list(self.notes),
            "units": {name: visible(unit) for name, unit in self.units.items()},
            "variables": [{"name": name, "range": list(limits)} for name, limits in pairs],
            "settings": self.settings.to_json(),
            "versions": dict(self.versions),
        }
