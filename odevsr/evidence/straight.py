"""Parts that do less than they could: sin(x*y) where x*y is always small, what does not vary."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from odevsr.evidence.data import Data
from odevsr.language.algebra.normal import normal_form
from odevsr.language.expression import Apply, Expression, Number, Op, variables, walk
from odevsr.language.tidying.identities import changed
from odevsr.limits import FINEST


def linearised(expression: Expression, data: Data) -> Iterator[Expression]:
    """The expression with one of its functions, each in turn, as the line nearest to it."""
    functions = [
        node
        for node in walk(expression)
        if isinstance(node, Apply) and node.op.is_function and variables(node)
    ]
    for node in dict.fromkeys(functions):
        (argument,) = node.args
        values, places = data.values([node, argument]).T
        away = places - np.mean(places)
        if np.all(np.isfinite(values)) and away @ away > 0:
            slope = float(away @ values / (away @ away))
            height = float(np.mean(values) - slope * np.mean(places))
            line = Apply(Op.ADD, (Number(height), Apply(Op.MUL, (Number(slope), argument))))
            yield normal_form(_with(expression, node, line))


def with_constant_parts(expression: Expression, data: Data) -> Expression:
    """The expression with a number for each part that has variables, but one and the same value."""
    parts = [each for each in walk(expression) if isinstance(each, Apply) and variables(each)]
    with np.errstate(all="ignore"):
        values = data.values(parts)
    for part, column in zip(parts, values.T, strict=True):
        mean = float(np.mean(column))
        if np.all(np.abs(column - mean) <= FINEST * abs(mean)):
            expression = _with(expression, part, Number(mean))
    return normal_form(expression)


def _with(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with a part of it replaced wherever it stands."""
    return changed(expression, lambda part: new if part == old else part)
