"""What a discovery is: equations with status, constants and cost, and how they were found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, complexity, variables
from odevsr.language.latex import name_latex, to_latex
from odevsr.language.number import Errors, number_text, rounded
from odevsr.language.sympy_form import to_sympy
from odevsr.language.text import to_text
from odevsr.settings import Settings
from odevsr.status import SpokenStatus
from odevsr.vertical.motion import Input, motion, numbers
from odevsr.vertical.refine import FittedNumber
from odevsr.vertical.rivals import Alternative
from odevsr.vertical.rounds import Round
from odevsr.world.oracle import Cost

if TYPE_CHECKING:
    from sympy import Expr

FloatArray = NDArray[np.float64]
SCHEMA = 1


class Status(SpokenStatus):
    """How sure we are of a law; `sentence` says it to people."""

    IDENTIFIED = (
        "identified",
        "agrees with fresh experiments to their error, also outside the ranges",
    )
    APPROXIMATE = "approximate", "close inside the ranges, but not the law"
    NOT_IDENTIFIED = "not identified", "no law was found; the best approximation is shown"


@dataclass(frozen=True)
class Equation:
    """The law of one variable's derivative, how well it holds, and what it took.

    `deviation` is the residual on fresh data in units of the measurement errors; `rounds` are all
    rounds of controlled experiments, in order, with who proposed their forms. `elapsed_s` is CPU
    time.
    """

    variable: str
    expression: Expression
    status: Status
    constants: tuple[FittedNumber, ...]
    r2: float
    nmse: float
    deviation: float
    rounds: tuple[Round, ...]
    cost: Cost
    candidates: int
    elapsed_s: float
    note: str = ""
    alternatives: tuple[Alternative, ...] = ()
    """Simpler laws and how well they do, where data are noisy or no law was identified."""
    passes: int = 1
    """2 if it was searched again with what other equations had taught."""

    def __str__(self) -> str:
        law = f"d{self.variable}/dt = {to_text(rounded(self.expression, self.errors))}"
        if self.status is Status.IDENTIFIED:
            return law
        return f"{law}    ({self.status.value}: {self.status.sentence})"

    @property
    def is_constant(self) -> bool:
        """True for a derivative that does not vary: R2 and NMSE have no meaning then."""
        return self.status is Status.IDENTIFIED and not variables(self.expression)

    @property
    def errors(self) -> Errors:
        """Errors of the numbers that are not exact, by their sizes."""
        return {abs(each.value): each.error for each in self.constants if each.exact is None}

    @property
    def proposers(self) -> tuple[str, ...]:
        """Who proposed the forms of the rounds, in alphabetical order."""
        return tuple(sorted({each.proposer for each in self.rounds} - {"none"}))

    def latex(self) -> str:
        r"""The equation in LaTeX, for the mathematics mode; with \approx unless identified."""
        left = rf"\frac{{d {name_latex(self.variable)}}}{{d t}}"
        return f"{left} {_relation(self)} {to_latex(self.expression, self.errors)}"

    def sympy(self) -> Expr:
        """The right-hand side as sympy has it, over real symbols named as the variables."""
        return to_sympy(self.expression)

    def to_json(self) -> dict[str, Any]:
        """Plain values; `exact` is filled in by who knows the truth."""
        return {
            "variable": self.variable,
            "expression": to_text(self.expression),
            "status": self.status.value,
            "r2": None if self.is_constant else _finite(self.r2),
            "nmse": None if self.is_constant else _finite(self.nmse),
            "deviation": _finite(self.deviation),
            "exact": None,
            "constants": [_constant_json(constant) for constant in self.constants],
            "proposers": list(self.proposers),
            "rounds": [_round_json(each) for each in self.rounds],
            "oracle": dict(vars(self.cost)),
            "candidates": self.candidates,
            "elapsed_s": self.elapsed_s,
            "note": self.note,
            "alternatives": [_alternative_json(each) for each in self.alternatives],
            "passes": self.passes,
        }


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
        values = vars(self) | {"oracle": dict(vars(self.cost))}
        return {key: value for key, value in values.items() if key != "cost"}


@dataclass(frozen=True)
class Discovery:
    """The equations found for a target, in the order of its variables.

    `ranges` are those the experiments kept to. `elapsed_s` is wall time. `interrupted` is true if
    equations that were asked for are missing.
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
    unfinished: tuple[Unfinished, ...] = ()
    """Searches that an interruption cut short."""

    def __str__(self) -> str:
        missing = ["interrupted: equations that were asked for are missing"]
        return "\n".join([*map(str, self.equations), *(missing if self.interrupted else [])])

    @property
    def identified(self) -> bool:
        """True if every equation asked for was found and identified."""
        good = all(each.status is Status.IDENTIFIED for each in self.equations)
        return good and not self.interrupted

    def print(self) -> None:
        """Print the equations, one a line, with their status unless they are identified."""
        print(self)

    def predict(self, states: ArrayLike) -> FloatArray:
        """Derivatives (..., equations) at states (..., n)."""
        points = numbers(states, "states")
        if points.ndim == 0 or points.shape[-1] != len(self.names):
            raise UsageError(
                f"states of shape {points.shape} are none of {self.target}; give (..., "
                f"{len(self.names)}): {', '.join(self.names)}"
            )
        return compile_field([each.expression for each in self.equations], self.names)(points)

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
        value each or to a function of time.
        """
        laws = {each.variable: each.expression for each in self.equations}
        ranges = dict(zip(self.names, self.ranges, strict=True))
        sizes = [max(map(abs, ranges[name])) for name in laws]
        return motion(laws, self.names, start, times, inputs or {}, sizes)

    def latex(self) -> str:
        """The equations in LaTeX, one below the other, for the mathematics mode."""
        rows = [
            each.latex().replace(sign := _relation(each), f"&{sign}", 1) for each in self.equations
        ]
        return "\n".join([r"\begin{aligned}", " \\\\\n".join(rows), r"\end{aligned}"])

    def save(self, folder: str | Path) -> None:
        """Write the discovery to a new run folder, which `odevsr.load` reads."""
        from odevsr.vertical.run import save_discovery

        save_discovery(self, Path(folder))

    def to_json(self) -> dict[str, Any]:
        """One object, as `odevsr discover --json` prints it."""
        pairs = zip(self.names, self.ranges, strict=True)
        return {
            "schema": SCHEMA,
            "target": self.target,
            "seed": self.seed,
            "elapsed_s": self.elapsed_s,
            "interrupted": self.interrupted,
            "oracle": dict(vars(self.cost)),
            "equations": [each.to_json() for each in self.equations],
            "unfinished": [each.to_json() for each in self.unfinished],
            "variables": [{"name": name, "range": list(limits)} for name, limits in pairs],
            "settings": self.settings.to_json(),
            "versions": dict(self.versions),
        }


def _relation(equation: Equation) -> str:
    return "=" if equation.status is Status.IDENTIFIED else r"\approx"


def _alternative_json(alternative: Alternative) -> dict[str, Any]:
    experiment = alternative.experiment
    return {
        "expression": to_text(alternative.expression),
        "complexity": complexity(alternative.expression),
        "deviation": _finite(alternative.deviation),
        "experiment": None if experiment is None else vars(experiment),
        "refuted": alternative.is_refuted,
    }


def _constant_json(constant: FittedNumber) -> dict[str, Any]:
    exact = None if constant.exact is None else number_text(constant.exact)
    return {"value": _finite(constant.value), "error": _finite(constant.error), "exact": exact}


def _round_json(each: Round) -> dict[str, Any]:
    return {**vars(each), "deviation": _finite(each.deviation)}


def _finite(value: float) -> float | None:
    """JSON has no infinity; null stands for it."""
    return value if math.isfinite(value) else None
