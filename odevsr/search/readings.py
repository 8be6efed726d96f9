"""Forms read off the data by linear algebra, where a search would have to guess.

If y = P/Q with P and Q sums of known functions, then y*Q - P = 0 is linear in their coefficients.
Trials share Q and have a P of their own, so every trial leaves of y*Q what no P can follow, and the
Q sought is the combination that leaves nothing. A rate or an exponent is found by trying many. What
is proposed has the numbers of Q, rates and exponents in it, and open coefficients for P.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from odevsr.arrays import FloatArray
from odevsr.evidence.controlled import Controlled
from odevsr.language.expression import Expression
from odevsr.limits import BEST, DEGREE, HOPELESS
from odevsr.search.candidate_sums import CandidateSum, candidate_sum, first_explaining, unexplained

RATES = np.geomspace(0.5, 60.0, 100)
"""Rates of exponentials and waves that are tried, in units of one over the range."""
EXPONENTS = tuple(half / 2 for half in range(-28, 17) if half)
"""Among these, exponents of two powers are begun at, and of three, if they are low."""
CLOSE = 0.1
"""Poles so near each other, in units of half the range, are taken for one of higher order: without
that a triple pole is not read; so near or twice or half as near, the same 108 laws are found."""
ANGLES = ("1", "cos(x)", "sin(x)", "cos(2*x)", "sin(2*x)")


@np.errstate(all="ignore")  # What has no value explains nothing.
def readings(controlled: Controlled) -> list[Expression]:
    """Normal forms in the one free variable of the trials that explain them."""
    kinds = (_rational, _harmonic, _trigonometric, _exponential, _powers)
    return [form for kind in kinds for form in first_explaining(kind(controlled), controlled)]


@np.errstate(all="ignore")
def short_fractions(controlled: Controlled) -> list[Expression]:
    """The shortest sum of powers and partial fractions, if there is one of few terms."""
    return first_explaining(_rational(controlled, fewer=1), controlled)


def _rational(controlled: Controlled, fewer: int = 0) -> Iterator[CandidateSum]:
    """Polynomial plus partial fractions, by the number of poles and powers together.

    There are less than can imitate any smooth function, or fewer still.
    """
    together = controlled.agreement.limits.many - 1 - fewer
    points = controlled.trials.points[:, 0]
    # Of several trials each might have a pole of its own, and together as many as there are trials.
    most = together if len(points) == 1 else min(together, len(points) - 1)
    middle, half = _middle_and_half(points)
    scaled = (points - middle) / half
    sizes = product(range(1, most + 1), range(together))
    for poles, powers in sorted(sizes, key=sum):
        if poles + powers > together:
            return
        above = scaled[..., None] ** np.arange(poles + powers)
        below = scaled[..., None] ** np.arange(poles + 1)
        rest, denominator = _denominator(controlled, above, below)
        if rest <= HOPELESS:
            roots = np.asarray(np.roots(denominator[::-1]), dtype=np.complex128)
            for near in (CLOSE, 0.0):
                yield _partial_fractions(middle + half * roots, half * near, powers)


def _trigonometric(controlled: Controlled) -> Iterator[CandidateSum]:
    """Sums of sines and cosines of x and 2*x over a number and a wave, of x or of 2*x."""
    points = controlled.trials.points[:, 0]
    waves = [wave(rate * points) for rate in (1, 2) for wave in (np.cos, np.sin)]
    columns = np.stack([np.ones_like(points), *waves], axis=-1)
    for rate, chosen in ((1, [0, 1, 2]), (2, [0, 3, 4])):
        rest, (number, cosine, sine) = _denominator(controlled, columns, columns[..., chosen])
        if rest <= HOPELESS:
            terms = [f"{above}/(number + cos({rate}*x + phase))" for above in ANGLES]
            size, phase = np.hypot(cosine, sine), -np.arctan2(sine, cosine)
            yield candidate_sum(terms, ("number", "phase"), (number / size, phase))


def _harmonic(controlled: Controlled) -> Iterator[CandidateSum]:
    """A line plus a wave and its overtone, also over x or its square, as diffraction has it."""
    points = controlled.trials.points[:, 0]
    rates = RATES / (2 * _middle_and_half(points)[1])
    angles = rates[:, None, None] * points
    line = [np.ones_like(angles), np.broadcast_to(points, angles.shape)]
    waves = [wave(times * angles) for times in (1, 2) for wave in (np.sin, np.cos)]
    columns = np.stack([*line, *waves], axis=-1)
    terms = ("1", "x", "sin(rate*x)", "cos(rate*x)", "sin(2*rate*x)", "cos(2*rate*x)")
    for power in (0, 1, 2):
        above = columns / points[..., None] ** power
        rests, _ = _denominator(controlled, above, line[0][..., None])
        for best in _lowest_minima(rests):
            divided = [f"{term}/x**{power}" for term in terms]
            yield candidate_sum(divided, ("rate",), (rates[best],))


def _exponential(controlled: Controlled) -> Iterator[CandidateSum]:
    """A line plus a line over an exponential and a number: sigmoids, Goldman's law.

    Or no line, and a cubic over them: Planck's law. Or with 1/x for x: Langevin's law. Or a cubic
    over a hyperbolic sine or cosine: factors by which heat blurs waves.
    """
    points = controlled.trials.points[:, 0]
    middle, half = _middle_and_half(points)
    rates = RATES / (2 * half)
    growth = np.exp(rates[:, None, None] * (points - middle))
    scaled = np.broadcast_to((points - middle) / half, growth.shape)
    one, below = np.ones_like(growth), "(exp(rate*x) + shift)"
    cubic = (one, scaled, scaled**2, scaled**3)
    for above, terms in (
        ((one, growth, scaled, scaled * growth), ("1", "x", f"1/{below}", f"x/{below}")),
        (
            (one, growth, one / points, growth / points),
            ("1", "1/x", f"1/{below}", f"1/(x*{below})"),
        ),
        (cubic, tuple(f"x**{power}/{below}" for power in range(4))),
        (
            [each * np.sqrt(growth) for each in cubic],
            tuple(f"x**{power}*exp(rate/2*x)/{below}" for power in range(4)),
        ),
    ):
        numerator = np.stack(above, axis=-1)
        rests, denominators = _denominator(controlled, numerator, np.stack([one, growth], axis=-1))
        for best in _lowest_minima(rests):
            constant, factor = denominators[best]
            shift = constant / factor * np.exp(rates[best] * middle)
            yield candidate_sum(terms, ("rate", "shift"), (rates[best], shift))


def _powers(controlled: Controlled) -> Iterator[CandidateSum]:
    """A line plus two powers, or three powers, of any exponents."""
    points = controlled.trials.points[:, 0]
    if np.min(points) <= 0:
        return
    scaled = points / np.max(points)
    line = np.stack([np.ones_like(scaled), scaled], axis=-1)
    low = [each for each in EXPONENTS if abs(each) < DEGREE]
    for beside, tried, most in (
        (("1", "x"), list(combinations(EXPONENTS, 2)), 1),
        ((), list(combinations(low, 3)), BEST),
    ):
        powers = scaled[..., None] ** np.array(tried)[:, None, None, :]
        lines = np.broadcast_to(line[..., : len(beside)], (*powers.shape[:-1], len(beside)))
        above = np.concatenate([lines, powers], axis=-1)
        rests, _ = _denominator(controlled, above, np.ones_like(powers[..., :1]))
        names = ("first", "second", "third")[: len(tried[0])]
        terms = [*beside, *(f"x**{name}" for name in names)]
        for best in np.argsort(rests)[:most].tolist():
            yield candidate_sum(terms, names, tried[best])


def _lowest_minima(values: FloatArray) -> list[int]:
    """The two lowest of the minima inside a row of values."""
    inside = np.flatnonzero((values[1:-1] < values[:-2]) & (values[1:-1] < values[2:])) + 1
    chosen: list[int] = inside[np.argsort(values[inside])[:2]].tolist()
    return chosen


def _middle_and_half(points: FloatArray) -> tuple[float, float]:
    low, high = float(np.min(points)), float(np.max(points))
    return (low + high) / 2, (high - low) / 2


def _denominator(
    controlled: Controlled, above: FloatArray, below: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The best Q for functions (..., K, N, p) of P and (..., K, N, q) of Q.

    What it leaves, in errors (...), and its coefficients (..., q).
    """
    weights = controlled.weights[..., None]
    columns = weights * controlled.trials.targets[..., None] * below
    rest = unexplained(weights * above, columns)
    scale = np.linalg.norm(columns, axis=(-3, -2))
    scale = np.where(scale > 0, scale, 1.0)
    rows = (*scale.shape[:-1], -1, scale.shape[-1])
    stacked = (rest / scale[..., None, None, :]).reshape(rows)
    usable = np.all(np.isfinite(stacked), axis=(-2, -1))
    stacked = np.where(usable[..., None, None], stacked, 1.0)
    _, singular, right = np.linalg.svd(stacked, full_matrices=False)
    coefficients = right[..., -1, :] / scale
    size = np.linalg.norm(np.sum(below * coefficients[..., None, None, :], axis=-1), axis=(-2, -1))
    return np.where(usable, singular[..., -1] / size, np.inf), coefficients


