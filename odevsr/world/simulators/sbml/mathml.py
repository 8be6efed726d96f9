"""MathML to Expression: the formulas of SBML files, as far as our language has words for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from odevsr.errors import ExpressionError
from odevsr.language.expression import (
    ONE,
    ZERO,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    substitute,
)
from odevsr.language.parse import parse_number
from odevsr.world.systems.checks import TIME

DEEPEST_NESTING = 100
AVOGADRO = 602214179 * 10**15
"""As SBML fixes it."""

Arguments = tuple[Expression, ...]
Functions = Mapping[str, Element]
"""Function definitions: the `lambda` of each name."""

_CONSTANTS: dict[str, Expression] = {
    "pi": Number(Fraction(repr(math.pi))),
    "exponentiale": Apply(Op.EXP, (ONE,)),
}
_FUNCTIONS = {
    "exp": Op.EXP,
    "ln": Op.LOG,
    "abs": Op.ABS,
    "sin": Op.SIN,
    "cos": Op.COS,
    "tan": Op.TAN,
    "cot": Op.COT,
    "sinh": Op.SINH,
    "cosh": Op.COSH,
    "tanh": Op.TANH,
    "arcsin": Op.ASIN,
    "arccos": Op.ACOS,
    "arctan": Op.ATAN,
}


def tag(element: Element) -> str:
    """The name of an element, without that of its namespace."""
    return str(element.tag).rpartition("}")[2]


def formula(math_element: Element, functions: Functions | None = None) -> Expression:
    """What a `math` element says; functions that are defined in the file are written out.

    >>> from xml.etree.ElementTree import fromstring
    >>> from odevsr.language.text import to_text
    >>> text = "<math><apply><times/><ci> k </ci><ci> S </ci></apply></math>"
    >>> to_text(formula(fromstring(text)))
    'k*S'
    """
    if len(math_element) != 1:
        raise ExpressionError("there is a formula without content")
    return _convert(math_element[0], functions or {}, 0)


def is_time(element: Element) -> bool:
    """True for the symbol of time."""
    return tag(element) == "csymbol" and _symbol(element) == "time"


def _convert(element: Element, functions: Functions, depth: int) -> Expression:
    if depth > DEEPEST_NESTING:
        raise ExpressionError(f"a formula is nested more than {DEEPEST_NESTING} levels deep")
    match tag(element):
        case "cn":
            return Number(parse_number(_number_text(element)))
        case "ci":
            return Variable(_text(element))
        case "csymbol" if is_time(element):
            return Variable(TIME)
        case "csymbol" if _symbol(element) == "avogadro":
            return Number(AVOGADRO)
        case "apply" if len(element):
            return _applied(element, functions, depth + 1)
        case "semantics" if len(element):
            return _convert(element[0], functions, depth + 1)
        case name if name in _CONSTANTS:
            return _CONSTANTS[name]
        case name:
            raise _lacking(_symbol(element) if name == "csymbol" else name)


def _applied(element: Element, functions: Functions, depth: int) -> Expression:
    head, *rest = element
    qualifiers = {tag(each): each for each in rest if tag(each) in ("degree", "logbase")}
    values = [each for each in rest if tag(each) not in qualifiers]
    args = tuple(_convert(each, functions, depth) for each in values)
    name = tag(head)
    if name == "ci":
        return _called(_text(head), args, functions, depth)
    if name in _FUNCTIONS:
        return Apply(_FUNCTIONS[name], _counted(args, name, 1))
    if name in ("root", "log"):
        given = [_convert(each[0], functions, depth) for each in qualifiers.values() if len(each)]
        (arg,) = _counted(args, name, 1)
        return _root(arg, given) if name == "root" else _logarithm(arg, given)
    if name in _ARITHMETIC:
        return _ARITHMETIC[name](args)
    raise _lacking(_symbol(head) if name == "csymbol" else name)


def _called(name: str, args: Arguments, functions: Functions, depth: int) -> Expression:
    """A function of the file, written out."""
    if name not in functions:
        raise ExpressionError(f"there is no function {name}")
    *bound, body = functions[name]
    names = [_text(each[0]) for each in bound if tag(each) == "bvar" and len(each)]
    _counted(args, name, len(names))
    return substitute(_convert(body, functions, depth + 1), dict(zip(names, args, strict=True)))


def _sum(args: Arguments) -> Expression:
    return Apply(Op.ADD, args) if len(args) > 1 else (*args, ZERO)[0]


def _product(args: Arguments) -> Expression:
    return Apply(Op.MUL, args) if len(args) > 1 else (*args, ONE)[0]


def _difference(args: Arguments) -> Expression:
    if len(args) == 1:
        return Apply(Op.NEG, args)
    return Apply(Op.SUB, _counted(args, "minus", 2))


def _quotient(args: Arguments) -> Expression:
    return Apply(Op.DIV, _counted(args, "divide", 2))


def _power(args: Arguments) -> Expression:
    return Apply(Op.POW, _counted(args, "power", 2))


_ARITHMETIC: dict[str, Callable[[Arguments], Expression]] = {
    "plus": _sum,
    "times": _product,
    "minus": _difference,
    "divide": _quotient,
    "power": _power,
}


def _root(arg: Expression, degree: Sequence[Expression]) -> Expression:
    if not degree or degree[0] == Number(2):
        return Apply(Op.SQRT, (arg,))
    return Apply(Op.POW, (arg, Apply(Op.DIV, (ONE, degree[0]))))


def _logarithm(arg: Expression, base: Sequence[Expression]) -> Expression:
    below = base[0] if base else Number(10)
    return Apply(Op.DIV, (Apply(Op.LOG, (arg,)), Apply(Op.LOG, (below,))))


def _counted(args: Arguments, name: str, count: int) -> Arguments:
    if len(args) != count:
        raise ExpressionError(f"{name} has {len(args)} arguments and takes {count}")
    return args


def _number_text(element: Element) -> str:
    """A number as our parser reads it; mantissa and exponent, or both parts of a fraction."""
    parts = [(element.text or "").strip(), *((each.tail or "").strip() for each in element)]
    match element.get("type", "real"), parts:
        case (("real" | "integer" | "double"), [number]):
            return number
        case "e-notation", [mantissa, exponent]:
            return f"{mantissa}e{exponent}"
        case "rational", [above, below]:
            return f"{above}/{below}"
    raise ExpressionError("there is a number in a form that cannot be read")


def _symbol(element: Element) -> str:
    return element.get("definitionURL", "").rpartition("/")[2]


def _text(element: Element) -> str:
    return (element.text or "").strip()


def _lacking(name: str) -> ExpressionError:
    return ExpressionError(f"{name or 'a symbol'} is not in odevsr's language")
