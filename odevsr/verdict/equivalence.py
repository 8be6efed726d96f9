"""Is a law the truth? Decided on the form, never on a score.

Two laws are equivalent if the constants of the one can be moved, none by more than 0.1 %, so that
both are the same function. Equal normal forms say so at once. Otherwise the constants of the found
law are taken as unknowns and solved for, and the two functions are compared at random states, first
in the ranges enlarged a little, then ever farther out: what only fits inside the ranges (a Taylor
polynomial, a Pade approximant) is far off there, while two writings of one function still agree to
rounding. Where constants may move by more than 0.1 %, as under noise, they are first brought as
near as they can be inside the ranges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import is_invalid, normal_form
from odevsr.language.algebra.term import added, split_coefficient, terms
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import Apply, Constant, Expression, Number, Op, Real, Variable
from odevsr.world.box import Box

TOLERANCE = 1e-3
"""How much a constant may differ, relatively, unless said otherwise."""
AGREEMENT = 1e-7
"""Largest difference of equal functions, relative to the sum of their terms' sizes."""
ENLARGEMENTS = (1.5, 3.0, 10.0, 100.0, 1000.0)
"""Widths of the compared boxes, relative to the ranges."""
FAR = 10.0
"""From here on rounding may spoil a tenth of the states."""
STATES = 160
HOPELESS = 0.3
"""A typical difference that no constants moved a little would make up for."""
STEPS = 3
SMALL = 1e-100
"""States where terms are smaller, or larger than its inverse, tell of underflow and overflow."""
HALF = 0.5
"""Share of the truth's domain, just around the ranges, that the found law must have a value in."""


def is_equivalent(
    found: Expression,
    truth: Expression,
    names: Sequence[str],
    box: Box,
    tolerance: float = TOLERANCE,
) -> bool:
    """True if the found law is the truth, with constants right to 0.1 %; `box` holds the ranges.

    With another `tolerance`, constants may be off by so much, relatively.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.world.box import plain_box
    >>> box = plain_box([[-1.0, 1.0]])
    >>> is_equivalent(parse("2.0004*x*(x + 1)", ["x"]), parse("2*x + 2*x**2", ["x"]), ["x"], box)
    True
    >>> is_equivalent(parse("x - x**3/6 + x**5/120", ["x"]), parse("sin(x)", ["x"]), ["x"], box)
    False
    """
    true_form = _normal(truth)
    if same_form(_normal(found), true_form, tolerance):
        return True
    return any(
        _same_function(form, true_form, names, box, tolerance)
        for form in _readings(found, tolerance)
    )


def _normal(expression: Expression) -> Expression:
    normal = normal_form(expression)
    return expression if is_invalid(normal) else normal


def same_form(found: Expression, truth: Expression, tolerance: float = TOLERANCE) -> bool:
    """True for equal trees, but for numbers that differ by 0.1 % at most."""
    match found, truth:
        case Number(first), Number(second):
            return _close(first, second, tolerance)
        case Apply(op, args), Apply(other, others) if op is other and len(args) == len(others):
            return all(same_form(*pair, tolerance) for pair in zip(args, others, strict=True))
    return found == truth


def _close(first: Real, second: Real, tolerance: float) -> bool:
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    return abs(float(first) - float(second)) <= tolerance * abs(float(second))


# Readings of one law, whose constants differ: (x/k)**4 holds k, its normal form k**4


def _readings(found: Expression, tolerance: float) -> Iterable[Expression]:
    """The normal form, the law as it was written, and both with fitted exponents made whole.

    A base of any sign can be raised to 2, not to 1.9999999.
    """
    readings = [_normal(found), found]
    rounded = [_with_rounded_exponents(reading, tolerance) for reading in readings]
    return dict.fromkeys([*readings, *rounded])


def _with_rounded_exponents(expression: Expression, tolerance: float) -> Expression:
    match expression:
        case Apply(Op.POW, (base, Number(float() as value))) if _close(
            value, round(value), tolerance
        ):
            return Apply(Op.POW, (_with_rounded_exponents(base, tolerance), Number(round(value))))
        case Apply(op, args):
            return Apply(op, tuple(_with_rounded_exponents(arg, tolerance) for arg in args))
    return expression


# The found law with its constants as unknowns


@dataclass(frozen=True, eq=False)
class _Family:
    """A law as a function of states (N, n) and the relative changes (p,) of its constants."""

    changes: int
    value: Callable[[FloatArray, FloatArray], FloatArray]


def _family(found: Expression, names: Sequence[str]) -> _Family:
    constants: list[float] = []

    def unknown(value: Real) -> Expression:
        constants.append(float(value))
        return Variable(f"constant {len(constants) - 1}")

    whole = opened(found, unknown)
    labels = [f"constant {index}" for index in range(len(constants))]
    field = compile_field([whole], [*names, *labels])
    known = np.array(constants)

    def value(states: FloatArray, changes: FloatArray) -> FloatArray:
        rows = np.broadcast_to(known * (1 + changes), (len(states), len(known)))
        result: FloatArray = field(np.concatenate([states, rows], axis=1))[:, 0]
        return result

    return _Family(len(constants), value)


def opened(expression: Expression, unknown: Callable[[Real], Expression]) -> Expression:
    """Every constant, also a coefficient of 1 that is not written, replaced by an unknown."""
    pieces = []
    for term in terms(expression):
        coefficient, rest = split_coefficient(term)
        assert not isinstance(coefficient, Constant)
        pieces.append(Apply(Op.MUL, (unknown(coefficient), _opened_inside(rest, unknown))))
    return added(pieces)


