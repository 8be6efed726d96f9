"""Expressions back to sequences of rules, so that what was found elsewhere can teach a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from odevsr.language.expression import (
    CONSTANT,
    HOLE,
    Apply,
    Expression,
    Number,
    Op,
)
from odevsr.language.grammar import Grammar
from odevsr.language.term import split_power


def rules_of(expression: Expression, grammar: Grammar) -> list[int] | None:
    """The rules that derive a filling of one hole, leftmost first; None where rules are missing.

    Every number becomes an open constant, long sums and products lean to the left, and negative
    powers become divisions.

    >>> from odevsr.language.grammar import make_grammar
    >>> from odevsr.language.parse import parse
    >>> grammar = make_grammar(["x"], operators=["+", "*"])
    >>> rules_of(parse("2*x + C", ["x"], open_symbols=True), grammar)
    [0, 1, 2, 3, 2]
    """
    known = {rule.template: number for number, rule in enumerate(grammar.rules)}
    try:
        return _rules(expression, known)
    except KeyError:
        return None


def _rules(node: Expression, known: Mapping[Expression, int]) -> list[int]:
    if node in known:
        return [known[node]]
    match node:
        case Number():
            return [known[CONSTANT]]
        case Apply(Op.NEG, (argument,)):
            return _rules(Apply(Op.MUL, (CONSTANT, argument)), known)
        case Apply(Op.MUL, args) if any(split_power(arg)[1] < 0 for arg in args):
            return _quotient(args, known)
        case Apply(Op.POW, (base, Number(exponent))) if exponent < 0:
            return _quotient((CONSTANT, node), known)
        case Apply(Op.ADD | Op.MUL, (*first, last)) if len(first) > 1:
            return _rules(Apply(node.op, (Apply(node.op, tuple(first)), last)), known)
        case Apply(Op.POW, (base, Number())):
            template: Expression = Apply(Op.POW, (HOLE, node.args[1]))
            return [known[template], *_rules(base, known)]
        case Apply(op, args):
            template = Apply(op, (HOLE,) * len(args))
            return [known[template], *(rule for arg in args for rule in _rules(arg, known))]
    raise KeyError(node)


def _quotient(factors: Sequence[Expression], known: Mapping[Expression, int]) -> list[int]:
    """Factors of negative power, at least one, go below the fraction bar."""
    above = [factor for factor in factors if split_power(factor)[1] >= 0]
    below = [_inverted(factor) for factor in factors if split_power(factor)[1] < 0]
    parts = (_product(above), _product(below))
    return _rules(Apply(Op.DIV, parts), known)


def _product(factors: Sequence[Expression]) -> Expression:
    if len(factors) < 2:
        return factors[0] if factors else CONSTANT
    return Apply(Op.MUL, tuple(factors))


def _inverted(factor: Expression) -> Expression:
    base, exponent = split_power(factor)
    return base if exponent == -1 else Apply(Op.POW, (base, Number(-exponent)))
