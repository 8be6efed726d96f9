"""How an equation was found, as values: what was screened, freed and held, and what came of it.

Forms and laws are texts of our language; their open constants are numbered, C1, C2 and so on. A
target is the equation itself, `x`, or a constant of a form of it, counted from 0: `x.1` is C2 of
the form `within`, and `x.1.0` is the first one, K1, of a form of that constant.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from odevsr.arrays import FloatArray
from odevsr.evidence.controlled import NOTHING_HELD, Setting
from odevsr.language.expression import Constant, Expression, Variable, rebuild
from odevsr.language.number import known_value
from odevsr.language.text import to_text
from odevsr.limits import Limits
from odevsr.vertical.asking.separate import classify


@dataclass(frozen=True)
class Place:
    """Where in a search something happened."""

    target: str
    attempt: int = 0
    """Attempts before it at the same equation."""
    within: str = ""
    """The form that the target is a constant of; empty for the equation itself."""
    called: str = ""
    """What the target is called in that form."""
    stands_for: tuple[tuple[str, str], ...] = ()
    """Variables that stand for others here, as x for "x - y"."""


@dataclass(frozen=True)
class Screening:
    """Which variables move a target: by how many errors each does when it alone is moved."""

    place: Place
    effects: dict[str, float]
    noticeable: float
    """Effects from here on count."""

    @property
    def relevant(self) -> tuple[str, ...]:
        """Variables that matter."""
        return tuple(name for name, effect in self.effects.items() if effect > self.noticeable)


class WayToLaw(Enum):
    """How the law of a target was found; records hold the value."""

    RECORDINGS = "recordings"
    FIRST_LOOK = "first look"
    CONSTANT = "constant"
    ALONE = "alone"
    TOGETHER = "together"
    FILLED = "filled"
    PEELED = "peeled"
    COORDINATES = "coordinates"
    OUTER = "outer"


class ConstantKind(Enum):
    """Whether a constant differs between trials."""

    SUMMARY = "summary"
    """It does, and is an expression in what was held."""
    STANDALONE = "standalone"


@dataclass(frozen=True)
class TrialConstant:
    """An open constant of a form: its value and error in each trial."""

    name: str
    values: tuple[float, ...]
    errors: tuple[float, ...]
    kind: ConstantKind

    @property
    def is_summary(self) -> bool:
        """True if it differs between trials."""
        return self.kind is ConstantKind.SUMMARY


@dataclass(frozen=True)
class Curve:
    """What was seen in a trial: the values of a quantity over those of the free variable."""

    over: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Round:
    """One search: what was freed for which quantity, who proposed what, and how well it fits."""

    target: str
    variable: str
    trials: int
    points: int
    proposer: str | None
    """None if nobody's form explains the trials."""
    form: str
    deviation: float
    candidates: int
    free: tuple[str, ...] = ()
    """All variables that were free; `variable` is the one that joined last."""
    place: Place = Place("")
    setting: Setting = NOTHING_HELD
    constants: tuple[TrialConstant, ...] = ()
    """The open constants of the form, in the order in which they stand in it."""
    numbered: str = ""
    """The form with its open constants as C1, C2 and so on."""
    limit: float = math.inf
    """The greatest deviation that counts as explained."""
    seen: tuple[Curve, ...] = ()
    """A curve a trial where the quantity is made of what was measured, as a constant of a form or
    a logarithm is: the file of measurements does not hold it."""


@dataclass(frozen=True)
class Conclusion:
    """The law of a target, and the strategy that led from the forms of single variables to it."""

    place: Place
    strategy: WayToLaw
    variables: tuple[str, ...]
    """Those that the strategy is about."""
    form: str
    """Whose constants became quantities of their own; empty if there is none."""
    law: str


@dataclass(frozen=True, eq=False)
class Journal:
    """The story as it is written down while a search goes on."""

    rounds: list[Round] = field(default_factory=list)
    screenings: list[Screening] = field(default_factory=list)
    conclusions: list[Conclusion] = field(default_factory=list)

    def relevant(self, names: Sequence[str]) -> list[str]:
        """Variables that were seen to move the equation itself; all, if none was looked at."""
        looks = [each for each in self.screenings if not each.place.within]
        seen = {name for each in looks for name in each.relevant}
        return [name for name in names if name in seen or not looks]


_ITS = "its "


def function_of_it(function: str) -> str:
    """What stands for a quantity that is seen through a function of this name."""
    return f"{_ITS}{function}"


def function_named_in(meaning: str) -> str | None:
    """The name of the function through which a quantity is seen; None if it is seen as it is.

    >>> function_named_in(function_of_it("logarithm")), function_named_in("x - y")
    ('logarithm', None)
    """
    return meaning.removeprefix(_ITS) if meaning.startswith(_ITS) else None


def constant_names(number: int, names: Sequence[str], depth: int = 0) -> list[str]:
    """What the open constants of a form are called: no variable is, nor are those around it.

    >>> constant_names(2, ["x"]), constant_names(1, ["x", "K2"], depth=1)
    (['C1', 'C2'], ['Q1'])
    """
    taken = {name[0] for name in names if re.fullmatch(r"[A-Z]\d+", name)}
    letters = [each for each in "CKQRUVWYZ" if each not in taken]
    letter = letters[depth] if depth < len(letters) else f"C{depth}_"
    return [f"{letter}{place}" for place in range(1, 1 + number)]


def numbered(form: Expression, called: Sequence[str]) -> str:
    """The form as text, its open constants by what they are called."""
    return to_text(rebuild(form, iter([Variable(each) for each in called]), Constant))


def curves(over: FloatArray, values: FloatArray) -> tuple[Curve, ...]:
    """Rows (K, N) of values over those of a variable, with the digits that can be drawn.

    >>> import numpy as np
    >>> curves(np.array([[1.0, 2.0]]), np.array([[1 / 3, 2 / 3]]))
    (Curve(over=(1.0, 2.0), values=(0.333333, 0.666667)),)
    """

    def drawn(row: FloatArray) -> tuple[float, ...]:
        return tuple(known_value(value, math.inf) for value in row.tolist())

    return tuple(Curve(drawn(x), drawn(y)) for x, y in zip(over, values, strict=True))


def trial_constants(
    called: Sequence[str], constants: FloatArray, errors: FloatArray, limits: Limits
) -> tuple[TrialConstant, ...]:
    """Constants (K, m) of a form over K trials, and which of them differ."""
    kinds = classify(constants, errors, limits)
    columns = zip(called, constants.T.tolist(), errors.T.tolist(), kinds, strict=True)
    return tuple(
        TrialConstant(
            name,
            tuple(values),
            tuple(bars),
            ConstantKind.SUMMARY if kind.is_summary else ConstantKind.STANDALONE,
        )
        for name, values, bars, kind in columns
    )
