"""Products of powers read off the data: where the logarithm of a law is linear in logarithms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.evidence.agreement import QUANTILE
from odevsr.evidence.controlled import Controlled
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import multiplied, power_of
from odevsr.language.expression import CONSTANT, Apply, Expression, Number, Op, Variable
from odevsr.limits import FEWEST, LIKELY, SAME, VAGUE
from odevsr.search.catalogue import function_of

FACTORS = ("x", "sin(x)", "cos(x)")
"""Functions whose powers are multiplied."""


@np.errstate(all="ignore")  # What has no logarithm is not looked at.
def products(controlled: Controlled) -> list[Expression]:
    """The product of powers of x, sin(x) and cos(x), and an exponential, that all trials follow."""
    trials = controlled.trials
    points, targets = trials.points[:, 0], trials.targets
    blur = np.finfo(float).eps + trials.unit / (trials.weights * np.abs(targets))
    logs = [np.log(np.abs(each)) for each in (points, np.sin(points), np.cos(points))]
    columns = np.stack([*logs, points, np.log(np.abs(targets))], axis=-1)
    if not np.all(np.isfinite(columns[..., :-1])):
        return []
    usable = np.isfinite(columns[..., -1]) & (blur < VAGUE)
    usable &= np.sum(usable, axis=1, keepdims=True) >= FEWEST
    if not usable.any():
        return []
    rows, blur = _centred(columns, 1 / blur, usable), blur[usable]
    for powers in _fewest_first(rows / blur[:, None]):
        left = np.abs(rows[:, -1] - rows[:, :-1] @ powers) / (SAME + LIKELY * blur)
        if np.quantile(left, QUANTILE) < 1:
            return [_proposal(powers, controlled.names[0])]
    return []


def _fewest_first(rows: FloatArray) -> Iterator[FloatArray]:
    """Exponents that come nearest to making up the last column: of one factor, of two, ...

    Of small angles, sines are as good as angles, and cosines as nothing at all.
    """
    factors = rows.shape[1] - 1
    for size in range(1, factors + 1):
        for chosen in map(list, combinations(range(factors), size)):
            powers = np.zeros(factors)
            powers[chosen] = _powers(rows[:, [*chosen, -1]], is_rate=factors - 1 in chosen)
            yield powers


def _centred(columns: FloatArray, weights: FloatArray, usable: BoolArray) -> FloatArray:
    """Columns (K, N, p) of the usable points, less their mean in each trial, in one row."""
    squares = np.where(usable, weights, 0.0)[..., None] ** 2
    columns = np.where(usable[..., None], columns, 0.0)
    mean = np.sum(squares * columns, axis=1, keepdims=True) / np.sum(squares, axis=1, keepdims=True)
    chosen: FloatArray = (columns - mean)[usable]
    return chosen


def _powers(rows: FloatArray, *, is_rate: bool) -> FloatArray:
    """The exponents, of which the last may be a rate; those that are simple, exactly."""
    found = np.linalg.lstsq(rows[:, :-1], rows[:, -1], rcond=1e-10)[0]
    simple = np.round(2 * found) / 2
    is_simple = np.abs(found - simple) < VAGUE
    is_simple[-1] &= not is_rate
    powers = np.where(is_simple, simple, found)
    others = np.flatnonzero(~is_simple)
    if len(others):
        rest = rows[:, -1] - rows[:, :-1][:, is_simple] @ powers[is_simple]
        powers[others] = np.linalg.lstsq(rows[:, others], rest, rcond=1e-10)[0]
    return np.asarray(powers, dtype=np.float64)


def _proposal(powers: FloatArray, variable: str) -> Expression:
    factors: list[Expression] = [CONSTANT]
    *known, rate = powers.tolist()
    for text, power in _without_quotients(dict(zip(FACTORS, known, strict=True))).items():
        if power:
            whole = int(power) if power.is_integer() else power
            factors.append(power_of(function_of(variable, text), whole))
    if rate:
        factors.append(Apply(Op.EXP, (multiplied((Number(rate), Variable(variable))),)))
    return normal_form(multiplied(factors))


def _without_quotients(powers: dict[str, float]) -> dict[str, float]:
    """The powers, those of tan(x) or cot(x) for a quotient of as many sines and cosines."""
    sines = powers["sin(x)"]
    if powers["cos(x)"] != -sines:
        return powers
    return {"x": powers["x"], ("tan(x)" if sines > 0 else "cot(x)"): abs(sines)}
