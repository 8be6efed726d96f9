"""How a number is said, in text, LaTeX and tables: with as many digits as its error justifies.

An exact number is said whole. Of an inexact one the last digit stands where the error has its
second: 1.006 if the error is 0.036, which is 1.006(36) in LaTeX.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from odevsr.language.expression import Apply, Expression, Number, Op, Real, Variable, rebuild, walk

DIGITS = 6
"""Digits of a number of whose error nothing is known."""
OF_ERROR = 2
"""Digits of an error."""
MOST_DIGITS = 17
PLAIN = range(-4, 6)
"""Powers of ten of the first digit up to which a number in LaTeX is written without one."""

Errors = Mapping[float, float]
"""Errors of the inexact numbers of a law, by their sizes without sign."""


def number_text(value: Real) -> str:
    """An exact number as short as it can be said, a float in full precision."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        as_float = float(value)
        exact = Fraction(repr(as_float)) == value
        return repr(as_float) if exact else f"{value.numerator}/{value.denominator}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def known_value(value: float, error: float) -> float:
    """The number rounded to what its error leaves of it.

    >>> known_value(1.0063682, 0.036), known_value(2.718281828459045, math.inf)
    (1.006, 2.71828)
    """
    if not value or not math.isfinite(value):
        return value
    return round(value, -_last(value, error))


def _last(value: float, error: float) -> int:
    """The power of ten of the last digit worth saying; two digits always are."""
    first = _magnitude(value)
    if not (math.isfinite(error) and error > 0):
        return first - DIGITS + 1
    last = _magnitude(float(f"{error:.{OF_ERROR - 1}e}")) - OF_ERROR + 1
    return max(min(last, first - OF_ERROR + 1), first - MOST_DIGITS + 1)


def _magnitude(value: float) -> int:
    """The power of ten of the first digit."""
    return int(f"{value:e}".partition("e")[2])


def rounded(law: Expression, errors: Errors | None = None) -> Expression:
    """The law with its inexact numbers as long as they are known; programs get all digits.

    Those of which no error is known are taken to be known as well as the best.

    >>> rounded(Number(-9.997994897182133), {9.997994897182133: 0.016})
    Number(value=-9.998)
    """
    known = errors or {}
    best = min((error / size for size, error in known.items() if size), default=math.inf)
    short = [_rounded(node, known, best) for node in walk(law) if isinstance(node, Number)]
    return rebuild(law, iter(short), Number)


def _rounded(number: Number, errors: Errors, best: float) -> Number:
    value = float(number.value)
    if abs(value) in errors:
        return Number(known_value(value, errors[abs(value)]))
    if isinstance(number.value, float):
        return Number(known_value(value, best * abs(value)))
    return number


def numbers_of(law: Expression) -> list[Real]:
    """The numbers of a law that another law of its kind would have others for, each once.

    Signs, ones and whole exponents belong to the form; numbers inside functions are numbers.

    >>> from odevsr.language.parse import parse
    >>> numbers_of(parse("2*x**2 - 3*sin(5*x) + 3*y", ["x", "y"]))
    [2, 3, 5]
    """
    found = dict.fromkeys(_numbers(law))
    return [value for value in found if value not in (0, 1)]


def _numbers(law: Expression) -> list[Real]:
    match law:
        case Number(value):
            return [-value if value < 0 else value]
        case Apply(Op.POW, (base, Number(int()))):
            return _numbers(base)
        case Apply(_, args):
            return [value for arg in args for value in _numbers(arg)]
    return []


def labelled(law: Expression, labels: Mapping[Real, str]) -> Expression:
    """The law with variables for those of its numbers that have labels, signs kept."""
    match law:
        case Number(value) if value in labels:
            return Variable(labels[value])
        case Number(value) if -value in labels:
            return Apply(Op.MUL, (Number(-1), Variable(labels[-value])))
        case Apply(Op.POW, (base, Number(int()) as power)):
            return Apply(Op.POW, (labelled(base, labels), power))
        case Apply(op, args):
            return Apply(op, tuple(labelled(arg, labels) for arg in args))
    return law


def number_latex(value: Real, error: float | None = None) -> str:
    r"""A number in LaTeX; with an error, as long as it is known, and its error in brackets.

    >>> print(number_latex(1.0063682, 0.036), number_latex(1.5e-07), number_latex(Fraction(8, 3)))
    1.006(36) 1.5 \cdot 10^{-7} \frac{8}{3}
    """
    if error is not None and math.isfinite(error) and error > 0:
        return _with_error(float(value), error)
    text = number_text(value if error is None else known_value(float(value), math.inf))
    if "/" in text:
        above, below = text.lstrip("-").split("/")
        return rf"{'-' * text.startswith('-')}\frac{{{above}}}{{{below}}}"
    mantissa, _, exponent = text.partition("e")
    zeros = len(mantissa) - len(mantissa.rstrip("0"))
    if mantissa.lstrip("-").isdigit() and zeros > PLAIN[-1]:
        return _times_ten(mantissa[:-zeros], zeros)
    return _times_ten(mantissa, int(exponent or 0))


def _with_error(value: float, error: float) -> str:
    last = _last(value, error)
    short = round(value, -last)
    power = _magnitude(short) if short else 0
    of_error = round(error / 10.0**last)
    in_brackets = f"({of_error})" if of_error and error < abs(value) else ""
    if power in PLAIN and last <= 0:
        return f"{short:.{-last}f}{in_brackets}"
    mantissa = f"{short:.{max(power - last, 0)}e}".partition("e")[0]
    return _times_ten(f"{mantissa}{in_brackets}", power)


def _times_ten(mantissa: str, power: int) -> str:
    """A number times a power of ten, which stands alone where the number is one."""
    if not power:
        return mantissa
    ten = f"10^{{{power}}}"
    return {"1": ten, "-1": f"-{ten}"}.get(mantissa, rf"{mantissa} \cdot {ten}")
