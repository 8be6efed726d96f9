"""A law without one of its open constants, and without what that constant is a factor of."""

from __future__ import annotations

from itertools import count

from odevsr.language.algebra.term import added
from odevsr.language.expression import Apply, Constant, Expression, Op


def without(law: Expression, place: int) -> tuple[Expression | None, list[int]]:
    """The law, and which of its constants are left; None if nothing is.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> law = parse("C*x + C*sin(C*x)", ["x"], open_symbols=True)
    >>> shorter, kept = without(law, 1)
    >>> to_text(shorter), kept
    ('C*x', [0])
    """
    numbers = count()
    return _without(law, place, numbers)


def _without(
    node: Expression, place: int, numbers: count[int]
) -> tuple[Expression | None, list[int]]:
    if isinstance(node, Constant):
        number = next(numbers)
        return (None, []) if number == place else (node, [number])
    if not isinstance(node, Apply):
        return node, []
    parts = [_without(arg, place, numbers) for arg in node.args]
    left = [part for part, _ in parts if part is not None]
    if node.op is Op.ADD and left:
        return added(left), [k for part, kept in parts if part is not None for k in kept]
    if len(left) < len(parts):
        return None, []
    return Apply(node.op, tuple(left)), [k for _, kept in parts for k in kept]
