"""How alike two laws of one variable are that were found, as far as their constants are known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from odevsr.evidence.law import FittedNumber
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Expression, Number, Real, Variable, rebuild, walk
from odevsr.status import SpokenStatus
from odevsr.verdict.equivalence import TOLERANCE, is_equivalent, opened
from odevsr.verdict.meeting import Movable, meet
from odevsr.vertical.equation import Equation
from odevsr.world.box import Box

ERRORS = 3.0
"""Constants of the same law may be so many of their errors apart; those of a law that is known are
so many from 0."""
MOST_MOVED = 0.9
"""Share of itself by which a constant may be moved at most: no term goes."""
FARTHEST = 1e3
"""How many times itself a constant may be moved, however large its error, where forms are one."""
ROUNDING = 1e-9
"""Share of a number by which another writing of a law may change it."""


class Likeness(SpokenStatus):
    """What is known of two laws; `sentence` says it to people."""

    SAME = "same", "same"
    NEAR = "same to 0.1 %", "same to 0.1 %"
    DIFFERENT = "constants differ", "same form, other constants"
    UNKNOWN = "constants not known", "same form, constants not known well enough"
    OTHER = "other form", "other form"


@dataclass(frozen=True)
class Compared:
    """How alike laws are, and how many of their errors those constants are apart that are most."""

    likeness: Likeness
    apart: float | None = None

    @property
    def same(self) -> bool | None:
        """Whether they are one law; None where that cannot be told."""
        if self.likeness is Likeness.UNKNOWN:
            return None
        return self.likeness in (Likeness.SAME, Likeness.NEAR)

    def __str__(self) -> str:
        """For people.

        >>> print(Compared(Likeness.SAME, 1.234), Compared(Likeness.OTHER), sep="; ")
        same, constants within 1.2 errors; other form
        """
        said = self.likeness.sentence
        if not self.apart or not math.isfinite(self.apart) or self.same is None:
            return said
        if self.likeness is Likeness.SAME:
            return f"{said}, constants within {self.apart:.2g} errors"
        return f"{said}, up to {self.apart:.3g} errors apart"


def compared(first: Equation, second: Equation, names: Sequence[str], box: Box) -> Compared:
    """What is known of two laws; `box` holds the ranges of the variables."""
    laws = [normal_form(each.expression) for each in (first, second)]
    forms, numbers = zip(*map(_numbers_out, laws), strict=True)
    if forms[0] != forms[1]:
        return _as_functions(first, second, names, box)
    known = [_with_errors(*each) for each in zip(numbers, (first, second), strict=True)]
    pairs = list(zip(*known, strict=True))
    apart = max((_apart(*pair) for pair in pairs), default=0.0)
    if apart > ERRORS:
        is_near = all(math.isclose(*_values(pair), rel_tol=TOLERANCE) for pair in pairs)
        return Compared(Likeness.NEAR if is_near else Likeness.DIFFERENT, apart)
    are_constants = all(map(_are_constants, numbers, (first, second)))
    if not are_constants and not _meet(first, second, names, box):
        return Compared(Likeness.DIFFERENT)
    is_known = all(_is_known(each) for pair in pairs for each in pair)
    return Compared(Likeness.SAME if is_known else Likeness.UNKNOWN, apart)


def _as_functions(first: Equation, second: Equation, names: Sequence[str], box: Box) -> Compared:
    """Laws that are written otherwise may be the same function."""
    share = max(_worst(first.constants), _worst(second.constants))
    tolerance = min(max(TOLERANCE, ERRORS * share), MOST_MOVED)
    if not is_equivalent(second.expression, first.expression, names, box, tolerance):
        return Compared(Likeness.OTHER)
    if tolerance > TOLERANCE and not _meet(first, second, names, box):
        return Compared(Likeness.DIFFERENT)
    return Compared(Likeness.SAME if ERRORS * share <= 1 else Likeness.UNKNOWN)


def _meet(first: Equation, second: Equation, names: Sequence[str], box: Box) -> bool:
    """Whether laws of one form are one function, with each constant moved by its own error.

    They are taken as they are written, for so their numbers are the constants that were fitted.
    """
    laws, movable = [], []
    for law, label in ((first, "first"), (second, "second")):
        form, numbers = _numbers_out(law.expression, label)
        known = enumerate(_with_errors(numbers, law), start=1)
        laws.append(form)
        movable += [Movable(f"{label} {k}", each.value, _reach(each)) for k, each in known]
    return meet(laws, movable, names, box)


def _reach(number: FittedNumber) -> float:
    """How far it may be moved; a whole number that was not fitted is what it is."""
    if number.value.is_integer() and not number.error:
        return 0.0
    least, most = TOLERANCE * abs(number.value), FARTHEST * abs(number.value)
    return min(max(ERRORS * number.error, least), most)


def _numbers_out(law: Expression, label: str = "number") -> tuple[Expression, list[float]]:
    """The form of a law, and the numbers that were in it, in order."""
    numbers: list[float] = []

    def numbered(value: Real) -> Expression:
        numbers.append(float(value))
        return Variable(f"{label} {len(numbers)}")

    return opened(_with_floats(law), numbered), numbers


def _with_floats(law: Expression) -> Expression:
    """The law as if it had never been written to a file, which makes all its numbers exact."""
    values = [node.value for node in walk(law) if isinstance(node, Number)]
    new = [Number(float(each) if isinstance(each, Fraction) else each) for each in values]
    return rebuild(law, iter(new), Number)


def _with_errors(numbers: Iterable[float], equation: Equation) -> list[FittedNumber]:
    """Numbers with the errors of the constants they are; of others the worst share, if not whole.

    Another writing makes products of constants.
    """
    worst = _worst(equation.constants)
    return [FittedNumber(each, _error(each, equation.constants, worst)) for each in numbers]


def _are_constants(numbers: Iterable[float], equation: Equation) -> bool:
    """Whether the error of each number is known, as none is a product of constants."""
    return all(
        each.is_integer() or any(_is_it(each, constant) for constant in equation.constants)
        for each in numbers
    )


def _error(number: float, constants: Iterable[FittedNumber], worst: float) -> float:
    own = [each.error for each in constants if _is_it(number, each)]
    return max(own, default=0.0 if number.is_integer() else worst * abs(number))


def _is_it(number: float, constant: FittedNumber) -> bool:
    value = constant.value if constant.exact is None else float(constant.exact)
    return math.isclose(abs(number), abs(value), rel_tol=ROUNDING)


def _worst(constants: Iterable[FittedNumber]) -> float:
    """The largest error of a constant that is no simple number, as a share of it."""
    own = [each for each in constants if each.exact is None and each.value]
    return max((each.error / abs(each.value) for each in own), default=0.0)


def _apart(first: FittedNumber, second: FittedNumber) -> float:
    """By how many errors two numbers differ."""
    off, error = abs(first.value - second.value), math.hypot(first.error, second.error)
    if not off:
        return 0.0
    return off / error if error else math.inf


def _values(pair: tuple[FittedNumber, FittedNumber]) -> tuple[float, float]:
    return pair[0].value, pair[1].value


def _is_known(number: FittedNumber) -> bool:
    """Whether it is told from 0."""
    return ERRORS * number.error <= abs(number.value)