def _opened_inside(expression: Expression, unknown: Callable[[Real], Expression]) -> Expression:
    match expression:
        case Number(float() as value):
            return unknown(value)
        case Apply(Op.MUL, args):
            return Apply(Op.MUL, tuple(_opened_inside(arg, unknown) for arg in args))
        case Apply(Op.POW, (base, exponent)):
            bottom = base if isinstance(base, Variable) else opened(base, unknown)
            return Apply(Op.POW, (bottom, _opened_inside(exponent, unknown)))
        case Apply(op, args):
            return Apply(op, tuple(opened(arg, unknown) for arg in args))
    return expression


# The comparison


@dataclass(frozen=True, eq=False)
class _Sample:
    """States (N, n), the truth's values (N,), and the summed sizes (N,) of both laws' terms."""

    states: FloatArray
    values: FloatArray
    size: FloatArray


def _same_function(
    found: Expression,
    truth: Expression,
    names: Sequence[str],
    box: Box,
    tolerance: float,
) -> bool:
    family = _family(found, names)
    fields = compile_field(terms(found), names), compile_field(terms(truth), names)
    changes = np.zeros(family.changes)
    rng = np.random.default_rng(0)
    if tolerance > TOLERANCE and family.changes:
        inside = _states(box, 1.0, STATES + 2 * family.changes, rng)
        changes = _nearest(family, _sample(fields, inside)[0], tolerance)
    compared = 0
    for enlargement in ENLARGEMENTS:
        count = STATES + 2 * family.changes if enlargement < FAR else STATES
        sample, share = _sample(fields, _states(box, enlargement, count, rng))
        if not compared and share < HALF:
            return False
        compared += len(sample.states)
        quantile = 0.9 if enlargement >= FAR else 1.0
        moved = _agreeing(family, changes, sample, quantile, tolerance)
        if moved is None:
            return False
        changes = moved
    return compared > 0


def _sample(fields: tuple[Field, Field], states: FloatArray) -> tuple[_Sample, float]:
    """States at which both laws have a value, and the share of the truth's domain they can be told.

    A law whose terms are so large that the truth is lost in their rounding agrees with anything.
    """
    parts = fields[1](states)
    with np.errstate(invalid="ignore"):  # inf - inf: no value there
        values, own = parts.sum(axis=1), np.abs(parts).sum(axis=1)
    of_truth = np.isfinite(values) & (own < 1 / SMALL)
    size = own + np.abs(fields[0](states)).sum(axis=1)
    usable = of_truth & (size > SMALL) & (size < 1 / SMALL)
    told = np.isfinite(size) & (AGREEMENT * size <= own)
    share = 1.0 - np.sum(of_truth & ~told) / max(np.sum(of_truth), 1)
    return _Sample(states[usable], values[usable], size[usable]), float(share)


def _states(box: Box, enlargement: float, count: int, rng: np.random.Generator) -> FloatArray:
    """States spread evenly over the enlarged box; where ranges span decades, half along these.

    What leaves the domain is turned back at its end: a length is not negative.
    """
    middle, half = box.limits.mean(axis=1), enlargement * box.width / 2
    states: FloatArray = middle + half * rng.uniform(-1, 1, (count, len(box)))
    least, most = box.domain.T
    states = np.where(states < least, 2 * least - states, states)
    states = np.clip(np.where(states > most, 2 * most - states, states), least, most)
    if box.is_log.any():
        states[::2] = box.at(rng.random((len(states[::2]), len(box))))
    return states


def _residual(family: _Family, sample: _Sample) -> Callable[[FloatArray], FloatArray]:
    """How far the law is off, relative to its size, for changes of the constants."""

    def residual(changes: FloatArray) -> FloatArray:
        return (family.value(sample.states, changes) - sample.values) / sample.size

    return residual


def _nearest(family: _Family, sample: _Sample, tolerance: float) -> FloatArray:
    """The changes, none above the tolerance, with which the law is nearest to the sample."""
    from scipy.optimize import least_squares

    residual = _residual(family, sample)
    none = np.zeros(family.changes)
    if not (len(sample.states) and np.isfinite(residual(none)).all()):
        return none

    def finite(changes: FloatArray) -> FloatArray:
        return np.nan_to_num(residual(changes), nan=1.0, posinf=1.0, neginf=-1.0)

    precise = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15}
    solved = least_squares(finite, none, bounds=(-tolerance, tolerance), max_nfev=50, **precise)
    return np.asarray(solved.x)


def _agreeing(
    family: _Family, changes: FloatArray, sample: _Sample, quantile: float, tolerance: float
) -> FloatArray | None:
    """Changes of the constants that make the law agree with the sample; None if there are none."""
    residual = _residual(family, sample)

    def agrees() -> bool:
        return bool(
            np.quantile(np.abs(difference), quantile) <= AGREEMENT
            and np.all(np.abs(changes) <= tolerance * (1 + 1e-6))
        )

    if not len(sample.states):
        return changes
    difference = residual(changes)
    if not np.isfinite(difference).all() or np.median(np.abs(difference)) > HOPELESS:
        return None
    for _ in range(STEPS):
        if agrees():
            break
        changes = changes - _newton_step(residual, changes, difference)
        difference = residual(changes)
        if not (np.isfinite(difference).all() and np.all(np.abs(changes) < 2 * tolerance)):
            return None
    return changes if agrees() else None


def _newton_step(
    residual: Callable[[FloatArray], FloatArray], changes: FloatArray, difference: FloatArray
) -> FloatArray:
    """The least change that removes the difference, to first order."""
    step = 1e-6
    columns = [
        (residual(changes + step * axis) - residual(changes - step * axis)) / (2 * step)
        for axis in np.eye(len(changes))
    ]
    jacobian = np.stack(columns, axis=1)
    if not np.isfinite(jacobian).all():
        return np.full(len(changes), math.inf)
    return np.asarray(np.linalg.lstsq(jacobian, difference, rcond=1e-10)[0])
