"""Expression to presentation MathML, which browsers typeset without anybody's help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from unicodedata import lookup

from odevsr.language.algebra.term import multiplied, split_fraction
from odevsr.language.expression import Apply, Constant, Expression, Hole, Number, Op, Real, Variable
from odevsr.language.latex import GREEK
from odevsr.language.number import Errors, known_value, number_text

NONE: Errors = {}
_SUM, _PRODUCT, _POWER, _ATOM = range(1, 5)
_MINUS = "<mo>&#x2212;</mo>"
_Written = tuple[str, int]
"""Markup, and how tightly its outermost operator binds; what begins with a minus is a sum."""


def to_mathml(expression: Expression, errors: Errors = NONE) -> str:
    """What stands inside a <math>; numbers whose errors are given are as long as they are known.

    >>> from odevsr.language.parse import parse
    >>> to_mathml(parse("exp(-x)", ["x"]))
    '<mrow><msup><mi>e</mi><mrow><mo>&#x2212;</mo><mi>x</mi></mrow></msup></mrow>'
    """
    return _row(_written(expression, errors)[0])


def rate_mathml(name: str) -> str:
    """The derivative of a variable by time."""
    above, below = f"<mi>d</mi>{name_mathml(name)}", "<mi>d</mi><mi>t</mi>"
    return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"


def name_mathml(name: str) -> str:
    """A variable's name: figures and what stands behind an underscore become an index.

    >>> name_mathml("theta12"), name_mathml("dose")
    ('<msub><mi>θ</mi><mn>12</mn></msub>', '<mi>dose</mi>')
    """
    match = re.fullmatch(r"([A-Za-z]+)_?([A-Za-z0-9_]*)", name)
    stem, index = match.groups() if match else (name, "")
    written = f"<mi>{escape(_letter(stem) if GREEK.fullmatch(stem) else stem)}</mi>"
    if not index:
        return written
    tag = "mn" if index.isdigit() else "mi"
    return f"<msub>{written}<{tag}>{escape(index)}</{tag}></msub>"


def _letter(name: str) -> str:
    """A Greek letter by its name."""
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    return lookup(f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


def _written(expression: Expression, errors: Errors) -> _Written:
    match expression:
        case Number(value):
            return _number(value, errors)
        case Variable(name):
            return name_mathml(name), _ATOM
        case Constant():
            return "<mi>C</mi>", _ATOM
        case Hole():
            return "<mi>A</mi>", _ATOM
        case Apply():
            return _operation(expression, errors)
    raise AssertionError(expression)


def _operation(operation: Apply, errors: Errors) -> _Written:
    match operation:
        case Apply(Op.ADD, args):
            return _sum(args, errors), _SUM
        case Apply(Op.SUB, (left, right)):
            return _in(left, _SUM, errors) + _MINUS + _in(right, _PRODUCT, errors), _SUM
        case Apply(Op.MUL, (Number(-1), argument)) | Apply(Op.NEG, (argument,)):
            return _MINUS + _in(argument, _PRODUCT, errors), _SUM
        case Apply(Op.MUL, (Number(value), *rest)) if value < 0:
            positive = multiplied([*([] if value == -1 else [Number(-value)]), *rest])
            return _MINUS + _in(positive, _PRODUCT, errors), _SUM
        case Apply(Op.MUL, args):
            return _quotient(args, errors)
        case Apply(Op.DIV, (left, right)):
            return _fraction(to_mathml(left, errors), to_mathml(right, errors))
        case Apply(Op.POW, (_, Number(value))) if value < 0:
            return _quotient((operation,), errors)
        case Apply(Op.POW, (base, exponent)):
            below = _row(_in(base, _ATOM, errors))
            return f"<msup>{below}{to_mathml(exponent, errors)}</msup>", _POWER
        case Apply(op, (argument,)):
            return _function(op, to_mathml(argument, errors))
    raise AssertionError(operation)


def _function(op: Op, argument: str) -> _Written:
    match op:
        case Op.SQRT:
            return f"<msqrt>{argument}</msqrt>", _ATOM
        case Op.ABS:
            return f"<mrow><mo>|</mo>{argument}<mo>|</mo></mrow>", _ATOM
        case Op.EXP:
            return f"<msup><mi>e</mi>{argument}</msup>", _POWER
    return f"<mi>{op.value}</mi><mo>&#x2061;</mo>{_bracketed(argument)}", _POWER


def _number(value: Real, errors: Errors) -> _Written:
    error = errors.get(abs(float(value)))
    text = number_text(value if error is None else known_value(float(value), error))
    sign, text = (_MINUS, text[1:]) if text.startswith("-") else ("", text)
    if "/" in text:
        above, below = text.split("/")
        return sign + _fraction(f"<mn>{above}</mn>", f"<mn>{below}</mn>")[0], _PRODUCT
    mantissa, _, power = text.partition("e")
    if not power:
        return f"{sign}<mn>{text}</mn>", _SUM if sign else _ATOM
    ten = f"<msup><mn>10</mn><mn>{int(power)}</mn></msup>"
    return f"{sign}<mn>{mantissa}</mn><mo>&#xb7;</mo>{ten}", _SUM if sign else _PRODUCT


def _sum(args: Sequence[Expression], errors: Errors) -> str:
    text = _in(args[0], _SUM, errors)
    for arg in args[1:]:
        term, level = _written(arg, errors)
        if term.startswith(_MINUS):
            text += term
        else:
            text += f"<mo>+</mo>{term if level >= _PRODUCT else _bracketed(term)}"
    return text


def _quotient(factors: Sequence[Expression], errors: Errors) -> _Written:
    """A product; factors of negative power go below the fraction bar."""
    above, below = split_fraction(factors)
    numerator = _product(above, errors) if above else "<mn>1</mn>"
    if not below:
        return numerator, _PRODUCT
    return _fraction(_row(numerator), _row(_product(below, errors)))


def _product(factors: Sequence[Expression], errors: Errors) -> str:
    """Factors side by side; a dot where a number, a fraction or a word would be misread."""
    if len(factors) == 1:
        return _written(factors[0], errors)[0]
    first, *others = (_in(factor, _PRODUCT, errors) for factor in factors)
    for before, factor, each in zip(factors, factors[1:], others, strict=False):
        words = not isinstance(before, Number) and (_is_word(before) or _is_word(factor))
        dotted = words or each.startswith(("<mn>", "<mfrac>", "<msup><mn>"))
        first += f"<mo>{'&#xb7;' if dotted else '&#x2062;'}</mo>{each}"
    return first


def _is_word(factor: Expression) -> bool:
    """Whether a factor is a variable with a name of several letters, or a power of one."""
    match factor:
        case Variable(name) | Apply(Op.POW, (Variable(name), _)):
            return re.match(r"(<msub>)?<mi>\w{2,}</mi>", name_mathml(name)) is not None
    return False


def _fraction(above: str, below: str) -> _Written:
    return f"<mfrac>{above}{below}</mfrac>", _PRODUCT


def _in(expression: Expression, least: int, errors: Errors) -> str:
    text, level = _written(expression, errors)
    return text if level >= least else _bracketed(text)


def _bracketed(text: str) -> str:
    return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>"


def _row(text: str) -> str:
    """The markup as one element."""
    return text if re.fullmatch(r"<(m[in])>[^<]*</\1>", text) else f"<mrow>{text}</mrow>"
