"""Products of powers read off the data: where the logarithm of a law is linear in logarithms."""

from __future__ import annotations

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.evidence.controlled import Controlled
from odevsr.language.expression import CONSTANT, Expression, Number, Variable, substitute
from odevsr.language.normal import normal_form
from odevsr.language.parse import parse
from odevsr.language.term import multiplied, power_of

FACTORS = ("x", "sin(x)", "cos(x)")
"""Functions whose powers are multiplied."""
EXACT = 1e-6
"""What is left of the logarithm of a product of powers, in units of one."""
WHOLE = 1e-4
"""An exponent so near to a simple number is that number; half of them are left to the fit."""


@np.errstate(all="ignore")  # What has no logarithm is not looked at.
def products(controlled: Controlled) -> list[Expression]:
    """The product of powers of x, sin(x) and cos(x), and an exponential, that all trials follow."""
    trials = controlled.trials
    points, targets = trials.points[:, 0], trials.targets
    usable = np.isfinite(np.log(np.abs(targets))) & (trials.weights > 0)
    logs = [np.log(np.abs(each)) for each in (points, np.sin(points), np.cos(points))]
    columns = np.stack([*logs, points], axis=-1)
    if not np.all(np.isfinite(columns)):
        return []
    rows, values = _centred(columns, usable), _centred(np.log(np.abs(targets))[..., None], usable)
    powers = np.asarray(np.linalg.lstsq(rows, values[:, 0], rcond=1e-10)[0], dtype=np.float64)
    left = np.quantile(np.abs(values[:, 0] - rows @ powers), 0.9)
    return [_proposal(powers, controlled.names[0])] if left < EXACT else []


def _centred(columns: FloatArray, usable: BoolArray) -> FloatArray:
    """Columns (K, N, p) of the usable points, less their mean in each trial, in one row."""
    weights = usable[..., None]
    columns = np.where(weights, columns, 0.0)
    mean = np.sum(columns, axis=1, keepdims=True) / np.sum(weights, axis=1, keepdims=True)
    chosen: FloatArray = (columns - mean)[usable]
    return chosen


def _proposal(powers: FloatArray, variable: str) -> Expression:
    here = {"x": Variable(variable)}
    factors: list[Expression] = [CONSTANT]
    for text, power in zip(FACTORS, powers.tolist(), strict=False):
        simple = round(2 * power) / 2
        exponent = simple if abs(power - simple) < WHOLE else power
        if exponent:
            whole = int(exponent) if float(exponent).is_integer() else exponent
            factors.append(power_of(substitute(parse(text, ["x"]), here), whole))
    if abs(powers[-1]) > WHOLE:
        rate = multiplied((Number(float(powers[-1])), Variable(variable)))
        factors.append(substitute(parse("exp(x)", ["x"]), {"x": rate}))
    return normal_form(multiplied(factors))
