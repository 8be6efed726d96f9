"""What a discovery is: equations with status, constants and cost, and what was done to find them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.language.text import to_text
from odevsr.settings import Settings
from odevsr.vertical.refine import FittedNumber
from odevsr.vertical.solve import Round
from odevsr.world.oracle import Cost

FloatArray = NDArray[np.float64]
SCHEMA = 1


class Status(Enum):
    """How sure we are of a law; `sentence` says it to people."""

    IDENTIFIED = "identified", "agrees with fresh experiments to their error, also outside the ranges"
    APPROXIMATE = "approximate", "close inside the ranges, but not the law"
    NOT_IDENTIFIED = "not identified", "no law was found; the best approximation is shown"

    sentence: str

    def __new__(cls, word: str, sentence: str) -> Status:
        """A member whose value is the word that files and JSON hold."""
        member = object.__new__(cls)
        member._value_ = word
        member.sentence = sentence
        return member


@dataclass(frozen=True)
class Equation:
    """The law of one variable's derivative, how well it holds, and what it took.

    `deviation` is the residual on fresh data in units of the measurement errors; `rounds` are all rounds
    of controlled experiments, in order, with who proposed their forms.
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

    def to_json(self) -> dict[str, Any]:
        """Plain values; `exact` is filled in by who knows the truth."""
        return {
            "variable": self.variable,
            "expression": to_text(self.expression),
            "status": self.status.value,
            "r2": self.r2,
            "nmse": self.nmse,
            "deviation": self.deviation,
            "exact": None,
            "constants": [_constant_json(constant) for constant in self.constants],
            "proposers": sorted({each.proposer for each in self.rounds} - {"none"}),
            "rounds": [vars(each) for each in self.rounds],
            "oracle": vars(self.cost),
            "candidates": self.candidates,
            "elapsed_s": self.elapsed_s,
            "note": self.note,
        }


def _constant_json(constant: FittedNumber) -> dict[str, Any]:
    exact = None if constant.exact is None else str(constant.exact)
    return {"value": constant.value, "error": constant.error, "exact": exact}


@dataclass(frozen=True)
class Discovery:
    """All equations found for a target, in the order of its variables."""

    target: str
    names: tuple[str, ...]
    equations: tuple[Equation, ...]
    seed: int
    settings: Settings
    cost: Cost
    elapsed_s: float
    versions: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(
            f"d{each.variable}/dt = {to_text(each.expression)}" for each in self.equations
        )

    def print(self) -> None:
        """Print the equations, one a line."""
        print(self)

    def predict(self, states: ArrayLike) -> FloatArray:
        """Derivatives (..., equations) at states (..., n)."""
        expressions = [each.expression for each in self.equations]
        return compile_field(expressions, self.names)(np.asarray(states, dtype=np.float64))

    def score(self, states: ArrayLike, derivatives: ArrayLike) -> FloatArray:
        """R2 of each equation on states (N, n) and derivatives (N, equations)."""
        truth = np.asarray(derivatives, dtype=np.float64)
        residual = np.sum((truth - self.predict(states)) ** 2, axis=0)
        spread = np.sum((truth - truth.mean(axis=0)) ** 2, axis=0)
        score: FloatArray = 1 - residual / np.where(spread > 0, spread, 1.0)
        return score

    def simulate(self, start: Sequence[float], times: ArrayLike) -> FloatArray:
        """States (len(times), n) of the discovered system from `start` at times[0]."""
        from scipy.integrate import solve_ivp

        if len(self.equations) != len(self.names):
            raise UsageError("only a discovery of all components can be simulated")
        instants = np.asarray(times, dtype=np.float64)
        solution = solve_ivp(
            lambda _, state: self.predict(state), (instants[0], instants[-1]), start,
            t_eval=instants, method="LSODA", rtol=1e-10, atol=1e-12,
        )  # fmt: skip
        states: FloatArray = solution.y.T
        return states

    def to_json(self) -> dict[str, Any]:
        """One object, as `odevsr discover --json` prints it."""
        return {
            "schema": SCHEMA,
            "target": self.target,
            "seed": self.seed,
            "elapsed_s": self.elapsed_s,
            "oracle": vars(self.cost),
            "equations": [each.to_json() for each in self.equations],
            "settings": self.settings.to_json(),
            "versions": self.versions,
        }
