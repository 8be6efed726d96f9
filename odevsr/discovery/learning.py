"""What one equation teaches the others: its sub-expressions, as rules for their searches."""

from __future__ import annotations

from collections.abc import Sequence

from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import multiplied
from odevsr.language.expression import Apply, Expression, Number, Op, variables, walk

_ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.NEG, Op.MUL})


def learnt_rules(equations: Sequence[Expression]) -> tuple[Expression, ...]:
    """Parts of the equations in one variable that are more than polynomials, each once.

    Numbers keep the values they were found with.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> law = parse("2*x*y/(y**4 + 3) - x", ["x", "y"])
    >>> [to_text(rule) for rule in learnt_rules([law])]
    ['y/(y**4 + 3)', '1/(y**4 + 3)']
    """
    parts = [part for law in equations for node in walk(normal_form(law)) for part in _parts(node)]
    rules = [normal_form(part) for part in parts if not _is_polynomial(part)]
    return tuple(dict.fromkeys(rules))


def _parts(node: Expression) -> list[Expression]:
    """The node if it has one variable; of a product, the factors of each variable together."""
    names = sorted(variables(node))
    match node:
        case Apply(Op.MUL, factors):
            chosen = [[each for each in factors if variables(each) == {name}] for name in names]
            return [multiplied(group) for group in chosen if group]
        case Apply():
            return [node] if len(names) == 1 else []
    return []


def _is_polynomial(expression: Expression) -> bool:
    match expression:
        case Apply(Op.POW, (base, Number(value))):
            return isinstance(value, int) and value >= 0 and _is_polynomial(base)
        case Apply(op, args):
            return op in _ARITHMETIC and all(map(_is_polynomial, args))
    return True
