"""What a verdict is: methods side by side, each with its laws and how these do."""

from __future__ import annotations

from dataclasses import dataclass, field

from odevsr.evidence.law import FittedNumber
from odevsr.language.expression import Expression
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.verdict.prediction import Exponent, Followed, median_time
from odevsr.verdict.scores import FormScores, r2_text
from odevsr.verdict.spent import Spent
from odevsr.vertical.equation import Status

OURS, ON_TRAJECTORIES, ON_MEASUREMENTS, IMPLICIT = "odevsr", "SINDy (a)", "SINDy (b)", "SINDy-PI"
LONGEST_LAW = 100


@dataclass(frozen=True)
class Judgement:
    """One method's law of one variable, on states that no method has seen."""

    variable: str
    expression: Expression
    constants: tuple[FittedNumber, ...]
    nmse: float
    form: FormScores
    status: Status | None = None
    """That of our own law."""
    library: str = ""
    """That of SINDy's law, with its threshold."""

    @property
    def origin(self) -> str:
        """Status of our own law; library and threshold of SINDy's."""
        return self.library if self.status is None else self.status.value

    @property
    def r2(self) -> float:
        """The coefficient of determination."""
        return 1.0 - self.nmse

    def __str__(self) -> str:
        law, form = to_text(rounded(self.expression)), self.form
        shown = law if len(law) <= LONGEST_LAW else f"{law[:LONGEST_LAW]}..."
        sure = "" if form.exact is None else "exact, " if form.exact else "not exact, "
        size = f"{form.terms} term{'' if form.terms == 1 else 's'}"
        return f"{shown}    ({sure}R2 {r2_text(self.nmse)}, {size}, {self.origin})"


@dataclass(frozen=True)
class Method:
    """All laws of one method, what it was given, and how their motion follows the system's.

    `followed` holds each held-out trajectory; nothing where some component has no law.
    """

    name: str
    judgements: tuple[Judgement, ...]
    states: int
    elapsed_s: float
    followed: tuple[Followed, ...] = ()

    @property
    def valid_time(self) -> float | None:
        """The median time for which the laws follow the trajectories."""
        return median_time([each.time for each in self.followed])

    @property
    def given_up(self) -> tuple[Followed, ...]:
        """Where following the laws was given up before they were lost."""
        return tuple(each for each in self.followed if each.is_given_up)

    def __str__(self) -> str:
        known = "" if self.exact is None else f"{self.exact} of {len(self.judgements)} exact, "
        followed = "" if self.valid_time is None else f"follows for {self.valid_time:.4g}, "
        if self.given_up:
            followed += f"given up on {len(self.given_up)} of {len(self.followed)} trajectories, "
        return f"{known}{followed}{self.states:,} states, {self.elapsed_s:.1f} s"

    @property
    def exact(self) -> int | None:
        """How many laws are the truth; None where that is not known."""
        verdicts = [each.form.exact for each in self.judgements]
        return None if None in verdicts else sum(map(bool, verdicts))


@dataclass(frozen=True)
class Verdict:
    """Methods side by side; `duration` is how long the trajectories that they follow are.

    The truth of a variable is None where nobody knows it.
    """

    target: str
    truth: tuple[tuple[str, Expression | None], ...]
    methods: tuple[Method, ...]
    duration: float
    exponent: Exponent | None
    seed: int
    notes: tuple[str, ...] = ()
    cpu_s: Spent = field(default_factory=Spent)

    @property
    def holds(self) -> bool:
        """True if every law of the discovery is the truth or, if nobody knows it, identified."""
        ours = self.method(OURS)
        if ours.exact is None:
            return all(each.status is Status.IDENTIFIED for each in ours.judgements)
        return ours.exact == len(ours.judgements)

    def __str__(self) -> str:
        lines = []
        for index, (name, truth) in enumerate(self.truth):
            lines.append(f"d{name}/dt" + (f" = {to_text(truth)}" if truth is not None else ""))
            lines += [f"    {each.name}: {each.judgements[index]}" for each in self.methods]
        return "\n".join([*lines, *(f"{each.name}: {each}" for each in self.methods)])

    def print(self) -> None:
        """Print every equation with each method's law of it, then the methods as a whole."""
        print(self)

    def method(self, name: str) -> Method:
        """The method of that name."""
        return next(each for each in self.methods if each.name == name)
