"""What a verdict is: methods side by side, each with its laws and how these do."""

from __future__ import annotations

from dataclasses import dataclass

from odevsr.language.expression import Expression
from odevsr.verdict.prediction import Exponent
from odevsr.verdict.scores import FormScores
from odevsr.vertical.refine import FittedNumber

OURS, ON_TRAJECTORIES, ON_MEASUREMENTS, IMPLICIT = "odevsr", "SINDy (a)", "SINDy (b)", "SINDy-PI"


@dataclass(frozen=True)
class Judgement:
    """One method's law of one variable, on states that no method has seen."""

    variable: str
    expression: Expression
    constants: tuple[FittedNumber, ...]
    nmse: float
    form: FormScores
    origin: str
    """Status of our own law; library and threshold of SINDy's."""

    @property
    def r2(self) -> float:
        """The coefficient of determination."""
        return 1.0 - self.nmse


@dataclass(frozen=True)
class Method:
    """All laws of one method, what it was given, and how long their motion follows the system's."""

    name: str
    judgements: tuple[Judgement, ...]
    states: int
    elapsed_s: float
    valid_time: float | None

    @property
    def exact(self) -> int:
        """How many laws are the truth."""
        return sum(each.form.exact for each in self.judgements)


@dataclass(frozen=True)
class Verdict:
    """Methods side by side; `duration` is how long the trajectories that they follow are."""

    target: str
    truth: tuple[tuple[str, Expression], ...]
    methods: tuple[Method, ...]
    duration: float
    exponent: Exponent | None
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """True if every law of the discovery is the truth."""
        ours = self.method(OURS)
        return ours.exact == len(ours.judgements)

    def method(self, name: str) -> Method:
        """The method of that name."""
        return next(each for each in self.methods if each.name == name)
