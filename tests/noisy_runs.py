"""Noisy runs of systems that move fast, as smooth paths."""

import numpy as np
from scipy.integrate import solve_ivp

from odevsr.language.parse import parse
from odevsr.recorded.motions.systems import FittedLaw
from odevsr.recorded.smoothing import smooth_paths
from odevsr.world.recordings.runs import Recordings, Run

NAMES = ("x0", "x1", "x2")
TRUTHS = ("-10*x0 + 10*x1", "-x0*x2 + 28*x0 - x1", "x0*x1 - 8/3*x2")


def lorenz_paths(noise=0.03, count=300):
    """One noisy run of Lorenz's system."""
    return noisy_paths(lorenz_rates, [-8, 7, 27], np.linspace(0, 6, count), NAMES, noise)


def noisy_paths(rates, start, times, names, noise):
    """One run from a start, with noise of this share of each value."""
    span = (times[0], times[-1])
    solved = solve_ivp(rates, span, start, t_eval=times, rtol=1e-9, atol=1e-9).y.T
    states = solved * (1 + noise * np.random.default_rng(0).standard_normal(solved.shape))
    run = Run("only", times, states, np.empty((len(times), 0)))
    return smooth_paths(Recordings(names, (run,)))


def law(text, *theta):
    """A law with open constants C and their values."""
    return FittedLaw(parse(text, NAMES, open_symbols=True), np.array(theta, dtype=float))


def lorenz_laws():
    """The structure of the truth, and constants nearby."""
    return [
        law("C*x0 + C*x1", -9.9, 10.1),
        law("C*x0*x2 + C*x0 + C*x1", -1.0, 28.0, -1.1),
        law("C*x0*x1 + C*x2", 1.0, -2.7),
    ]


def lorenz_rates(_time, state):
    """Of the exact system."""
    x, y, z = state
    return [10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z]
