"""The one tree that system files, grammar, candidates, templates and results are written in.

Sums and products may have any number of arguments (at least two); every other operator has a fixed
number. Each `Constant` is an unknown of its own: the k-th one met in preorder is constant number k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

Real = int | float | Fraction


class Op(Enum):
    """Operators and functions; the value is how each is written."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    POW = "**"
    NEG = "neg"
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    COT = "cot"
    SINH = "sinh"
    COSH = "cosh"
    TANH = "tanh"
    ASIN = "asin"
    ACOS = "acos"
    ATAN = "atan"
    EXP = "exp"
    LOG = "log"
    SQRT = "sqrt"
    ABS = "abs"

    @property
    def arity(self) -> int:
        """Number of arguments in a grammar rule (a sum or product in a tree may hold more)."""
        return 2 if self in _BINARY else 1

    @property
    def is_function(self) -> bool:
        """True for what is written with parentheses: sin(x), not -x."""
        return self.value.isalpha() and self is not Op.NEG


_BINARY = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.POW})
FUNCTIONS = {op.value: op for op in Op if op.is_function}
TRIGONOMETRIC = frozenset({Op.SIN, Op.COS, Op.TAN, Op.COT})


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A known value: exact (int, Fraction) when typed by people, float when fitted.

    An exact number never equals a fitted one: what is remembered of the one is not of the other.
    """

    value: Real

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Number):
            return False
        same = self.value is other.value or self.value == other.value  # nan is only itself
        return same and isinstance(self.value, float) is isinstance(other.value, float)

    def __hash__(self) -> int:
        return hash((self.value, isinstance(self.value, float)))


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable or parameter, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """An open constant, to be fitted."""


@dataclass(frozen=True, slots=True)
class Hole:
    """The grammar's nonterminal (the paper's A): a place for a sub-expression."""


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator applied to its arguments; keeps its hash, for trees serve as keys everywhere."""

    op: Op
    args: tuple[Expression, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((id(self.op), self.args)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Apply], tuple[Op, tuple[Expression, ...]]]:
        return Apply, (self.op, self.args)  # a hash is good for one process only


Expression = Number | Variable | Constant | Hole | Apply

CONSTANT = Constant()
HOLE = Hole()
ZERO = Number(0)
ONE = Number(1)


def walk(expression: Expression) -> Iterator[Expression]:
    """All nodes in preorder.

    >>> [type(node).__name__ for node in walk(Apply(Op.SIN, (Variable("x0"),)))]
    ['Apply', 'Variable']
    """
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Apply):
            stack.extend(reversed(node.args))


def variables(expression: Expression) -> frozenset[str]:
    """Names of the variables that occur."""
    return frozenset(node.name for node in walk(expression) if isinstance(node, Variable))


def count(expression: Expression, kind: type[Constant] | type[Hole]) -> int:
    """How many open constants, or holes, there are."""
    return sum(isinstance(node, kind) for node in walk(expression))


def complexity(expression: Expression) -> int:
    """Leaves and operator applications of a form, n - 1 of an n-ary sum; see `size` for readers."""
    return sum(
        max(len(node.args) - 1, 1) if isinstance(node, Apply) else 1 for node in walk(expression)
    )


def rebuild(expression: Expression, leaves: Iterator[Expression], kind: type) -> Expression:
    """The same tree with every leaf of `kind` replaced, in preorder, by the next of `leaves`."""
    if isinstance(expression, kind):
        return next(leaves)
    if isinstance(expression, Apply):
        return Apply(expression.op, tuple(rebuild(arg, leaves, kind) for arg in expression.args))
    return expression


def _plain(value: Real) -> Real:
    """A float of numpy is a float that prints differently; keep Python's own."""
    return float(value) if isinstance(value, float) else value


def with_constants(expression: Expression, values: Sequence[Real]) -> Expression:
    """Each open constant replaced by its value, in preorder."""
    return rebuild(expression, iter([Number(_plain(value)) for value in values]), Constant)


def substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """Variables replaced by expressions, for the names given."""
    if isinstance(expression, Variable):
        return values.get(expression.name, expression)
    if isinstance(expression, Apply):
        return Apply(expression.op, tuple(substitute(arg, values) for arg in expression.args))
    return expression