def _partial_fractions(poles: NDArray[np.complex128], together: float, powers: int) -> CandidateSum:
    """Powers of x, and a term for every pole; poles nearer than `together` count as one."""
    terms = [f"x**{power}" for power in range(powers)]
    names: list[str] = []
    values: list[float] = []
    for pole, order in _merged(poles, together):
        shift, square = f"a{len(names)}", f"b{len(names)}"
        if pole.imag:
            names += [shift, square]
            values += [-2 * pole.real, abs(pole) ** 2]
            terms += [f"{above}/(x**2 + {shift}*x + {square})" for above in ("1", "x")]
        else:
            names.append(shift)
            values.append(-pole.real)
            terms += [f"1/(x + {shift})**{power}" for power in range(1, order + 1)]
    return candidate_sum(terms, names, values)


def _merged(poles: NDArray[np.complex128], together: float) -> list[tuple[complex, int]]:
    """Poles of the upper half plane, and how many lie at each; real ones for those together."""
    left = sorted(poles.tolist(), key=lambda pole: (pole.real, pole.imag))
    result: list[tuple[complex, int]] = []
    while left:
        near = [pole for pole in left if abs(pole - left[0]) < together]
        if len(near) > 1:
            result.append((complex(np.mean(near).real), len(near)))
        elif left[0].imag >= 0:
            result.append((left[0], 1))
        left = [pole for pole in left[1:] if pole not in near]
    return result
