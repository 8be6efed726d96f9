"""What a network sees of a round: K curves of one variable, each as a few numbers near one.

A grammar that starts at C*A + C*x + C leaves lines, scales and signs to the fit, and its rules
carry rates and shifts. So a curve is described without its line, its size and its sign, and its
range by where nought lies.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import legendre

from odevsr.arrays import BoolArray, FloatArray
from odevsr.limits import FINEST

DEGREE = 12
"""Of the polynomial laid through a curve; 24 evenly spread points bear no more."""
GRID = np.linspace(-1.0, 1.0, 16)


@np.errstate(all="ignore")  # What has no ratio or logarithm is bounded below.
def features(points: FloatArray, values: FloatArray, usable: BoolArray) -> FloatArray:
    """Descriptions (..., FEATURES) of curves with points and values (..., N).

    Beside the curve itself on a grid: coefficients of its polynomial beyond the line, and their
    sizes in decades; what that polynomial leaves; its third derivative over its second, which is
    the same all along an exponential and falls with 1/x along a power.
    """
    low, high = points.min(axis=-1, keepdims=True), points.max(axis=-1, keepdims=True)
    places = 2 * (points - low) / (high - low) - 1
    scale = np.max(np.abs(np.where(usable, values, 0.0)), axis=-1, keepdims=True)
    values = np.where(usable, values, 0.0) / np.maximum(scale, np.finfo(float).tiny)
    columns = legendre.legvander(places, DEGREE) * usable[..., None]
    left, right = np.linalg.qr(columns)
    turned = np.swapaxes(left, -1, -2) @ values[..., None]
    coefficients: FloatArray = np.linalg.solve(right + _ridge(right), turned)[..., 0].astype(float)
    bend = coefficients[..., 2:]
    size = np.maximum(np.linalg.norm(bend, axis=-1, keepdims=True), FINEST)
    largest = np.argmax(np.abs(bend), axis=-1, keepdims=True)
    size = np.where(np.take_along_axis(bend, largest, axis=-1) < 0, -size, size)
    rest = values - (columns @ coefficients[..., None])[..., 0]
    straight = coefficients[..., 1:2] * places + coefficients[..., :1]
    shape = _on_grid(places, (values - straight) * usable / size, usable)
    parts = [
        bend / size,
        _decades(bend / size),
        np.tanh(shape),
        _steepness(coefficients),
        _decades(np.std(rest, axis=-1, keepdims=True) / size),
        _decades(coefficients[..., :2] / size / 1e4),
        np.tanh(coefficients[..., :2] / size / 10),
        np.arctan(low / (high - low)),
        np.arctan(high / (high - low)),
    ]
    described: FloatArray = np.nan_to_num(np.concatenate(parts, axis=-1), posinf=1, neginf=-1)
    return described


def _ridge(right: FloatArray) -> FloatArray:
    """Keeps curves with too few points solvable; far below what is looked at otherwise."""
    largest = np.max(np.abs(right), axis=(-1, -2), keepdims=True)
    ridge: FloatArray = 1e-13 * np.maximum(largest, 1.0) * np.eye(right.shape[-1])
    return ridge


def _decades(ratios: FloatArray) -> FloatArray:
    """Sizes between `FINEST` and 1 as 0 to 1."""
    least = np.log10(FINEST)
    decades: FloatArray = np.clip(1 - np.log10(np.abs(ratios) + FINEST) / least, 0, 2)
    return decades


def _steepness(coefficients: FloatArray) -> FloatArray:
    """f'''/f'' on the grid, bounded."""
    over = np.moveaxis(coefficients, -1, 0)
    second, third = (
        legendre.legval(GRID, legendre.legder(over, order), tensor=True) for order in (2, 3)
    )
    return np.arctan(third / second / 4)


def _on_grid(places: FloatArray, values: FloatArray, usable: BoolArray) -> FloatArray:
    flat = [each.reshape(-1, places.shape[-1]) for each in (places, values, usable)]
    rows = []
    for place, value, use in zip(*flat, strict=True):
        order = np.argsort(place[use])
        rows.append(np.interp(GRID, place[use][order], value[use][order]))
    return np.array(rows).reshape(*places.shape[:-1], len(GRID))


FEATURES = len(features(GRID, GRID, np.isfinite(GRID)))
"""Numbers that describe a curve."""
