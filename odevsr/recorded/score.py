"""What a law costs before data are seen: twice the logarithm of about how many are as simple."""

from __future__ import annotations

import math
from functools import lru_cache

from odevsr.language.expression import Apply, Constant, Expression, Number, Op, Variable

NEAR = 10.0
"""Scores that are closer than this decide nothing."""
EXPLAINED = 1.3
"""Sum of squares a sample up to which residuals are noise."""
FUNCTION = 5.0
"""For each function that is no product, sum or power,"""
QUOTIENT = 3.0
"""and for each division."""
REMEMBERED = 10_000
"""Parts of laws whose prior is kept: those of one library are made of the same few terms."""


@lru_cache(maxsize=REMEMBERED)
def prior(law: Expression, variables: int) -> float:
    """Added to the sum of squares that a law of so many possible variables leaves.

    Constants are counted apart: each costs the logarithm of the number of samples.

    >>> from odevsr.language.parse import parse
    >>> prior(parse("C*x + C*x^2", ["x"], open_symbols=True), 1)
    3.0
    """
    match law:
        case Number() | Constant():
            return 0.0
        case Variable():
            return 1.0 + 2 * math.log(variables)
        case Apply(Op.POW, (base, Number(exponent))):
            inside = prior(base, variables)
            if exponent != int(exponent):
                return FUNCTION + inside
            repeated = inside * abs(int(exponent)) if isinstance(base, Variable) else inside
            return repeated + (QUOTIENT if exponent < 0 and inside else 0.0)
        case Apply(Op.DIV, args):
            return QUOTIENT + sum(prior(arg, variables) for arg in args)
        case Apply(op, args):
            own = FUNCTION if op.is_function or op is Op.POW else 0.0
            return own + sum(prior(arg, variables) for arg in args)
    return 0.0


def constants_cost(constants: int, samples: int) -> float:
    """What the constants of a law cost."""
    return constants * math.log(max(samples, 2))


def reach(samples: int) -> float:
    """How far behind the best a law is still named.

    One that has two constants more and leaves as little is behind for its length alone.
    """
    return NEAR + constants_cost(2, samples)
