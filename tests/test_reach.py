"""How far the search reaches: laws it is known to miss, each with the reason, and laws just found.

A failure that is repaired makes its test fail, so that it moves to the other list; a law that is
lost does, too.
"""

import numpy as np
import pytest
from laws import FunctionOracle

from odevsr.language.evaluate import compile_field
from odevsr.settings import Settings
from odevsr.vertical.attempts import discover_equation
from odevsr.vertical.equation import Status

WAVES = np.random.default_rng(3).normal(size=(8, 2))


def wave_sum(x):
    angles = [(0.5 * k * x, *weights) for k, weights in enumerate(WAVES, start=1)]
    return 1 / x + sum(a * np.sin(angle) + b * np.cos(angle) for angle, a, b in angles)


MISSED = {
    "rounding of the simulated law itself is far above the errors that are measured": (
        lambda x, y: 1 / (np.exp(1e-9 * x / y) - 1), [(1, 3), (1, 3)], 1e-6
    ),
    "more terms than can be told from an imitation": (wave_sum, [(0.5, 6)], 1e-10),
    "its ten kinks reach to the end of the range, and beyond it is another law": (
        lambda x: sum((-1) ** k * np.abs(x - 0.2 * k) for k in range(10)), [(0, 2)], 1e-10
    ),
    "only one rate is looked for at a time": (
        lambda x: np.sin(1.1 * x) + np.sin(2.3 * x) + np.sin(3.7 * x + 1), [(0, 6)], 1e-10
    ),
    "of a quotient, only one function around another is undone": (
        lambda x, y: np.sinh(x * y) / np.sinh(x), [(0.5, 1.2), (0.5, 1.2)], 1e-12
    ),
    "tangled in both of its terms, each in its own way": (
        lambda x, y: 1 / (np.exp(x / y) - 1) + 1 / (np.exp(x * y) + 1),
        [(0.5, 1.2), (0.5, 2.2)], 1e-12,
    ),
    "each of its two terms is the inverse of a distance of its own": (
        lambda x, y: 1 / np.hypot(x - 1, y) - 1 / np.hypot(x + 1, y), [(-3, 3), (1, 3)], 1e-12
    ),
    "the exponent inside and its inverse outside are a variable": (
        lambda x, y: (1 + x**y) ** (1 / y), [(0.3, 3), (1.5, 4)], 1e-12
    ),
    "an arc function around a fraction that is tangled itself": (
        lambda x, y: np.arccos((np.cos(x) - y) / (1 - y * np.cos(x))), [(0.4, 2.6), (0.1, 0.8)],
        1e-12,
    ),
    "one exponent is the power of a variable in two places": (
        lambda x, y: y * x**y * np.exp(-(x**y)), [(0.3, 3), (1.2, 3)], 1e-12
    ),
}  # fmt: skip
FOUND = {
    "a sine of a sine": (lambda x, y: np.sin(x + 0.6 * np.sin(y)), [(-2, 2), (-2, 2)], 1e-12),
    "Langevin's law": (lambda x, y: 1 / np.tanh(x * y) - 1 / (x * y), [(0.5, 4), (0.5, 2)], 1e-12),
    "Planck's law": (
        lambda x, y: x**3 / (np.exp(x / y) - 1), [(1.0, 5.0), (1.0, 2.0)], 1e-12
    ),
    "a product of powers of a sine and a cosine": (
        lambda x, y: y * np.sin(x) ** 5.4 / np.cos(x) ** 2.7, [(0.3, 1.2), (1.0, 2.0)], 1e-12
    ),
    "a relativistic energy": (
        lambda x, y: x**2 / np.sqrt(1 - y**2 / x**2), [(3.0, 10.0), (1.0, 2.0)], 1e-12
    ),
    "a wave whose rate has either sign": (
        lambda x, y: np.sin(x * y) - 0.1 * x, [(-2, 2), (-2, 2)], 1e-12
    ),
    "Einstein's heat capacity, after a fraction that imitates it": (
        lambda x, y: (x / y) ** 2 * np.exp(x / y) / np.expm1(x / y) ** 2, [(1, 5), (1, 3)], 1e-12
    ),
    "waves that heat blurs": (
        lambda x, y: x / y / np.sinh(3 * x / y), [(1.0, 5.0), (1.0, 3.0)], 1e-12
    ),
    "ten kinks": (
        lambda x, y: x * y - sum((-1) ** k * np.abs(x - 0.2 * k) for k in range(1, 11)),
        [(0, 2.2), (1.0, 2.0)], 1e-12,
    ),
    "a spin in a field": (lambda x, y: x / np.cosh(x / y), [(1.0, 3.0), (1.0, 2.0)], 1e-12),
}  # fmt: skip


def searched(function, box, error, candidates):
    settings = Settings(attempts=1, epochs=0, prior_batches=0, most_candidates=candidates)
    oracle = FunctionOracle(function, tuple(box), error)
    return discover_equation(oracle, settings, np.random.SeedSequence(0))


@pytest.mark.parametrize("why", MISSED)
def test_a_law_is_still_missed_and_no_other_is_called_identified(why):
    assert searched(*MISSED[why], candidates=700).status is not Status.IDENTIFIED


@pytest.mark.parametrize("law", FOUND)
def test_a_law_within_reach_is_found(law):
    function, box, error = FOUND[law]
    found = searched(function, box, error, candidates=30_000)
    assert found.status is Status.IDENTIFIED
    states = np.random.default_rng(1).uniform(*np.array(box).T, (50, len(box)))
    predicted = compile_field([found.expression], ["x", "y"])(states)[:, 0]
    assert predicted == pytest.approx(function(*states.T), rel=1e-7, abs=1e-9)
