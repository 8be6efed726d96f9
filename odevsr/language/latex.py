"""Expression to LaTeX, for the mathematics mode of papers and reports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from odevsr.language.algebra.term import multiplied, split_fraction
from odevsr.language.expression import (
    FUNCTIONS,
    Apply,
    Constant,
    Expression,
    Hole,
    Number,
    Op,
    Variable,
)
from odevsr.language.number import Errors, number_latex

NONE: Errors = {}
_SUM, _PRODUCT, _POWER, _ATOM = range(1, 5)
_NAMED = frozenset(FUNCTIONS.values()) - {Op.SQRT, Op.ABS, Op.EXP}
_ARC_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
GREEK = re.compile(
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|"
    "upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega"
)


def to_latex(expression: Expression, errors: Errors = NONE) -> str:
    r"""The expression in LaTeX; open constants are C, holes A.

    Numbers whose errors are given are as long as they are known, with their errors in brackets.

    >>> from odevsr.language.parse import parse
    >>> print(to_latex(parse("x0*(28 - x2)/x1", ["x0", "x1", "x2"])))
    \frac{x_{0} \left(28 - x_{2}\right)}{x_{1}}
    """
    return _written(expression, errors)[0]


def name_latex(name: str) -> str:
    r"""A variable's name: figures and what stands behind an underscore become an index.

    >>> print(name_latex("theta12"), name_latex("k_on"), name_latex("dose"))
    \theta_{12} k_{\mathrm{on}} \mathrm{dose}
    """
    match = re.fullmatch(r"([A-Za-z]+)_?([A-Za-z0-9_]*)", name)
    stem, index = match.groups() if match else (name, "")
    if GREEK.fullmatch(stem):
        stem = rf"\{stem}"
    elif len(stem) > 1:
        stem = rf"\mathrm{{{_escaped(stem)}}}"
    if not index:
        return stem
    return f"{stem}_{{{index}}}" if len(index) == 1 or index.isdigit() else _worded(stem, index)


def _worded(stem: str, index: str) -> str:
    return rf"{stem}_{{\mathrm{{{_escaped(index)}}}}}"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")


def _written(expression: Expression, errors: Errors) -> tuple[str, int]:
    """The text and how tightly its outermost operator binds."""
    match expression:
        case Number(value):
            text = number_latex(value, errors.get(abs(float(value))))
            return text, _SUM if value < 0 else _PRODUCT if "cdot" in text else _ATOM
        case Variable(name):
            return name_latex(name), _ATOM
        case Constant():
            return "C", _ATOM
        case Hole():
            return "A", _ATOM
        case Apply():
            return _operation_written(expression, errors)
    raise AssertionError(expression)


def _operation_written(operation: Apply, errors: Errors) -> tuple[str, int]:
    match operation:
        case Apply(Op.ADD, args):
            return _sum(args, errors), _SUM
        case Apply(Op.SUB, (left, right)):
            return f"{_bracketed(left, _SUM, errors)} - {_bracketed(right, _PRODUCT, errors)}", _SUM
        case Apply(Op.MUL, (Number(-1), argument)) | Apply(Op.NEG, (argument,)):
            return f"- {_bracketed(argument, _PRODUCT, errors)}", _SUM
        case Apply(Op.MUL, (Number(value), *rest)) if value < 0:
            positive = multiplied([*([] if value == -1 else [Number(-value)]), *rest])
            return f"- {_bracketed(positive, _PRODUCT, errors)}", _SUM
        case Apply(Op.MUL, args):
            return _quotient(args, errors)
        case Apply(Op.DIV, (left, right)):
            return rf"\frac{{{to_latex(left, errors)}}}{{{to_latex(right, errors)}}}", _PRODUCT
        case Apply(Op.POW, (_, Number(value))) if value < 0:
            return _quotient((operation,), errors)
        case Apply(Op.POW, (Apply(op, (argument,)), exponent)) if op in _NAMED:
            return _named(
                op, to_latex(argument, errors), f"^{{{to_latex(exponent, errors)}}}"
            ), _POWER
        case Apply(Op.POW, (base, exponent)):
            return f"{_bracketed(base, _ATOM, errors)}^{{{to_latex(exponent, errors)}}}", _POWER
        case Apply(op, (argument,)):
            return _function(op, to_latex(argument, errors))
    raise AssertionError(operation)


def _function(op: Op, argument: str) -> tuple[str, int]:
    match op:
        case Op.SQRT:
            return rf"\sqrt{{{argument}}}", _ATOM
        case Op.ABS:
            return rf"\left|{argument}\right|", _ATOM
        case Op.EXP:
            return f"e^{{{argument}}}", _POWER
    return _named(op, argument), _POWER


def _named(op: Op, argument: str, power: str = "") -> str:
    name = _ARC_NAMES.get(op.value, op.value)
    return rf"\{name}{power}\left({argument}\right)"


def _sum(args: Sequence[Expression], errors: Errors) -> str:
    text = _bracketed(args[0], _SUM, errors)
    for arg in args[1:]:
        term, level = _written(arg, errors)
        if term.startswith("-"):
            text += f" - {term[1:].lstrip()}"
        else:
            text += f" + {term if level >= _PRODUCT else _in_brackets(term)}"
    return text


def _quotient(factors: Sequence[Expression], errors: Errors) -> tuple[str, int]:
    """A product; factors of negative power go below the fraction bar."""
    above, below = split_fraction(factors)
    numerator = _product(above, errors) if above else "1"
    if not below:
        return numerator, _PRODUCT
    return rf"\frac{{{numerator}}}{{{_product(below, errors)}}}", _PRODUCT


def _product(factors: Sequence[Expression], errors: Errors) -> str:
    if len(factors) == 1:
        return to_latex(factors[0], errors)
    texts = [_bracketed(factor, _PRODUCT, errors) for factor in factors]
    product = texts[0]
    for before, text in pairwise(texts):
        product += _joint(before, text) + text
    return product


def _joint(before: str, text: str) -> str:
    """What stands between factors: a number or a fraction straight behind another is misread."""
    if text[0].isdigit() or text.startswith(r"\frac"):
        return r" \cdot "
    words = not before[0].isdigit() and any(each.startswith(r"\mathrm") for each in (before, text))
    return r" \, " if words else " "


def _bracketed(expression: Expression, least: int, errors: Errors) -> str:
    text, level = _written(expression, errors)
    return text if level >= least else _in_brackets(text)


def _in_brackets(text: str) -> str:
    return rf"\left({text}\right)"
