"""A law as it was found, of a derivative or what else was measured: status, constants, cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from odevsr.evidence.law import FittedNumber, errors_of
from odevsr.kind import Kind
from odevsr.language.expression import Expression, variables
from odevsr.language.latex import name_latex, to_latex
from odevsr.language.number import Errors, number_text, rounded
from odevsr.language.size import size
from odevsr.language.sympy_form import to_sympy
from odevsr.language.text import to_text
from odevsr.plain import finite, to_plain
from odevsr.status import SpokenStatus
from odevsr.vertical.asking.story import Conclusion, Round, Screening
from odevsr.vertical.judging.rivals import Alternative
from odevsr.world.experiments.oracle import Cost

if TYPE_CHECKING:
    from sympy import Expr


class Status(SpokenStatus):
    """How sure we are of a law; `sentence` says it to people."""

    IDENTIFIED = (
        "identified",
        "agrees with fresh experiments to their error, also outside the ranges",
    )
    UNDECIDED = "undecided", "explains all measurements, but so may other laws"
    APPROXIMATE = "approximate", "close inside the ranges, but not the law"
    NOT_IDENTIFIED = "not identified", "no law was found; the best approximation is shown"


@dataclass(frozen=True)
class LeftOutTerm:
    """A term that a law has not, and the largest coefficient it could have without being seen."""

    term: Expression
    most: float


@dataclass(frozen=True)
class Equation:
    """The law of one variable, how well it holds, and what it took.

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
    """How often it was searched: after the first with what other equations had taught."""
    found_in: int = 1
    """The pass that the law and its rounds are of, with measurements in a file of its own."""
    out_of_time: bool = False
    """True if the seconds allowed ended the search; a resumed run searches again."""
    screenings: tuple[Screening, ...] = ()
    """Which variables were seen to matter, to the derivative and to constants of its forms."""
    conclusions: tuple[Conclusion, ...] = ()
    """Which strategies led to laws, of the derivative and of constants of its forms."""
    kind: Kind = Kind.ODE
    """What the law is of: the variable's derivative, its value or its next state."""
    left_out: tuple[LeftOutTerm, ...] = ()
    """Terms of low order that a law from recordings has not."""

    def __str__(self) -> str:
        law = f"{self.left} = {to_text(rounded(self.expression, self.errors))}"
        if self.status is Status.IDENTIFIED:
            return law
        return f"{law}    ({self.status.value}: {self.status.sentence})"

    def __repr__(self) -> str:
        law = to_text(rounded(self.expression, self.errors))
        return f"<Equation {self.left} = {law}: {self.status.value}>"

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"

    @property
    def left(self) -> str:
        """The left-hand side: dx/dt, y or x[k+1]."""
        return self.kind.left(self.variable)

    @property
    def is_constant(self) -> bool:
        """True for a quantity that does not vary: R2 and NMSE have no meaning then."""
        return self.status is Status.IDENTIFIED and not variables(self.expression)

    @property
    def errors(self) -> Errors:
        """Errors of the numbers that are not exact, by their sizes."""
        return errors_of(self.constants)

    @property
    def proposers(self) -> tuple[str, ...]:
        """Who proposed the forms of the rounds, in alphabetical order."""
        return tuple(sorted({each.proposer for each in self.rounds if each.proposer}))

    def doubted(self, sentence: str) -> Equation:
        """The same with one more doubt, which leaves open whether it is the law."""
        status = Status.UNDECIDED if self.status is Status.IDENTIFIED else self.status
        return replace(self, status=status, note="; ".join(filter(None, (self.note, sentence))))

    def latex(self) -> str:
        r"""The equation in LaTeX, for the mathematics mode; with \approx unless identified."""
        left = self.kind.left_latex(name_latex(self.variable))
        return f"{left} {relation(self)} {to_latex(self.expression, self.errors)}"

    def sympy(self) -> Expr:
        """The right-hand side as sympy has it, over real symbols named as the variables."""
        return to_sympy(self.expression)

    def to_json(self) -> dict[str, Any]:
        """Plain values; `exact` is filled in by who knows the truth."""
        return {
            "variable": self.variable,
            "measured": self.kind.value,
            "expression": to_text(self.expression),
            "status": self.status.value,
            "r2": None if self.is_constant else finite(self.r2),
            "nmse": None if self.is_constant else finite(self.nmse),
            "deviation": finite(self.deviation),
            "exact": None,
            "constants": [_constant_json(constant) for constant in self.constants],
            "proposers": list(self.proposers),
            "rounds": to_plain(self.rounds),
            "screenings": to_plain(self.screenings),
            "conclusions": to_plain(self.conclusions),
            "oracle": to_plain(self.cost),
            "candidates": self.candidates,
            "elapsed_s": self.elapsed_s,
            "note": self.note,
            "alternatives": [_alternative_json(each) for each in self.alternatives],
            "left_out": [
                {"term": to_text(each.term), "most": finite(each.most)} for each in self.left_out
            ],
            "passes": self.passes,
            "found_in": self.found_in,
            "out_of_time": self.out_of_time,
        }


def relation(equation: Equation) -> str:
    """The sign between both sides in LaTeX."""
    return "=" if equation.status is Status.IDENTIFIED else r"\approx"


def _alternative_json(alternative: Alternative) -> dict[str, Any]:
    return {
        "expression": to_text(alternative.expression),
        "complexity": size(alternative.expression),
        "deviation": finite(alternative.deviation),
        "experiment": to_plain(alternative.experiment),
        "refuted": alternative.is_refuted,
    }


def _constant_json(constant: FittedNumber) -> dict[str, Any]:
    exact = None if constant.exact is None else number_text(constant.exact)
    return {
        "value": finite(constant.value),
        "error": finite(constant.error),
        "exact": exact,
        "certain": constant.certain,
    }
