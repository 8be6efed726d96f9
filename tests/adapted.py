"""Right-hand sides and steps as users have them: functions, methods, objects."""

import numpy as np
from scipy.integrate import solve_ivp

import odevsr

RANGES = {"x": (0.1, 2), "y": (0.1, 2)}


def plain_rate(t, y, death=3.0):
    return [1.5 * y[0] - y[0] * y[1], y[0] * y[1] - death * y[1]]


@odevsr.rhs(**RANGES)
def rate(t, y):
    return plain_rate(t, y)


@odevsr.rhs(**RANGES)
def rate_of_one(t, y):
    return [float(each) for each in plain_rate(t, y)]


@odevsr.stepper(**RANGES)
def step(state, dt):
    return solve_ivp(plain_rate, (0, dt), state, rtol=1e-11, atol=1e-12).y[:, -1]


class Hunt:
    """A model with methods, some of them marked."""

    death = 3.0

    @odevsr.rhs(**RANGES)
    def rate(self, t, y):
        return plain_rate(t, y, self.death)

    @odevsr.stepper(**RANGES)
    def step(self, state, dt):
        return step(state, dt)

    def plain_rate(self, t, y):
        return plain_rate(t, y, self.death)

    def plain_step(self, state, dt):
        return step(state, dt)


class Caller:
    """An object that is called."""

    def __call__(self, states, steps):
        return np.array([step(state, dt) for state, dt in zip(states, steps, strict=True)])


class MarkedCaller(Caller):
    """One whose calls are marked."""

    @odevsr.simulator(**RANGES)
    def __call__(self, states, steps):
        return super().__call__(states, steps)


hunt = Hunt()
marked_method = odevsr.rhs(**RANGES)(hunt.plain_rate)
