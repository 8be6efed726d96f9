"""The grammar: a start expression with holes, and rules that each fill the leftmost hole.

Because the leftmost hole is always filled first, a sequence of rules is the preorder of what it
derives; with several holes in the start expression it is their preorders, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import BoolArray, IntArray
from odevsr.errors import UsageError
from odevsr.language.expression import (
    CONSTANT,
    HOLE,
    TRIGONOMETRIC,
    Apply,
    Expression,
    Hole,
    Number,
    Op,
    Variable,
    count,
)
from odevsr.language.text import to_text
from odevsr.settings import DEFAULT_OPERATORS

POWERS = (2, 3, 4)
_GROWTH = frozenset({Op.EXP, Op.LOG, Op.SINH, Op.COSH, Op.TANH})


@dataclass(frozen=True)
class Rule:
    """A -> template; the template's holes are filled by the rules that follow."""

    template: Expression

    @property
    def arity(self) -> int:
        """How many holes the rule opens."""
        return count(self.template, Hole)

    @property
    def op(self) -> Op | None:
        """The operator at the template's top, None for variables and constants."""
        return self.template.op if isinstance(self.template, Apply) else None

    def __str__(self) -> str:
        return f"A -> {to_text(self.template)}"


@dataclass(frozen=True)
class Grammar:
    """A start expression, its rules, and the limits that every derivation keeps.

    Rules stand in this order: operators, templates, the open constant, variables, learnt
    sub-expressions.
    """

    start: Expression
    rules: tuple[Rule, ...]
    longest: int
    """Most rules a derivation may apply."""
    nested_functions: bool = False
    """Whether a sine may stand inside a cosine, or an exponential inside a logarithm."""
    is_weighted: bool = False
    """Whether what fills a hole of the start has a coefficient for each term, and an offset."""

    @cached_property
    def holes(self) -> int:
        """Holes of the start expression."""
        return count(self.start, Hole)

    @cached_property
    def arities(self) -> IntArray:
        """Holes opened by each rule."""
        return np.array([rule.arity for rule in self.rules])

    @cached_property
    def is_constant(self) -> BoolArray:
        """Which rule is A -> const."""
        return np.array([rule.template == CONSTANT for rule in self.rules])

    @cached_property
    def families(self) -> IntArray:
        """1 for trigonometric rules, 2 for exponential ones, 0 for the others."""
        return np.array([_family(rule.op) for rule in self.rules])


def make_grammar(
    variables: Sequence[str],
    *,
    operators: Sequence[str] = DEFAULT_OPERATORS,
    start: Expression = HOLE,
    templates: Sequence[Expression] = (),
    learnt: Sequence[Expression] = (),
    longest: int = 20,
    nested_functions: bool = False,
    is_weighted: bool = False,
) -> Grammar:
    """The grammar over the given operators and variables; limits as in `Grammar`.

    `templates` are further rules with holes; `learnt` are expressions without any.

    >>> grammar = make_grammar(["x0"], operators=["+", "^", "sin"])
    >>> [to_text(rule.template) for rule in grammar.rules]
    ['A + A', 'A**2', 'A**3', 'A**4', 'sin(A)', 'C', 'x0']
    """
    if not operators and not templates:
        raise UsageError("no operators are named; name some, such as + * sin")
    plain = [template for name in operators for template in _templates(name)]
    leaves = [CONSTANT, *(Variable(name) for name in variables), *learnt]
    rules = tuple(Rule(template) for template in [*plain, *templates, *leaves])
    if count(start, Hole) > longest:
        raise UsageError(
            f"the start expression has {count(start, Hole)} holes but a derivation at most "
            f"{longest} rules; allow longer ones"
        )
    return Grammar(start, rules, longest, nested_functions, is_weighted)


def _templates(name: str) -> list[Expression]:
    if name in ("^", "**"):
        return [Apply(Op.POW, (HOLE, Number(power))) for power in POWERS]
    try:
        op = Op(name)
    except ValueError:
        known = ", ".join("^" if op is Op.POW else op.value for op in Op)
        raise UsageError(f"unknown operator {name!r}; known ones: {known}") from None
    return [Apply(op, (HOLE,) * op.arity)]


def _family(op: Op | None) -> int:
    if op in TRIGONOMETRIC:
        return 1
    return 2 if op in _GROWTH else 0
