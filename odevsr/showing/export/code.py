"""Expressions as code of another language, brackets only where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from odevsr.errors import ExpressionError
from odevsr.language.algebra.term import multiplied, split_fraction
from odevsr.language.expression import ONE, Apply, Expression, Number, Op, Real, Variable
from odevsr.language.number import number_text

_SUM, _SIGN, _PRODUCT, _POWER, _ATOM = range(1, 6)
_WHOLE_IN_A_FLOAT = 2**53
"""Up to here a whole number is a float without rounding."""


def float_code(value: Real) -> str:
    """A number in floats to the last digit; a fraction that no float is becomes a quotient.

    >>> float_code(28), float_code(Fraction(1, 10)), float_code(Fraction(8, 3))
    ('28.0', '0.1', '8.0/3.0')
    """
    if isinstance(value, Fraction) and "/" in number_text(value):
        above, below = value.as_integer_ratio()
        if max(abs(above), below) <= _WHOLE_IN_A_FLOAT:
            return f"{above}.0/{below}.0"
    return repr(float(value))


@dataclass(frozen=True)
class Language:
    """How another language writes what ours says."""

    comment: str
    """What begins a comment, up to the end of its line."""
    reserved: frozenset[str]
    """Names that no variable may have."""
    power: str
    """Base and exponent as places 0 and 1 of a template."""
    time: str = "t"
    function: str = "{0}({1})"
    """Name and argument of a function as places 0 and 1 of a template."""
    functions: Mapping[Op, str] = field(default_factory=dict)
    """Names of functions that are called otherwise than ours."""
    number: Callable[[Real], str] = float_code
    exponent: Callable[[Real], str] = float_code


def code(expression: Expression, language: Language, names: Mapping[str, str]) -> str:
    """The expression in another language, its variables by the names they have there."""
    return _Writer(language, names).written(expression)[0]


@dataclass(frozen=True)
class _Writer:
    language: Language
    names: Mapping[str, str]

    def written(self, expression: Expression) -> tuple[str, int]:
        """The text and how tightly its outermost operator binds."""
        match expression:
            case Number(value):
                return _leveled(self.language.number(value))
            case Variable(name):
                return self.names[name], _ATOM
            case Apply(Op.ADD, args):
                return self._sum(args), _SUM
            case Apply(Op.SUB, (left, right)):
                return f"{self._in(left, _SUM)} - {self._in(right, _PRODUCT)}", _SUM
            case Apply(Op.NEG, (argument,)):
                return f"-{self._in(argument, _PRODUCT)}", _SIGN
            case Apply(Op.MUL, (Number(-1), *rest)):
                return f"-{self._in(multiplied(rest), _PRODUCT)}", _SIGN
            case Apply(Op.MUL, args):
                return self._quotient(*split_fraction(args))
            case Apply(Op.DIV, (left, right)):
                return self._quotient([left], [right])
            case Apply(Op.POW, (_, Number(value))) if value < 0:
                return self._quotient(*split_fraction([expression]))
            case Apply(Op.POW, (base, exponent)):
                return self._power(base, exponent)
            case Apply(op, (argument,)):
                return self._function(op, argument)
        raise ExpressionError("a law with open constants is no code; fit its constants first")

    def _in(self, expression: Expression, least: int) -> str:
        text, level = self.written(expression)
        return text if level >= least else f"({text})"

    def _sum(self, args: Sequence[Expression]) -> str:
        text = self._in(args[0], _SUM)
        for arg in args[1:]:
            term, level = self.written(arg)
            negative = level == _SIGN
            text += f" - {term[1:]}" if negative else f" + {self._in(arg, _PRODUCT)}"
        return text

    def _quotient(
        self, above: Sequence[Expression], below: Sequence[Expression]
    ) -> tuple[str, int]:
        """Factors above and below the fraction bar; the sign of the first is that of all."""
        first = self._in(above[0] if above else ONE, _SIGN)
        text = "*".join([first, *(self._in(factor, _POWER) for factor in above[1:])])
        text = "/".join([text, *(self._in(factor, _POWER) for factor in below)])
        return text, _SIGN if text.startswith("-") else _PRODUCT

    def _power(self, base: Expression, exponent: Expression) -> tuple[str, int]:
        if "(" in self.language.power:
            text = self.language.power.format(self.written(base)[0], self._exponent(exponent)[0])
            return text, _ATOM
        above, level = self._exponent(exponent)
        above = above if level == _ATOM else f"({above})"
        return self.language.power.format(self._in(base, _ATOM), above), _POWER

    def _exponent(self, exponent: Expression) -> tuple[str, int]:
        if isinstance(exponent, Number):
            return _leveled(self.language.exponent(exponent.value))
        return self.written(exponent)

    def _function(self, op: Op, argument: Expression) -> tuple[str, int]:
        if op is Op.COT:
            return f"{self.language.number(1)}/{self._function(Op.TAN, argument)[0]}", _PRODUCT
        name = self.language.functions.get(op, op.value)
        return self.language.function.format(name, self.written(argument)[0]), _ATOM


def whole_or_float(value: Real) -> str:
    """An exponent: whole ones as such, which is exact and fast in most languages."""
    whole = float(value).is_integer() and abs(float(value)) < _WHOLE_IN_A_FLOAT
    return str(int(value)) if whole else float_code(value)


def _leveled(text: str) -> tuple[str, int]:
    """A number's text with how tightly it binds."""
    if text.startswith("-"):
        return text, _SIGN
    return text, _PRODUCT if "/" in text else _ATOM
