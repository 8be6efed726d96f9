"""How long a law is as it is written: leaves and operations, with every number counted once.

Both sides of a comparison are read from their text. A number counts one whatever its digits; what
numbers make together counts one too, as anybody would write it (2*100*x is 200*x, 0.5 + 0.8 is
1.3), for a law cannot know of which parameters its numbers are made. Signs count nothing: a
difference is as long as a sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from odevsr.language.expression import (
    ONE,
    Apply,
    Expression,
    Number,
    Op,
    complexity,
    variables,
)
from odevsr.language.parse import parse
from odevsr.language.text import to_text

_NUMBER = Number(2)
"""Stands for any number: which one does not matter."""
_UNITS = (ONE, Number(-1))


def written_size(law: Expression) -> int:
    """Leaves and operations of a law's text.

    >>> written_size(parse("-(9.81/2)*sin(x)", ["x"])), written_size(parse("-sin(x)", ["x"]))
    (4, 2)
    """
    return complexity(_folded(parse(to_text(law), variables(law))))


def _folded(law: Expression) -> Expression:
    """The tree without signs, numbers that stand together made one."""
    if not variables(law):
        return _NUMBER
    match law:
        case Apply(Op.NEG, (argument,)):
            return _folded(argument)
        case Apply(Op.ADD | Op.SUB, args):
            return _joined(Op.ADD, _gathered([_folded(arg) for arg in args], Op.ADD))
        case Apply(Op.MUL | Op.DIV):
            return _product(law)
        case Apply(op, args):
            return Apply(op, tuple(_folded(arg) for arg in args))
    return law


def _product(law: Expression) -> Expression:
    """Factors above and below the fraction bar; each but the first costs an operation."""
    above, below = _fraction(law)
    counted = [each for each in above if each not in _UNITS] or above[:1]
    factors = [_folded(each) for each in (*counted, *below)]
    return _joined(Op.MUL, _gathered(factors, Op.MUL))


def _fraction(law: Expression) -> tuple[list[Expression], list[Expression]]:
    """What stands above and what below the bar, however products and quotients are nested."""
    match law:
        case Apply(Op.NEG, (argument,)):
            return _fraction(argument)
        case Apply(Op.MUL, args):
            pairs = [_fraction(arg) for arg in args]
            return [f for up, _ in pairs for f in up], [f for _, down in pairs for f in down]
        case Apply(Op.DIV, (left, right)):
            (up, down), (more_down, more_up) = _fraction(left), _fraction(right)
            return [*up, *more_up], [*down, *more_down]
    return [law], []


def _gathered(parts: Iterable[Expression], op: Op) -> list[Expression]:
    """The parts of a sum or product, flat, with at most one number among them."""
    flat = [
        piece
        for part in parts
        for piece in (part.args if isinstance(part, Apply) and part.op is op else (part,))
    ]
    numbers = [piece for piece in flat if isinstance(piece, Number)]
    return numbers[:1] + [piece for piece in flat if not isinstance(piece, Number)]


def _joined(op: Op, parts: Sequence[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else Apply(op, tuple(parts))
