"""Error bars without a model of the noise: constants fitted to data drawn with replacement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.evidence.data import Data
from odevsr.evidence.law import FittedNumber, fit
from odevsr.language.expression import Apply, Expression, Number, Op
from odevsr.world.sample import Sample


def bootstrap_constants(
    law: Expression, names: Sequence[str], data: Sample, count: int, rng: np.random.Generator
) -> tuple[FittedNumber, ...]:
    """Every written constant but exponents, with the standard deviation of its resampled values.

    Values are fitted to all data; the measurements are drawn anew `count` times.
    """
    opened = with_open_numbers(law)
    whole = fit(opened, Data(names, data))
    draws = []
    for _ in range(count):
        rows = rng.integers(len(data.values), size=len(data.values))
        sample = Sample(data.states[rows], data.values[rows], data.errors[rows])
        draws.append([each.value for each in fit(whole.expression, Data(names, sample)).constants])
    spread = np.std(np.array(draws), axis=0, ddof=1)
    pairs = zip(whole.constants, spread.tolist(), strict=True)
    return tuple(FittedNumber(constant.value, error) for constant, error in pairs)


def with_open_numbers(law: Expression) -> Expression:
    """The law with every number but exponents as a float, which is what a fit may change.

    >>> from odevsr.language.parse import parse
    >>> with_open_numbers(parse("3*x**2", ["x"])).args[0]
    Number(value=3.0)
    """
    match law:
        case Number(value):
            return Number(float(value))
        case Apply(Op.POW, (base, Number() as exponent)):
            return Apply(Op.POW, (with_open_numbers(base), exponent))
        case Apply(op, args):
            return Apply(op, tuple(with_open_numbers(arg) for arg in args))
    return law
