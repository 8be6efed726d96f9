"""Values of expressions to many digits, by a second evaluator that shares no code."""

from fractions import Fraction

import mpmath
from hypothesis import assume

from odevsr.language.expression import Apply, Expression, Number, Op, Variable

DIGITS = 60
_FUNCTIONS = {
    Op.SIN: mpmath.sin,
    Op.COS: mpmath.cos,
    Op.TAN: mpmath.tan,
    Op.COT: mpmath.cot,
    Op.SINH: mpmath.sinh,
    Op.COSH: mpmath.cosh,
    Op.TANH: mpmath.tanh,
    Op.ASIN: mpmath.asin,
    Op.ACOS: mpmath.acos,
    Op.ATAN: mpmath.atan,
    Op.EXP: mpmath.exp,
    Op.LOG: mpmath.log,
    Op.SQRT: mpmath.sqrt,
    Op.ABS: abs,
    Op.NEG: lambda argument: -argument,
    Op.SUB: lambda left, right: left - right,
    Op.DIV: lambda left, right: left / right,
    Op.POW: lambda base, exponent: base**exponent,
}


def precise_value(expression: Expression, state: dict[str, Fraction]) -> mpmath.mpf:
    """The real value; an example outside an operator's domain, or near its edge, is passed over."""
    with mpmath.workdps(DIGITS):
        try:
            value = _value(expression, state)
        except ZeroDivisionError:
            value = mpmath.nan
    assume(isinstance(value, mpmath.mpf) and mpmath.isfinite(value))
    return value


def _value(expression, state):
    match expression:
        case Number(value):
            exact = Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
            return mpmath.mpf(exact.numerator) / exact.denominator
        case Variable(name):
            return mpmath.mpf(state[name].numerator) / state[name].denominator
        case Apply(op, args):
            values = [_checked(_value(arg, state)) for arg in args]
            if op is Op.ADD:
                return mpmath.fsum(values)
            if op is Op.MUL:
                return mpmath.fprod(values)
            return _FUNCTIONS[op](*values)
    raise AssertionError(expression)


def _checked(value):
    """Numbers of ordinary size only: sin(1e50) has no digits left to compare."""
    assume(isinstance(value, mpmath.mpf) and (value == 0 or 1e-9 < abs(value) < 1e9))
    return value
