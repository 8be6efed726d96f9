"""Simulators as rough as users bring them: time steps of their own, rounding, noise, failures."""

import numpy as np

from odevsr.world.box import plain_box

DECAY = plain_box([[-2.0, 2.0]])
PENDULUM = plain_box([[-3.0, 3.0], [-2.0, 2.0]])


def decay(states, steps):
    """x' = -x, solved by hand."""
    return states * np.exp(-np.broadcast_to(steps, len(states)))[:, None]


def swing(states):
    """The law of a pendulum."""
    return np.stack([states[:, 1], -np.sin(states[:, 0])], axis=1)


def pendulum(states, steps, count=40):
    """A pendulum, by Runge-Kutta."""
    x, h = states.copy(), np.broadcast_to(steps / count, len(states))[:, None]
    for _ in range(count):
        k1 = swing(x)
        k2 = swing(x + h / 2 * k1)
        k3 = swing(x + h / 2 * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + swing(x + h * k3))
    return x


def counting(flow, length, count=np.floor):
    """The flow in whole steps of a length, of which `count` says how many."""
    return lambda states, steps: flow(states, count(steps / length) * length)


def interpolating(flow, length):
    """The flow at whole steps of a length, with straight lines between them."""

    def launch(states, steps):
        before = np.floor(steps / length)
        part = (steps / length - before)[:, None]
        return (1 - part) * flow(states, before * length) + part * flow(
            states, (before + 1) * length
        )

    return launch


def euler(law, length):
    """Euler's method with whole steps of a length."""

    def launch(states, steps):
        counts = np.maximum(np.rint(steps / length), 0)
        x = states.copy()
        for index in range(int(np.max(counts, initial=0))):
            x = np.where((index < counts)[:, None], x + length * law(x), x)
        return x

    return launch


def forward_only(launch):
    """A simulator that stays where it is when asked to go back."""
    return lambda states, steps: launch(states, np.maximum(steps, 0))


def rounded(flow, rounding):
    """The flow, whose ends are rounded."""
    return lambda states, steps: rounding(flow(states, steps))


def scattering(flow, additive=0.0, proportional=0.0, seed=0):
    """The flow, whose ends scatter."""
    rng = np.random.default_rng(seed)

    def launch(states, steps):
        ends = flow(states, steps)
        size = np.hypot(additive, proportional * ends)
        return ends + size * rng.standard_normal(ends.shape)

    return launch


def failing(flow, where):
    """The flow, which gives nan for states where it should not be asked."""

    def launch(states, steps):
        ends = flow(states, steps)
        ends[where(states)] = np.nan
        return ends

    return launch


def raising(flow, where):
    """The flow, which raises where it should not be asked."""

    def launch(states, steps):
        if np.any(where(states)):
            raise ValueError("out of bounds")
        return flow(states, steps)

    return launch


def in_corner(states):
    """True for the states with a large product, 15 % of those between 0 and 1."""
    return states[:, 0] * states[:, 1] > 0.5
