"""Random expressions for property tests, and their values to many digits by mpmath."""

from fractions import Fraction

import mpmath
from hypothesis import strategies as st

from odevsr.language.expression import CONSTANT, Apply, Number, Op, Variable

NAMES = ("x0", "x1")
UNARY = tuple(op for op in Op if op.arity == 1)
NUMBERS = tuple(Number(value) for value in (-2, -1, 0, 1, 2, 3, Fraction(1, 3), 0.7))


def expressions(*, constants=False, leaves=8, functions=UNARY, numbers=NUMBERS):
    """Trees over two variables, a few numbers and, if wanted, open constants."""
    choices = [*(Variable(name) for name in NAMES), *numbers, *([CONSTANT] * 4 * constants)]

    def grown(inner):
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Apply, st.sampled_from([Op.ADD, Op.MUL]), several),
            st.builds(Apply, st.sampled_from([Op.SUB, Op.DIV]), st.tuples(inner, inner)),
            st.builds(_power, inner, st.integers(-3, 4)),
            st.builds(Apply, st.sampled_from(functions), st.tuples(inner)),
        )

    return st.recursive(st.sampled_from(choices), grown, max_leaves=leaves)


def _power(base, exponent):
    return Apply(Op.POW, (base, Number(exponent)))


def exact_value(expression, values, largest=1e300):
    """The real value to 40 digits at the given values of the variables.

    None where there is none, or where a part of it exceeds `largest`.
    """
    with mpmath.workdps(40):
        try:
            return _value(expression, values, largest)
        except (ZeroDivisionError, ValueError, OverflowError):
            return None


def _value(expression, values, largest):
    match expression:
        case Number(value):
            numerator, denominator = value.as_integer_ratio()
            return mpmath.mpf(numerator) / denominator
        case Variable(name):
            return mpmath.mpf(values[name])
    args = [_value(arg, values, largest) for arg in expression.args]
    result = _applied(expression.op, args)
    if not isinstance(result, mpmath.mpf) or not abs(result) < largest:
        raise ValueError(f"no real value, or too large a one: {result}")
    return result


def _applied(op, args):
    match op:
        case Op.ADD:
            return mpmath.fsum(args)
        case Op.MUL:
            return mpmath.fprod(args)
        case Op.SUB:
            return args[0] - args[1]
        case Op.DIV:
            return args[0] / args[1]
        case Op.POW:
            return args[0] ** args[1]
        case Op.NEG:
            return -args[0]
        case Op.ABS:
            return abs(args[0])
    return getattr(mpmath, op.value)(args[0])
