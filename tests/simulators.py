"""Simulators as a user would bring them: no equations, just functions of states and steps."""

import ctypes
import math
import multiprocessing
import os
import signal
import time
from pathlib import Path

import numpy as np

from odevsr import Range, simulator


def _runge_kutta(field, states, steps, count=32):
    x, h = states.copy(), (steps / count)[:, None]
    for _ in range(count):
        k1 = field(x)
        k2 = field(x + h / 2 * k1)
        k3 = field(x + h / 2 * k2)
        k4 = field(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def _prey_and_hunters(states):
    x, y = states.T
    return np.stack([1.5 * x - x * y, x * y - 3 * y], axis=1)


RANGES = {"x": (0.1, 2), "y": (0.1, 2)}


@simulator(**RANGES)
def lotka(states, steps):
    print("a simulator may print")
    return _runge_kutta(_prey_and_hunters, states, steps)


@simulator(**RANGES)
def raises_backwards(states, steps):
    if np.any(steps < 0):
        raise ValueError("no way back")
    return _runge_kutta(_prey_and_hunters, states, steps)


@simulator(**RANGES)
def stays_backwards(states, steps):
    return _runge_kutta(_prey_and_hunters, states, np.maximum(steps, 0))


@simulator(x=(-1, 3), y=(0, 1))
def fails_below_zero(states, steps):
    if np.any(states[:, 0] < 0):
        raise ValueError("x is negative")
    x, y, h = states[:, 0], states[:, 1], steps
    return np.stack([x - 2 * h, y * np.exp(x * h - h**2)], axis=1)


@simulator(mass=Range(0, 1, domain=(0, math.inf)))
def never_negative(states, steps):
    return np.maximum(2 + (np.maximum(states, 0) - 2) * np.exp(-0.25 * steps[:, None]), 0)


@simulator(mass=(0.05, 1))
def without_domain(states, steps):
    return never_negative(states, steps)


@simulator(x=(1, 2), inputs={"b": (300, 300.03)})
def hardly_heated(states, steps, b):
    return states * np.exp(-0.5 * steps[:, None])


@simulator(x=(0, 1), inputs={"w": (1, 100), "b": (2, 200)})
def over_decades(states, steps, w, b):
    return states + (steps * w**1.5 / (b**2 + 4 * w))[:, None]


@simulator(x=(0, 1), inputs={"w": (1, 100), "b": (1, 100)})
def occupied(states, steps, w, b):
    return states + (steps / (np.exp(0.3 * w**1.5 / b**2) + 1))[:, None]


@simulator(x=(-1, 3), y=(0, 1))
def rests(states, steps):
    return states + np.array([0.0, 2.0]) * steps[:, None]


@simulator(x=(-2, 2), inputs={"u": (-1, 1), "t": (0, 6)})
def driven(states, steps, u, t):
    """dx/dt = -2*x + 3*u*sin(t), solved by hand."""
    particular = u * (6 * np.sin(t) - 3 * np.cos(t)) / 5
    later = u * (6 * np.sin(t + steps) - 3 * np.cos(t + steps)) / 5
    return ((states[:, 0] - particular) * np.exp(-2 * steps) + later)[:, None]


@simulator(**RANGES)
def raises(states, steps):
    raise RuntimeError("the rotor broke")


@simulator(**RANGES)
def gives_nan(states, steps):
    return states * np.nan


@simulator(**RANGES)
def gives_another_shape(states, steps):
    return states[:, 0]


@simulator(**RANGES)
def gives_text(states, steps):
    return "fine"


@simulator(**RANGES)
def hangs(states, steps):
    time.sleep(1000)


def unmarked(states, steps):
    return states


@simulator(x=(2, 1))
def back_to_front(states, steps):
    return states


@simulator(t=(0, 1))
def named_like_time(states, steps):
    return states


@simulator(x=(-1, 3), y=(0, 1))
def prints_by_all_means(states, steps):
    print("printed")
    os.write(1, b"written\n")
    return states + np.array([-2.0, 2.0]) * steps[:, None]


@simulator(x=(-1, 3), y=(0, 1))
def dies_elsewhere(states, steps):
    if multiprocessing.parent_process() is not None:
        ctypes.CDLL(None)._exit(5)  # as a crash would, past all of Python
    return states + np.array([-2.0, 2.0]) * steps[:, None]


@simulator(x=(-1, 3), y=(0, 1))
def waits_elsewhere(states, steps):
    if multiprocessing.parent_process() is not None:
        os.write(2, b"waiting\n")
        time.sleep(1000)
    return states + np.array([-2.0, 2.0]) * steps[:, None]


@simulator(x=(-1, 3), y=(0, 1))
def sticks_elsewhere(states, steps):
    if multiprocessing.parent_process() is not None:
        os.write(2, b"waiting\n")
        ctypes.PyDLL(None).sleep(1000)  # and no other thread of the process goes on
    return states + np.array([-2.0, 2.0]) * steps[:, None]


@simulator(x=(-1, 3), y=(0, 1))
def killed_elsewhere(states, steps):
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return states + np.array([-2.0, 2.0]) * steps[:, None]


@simulator(x=(-1, 3), y=(0, 1))
def killed_once_elsewhere(states, steps):
    marker = Path(os.environ["ODEVSR_TEST_MARKER"])
    if multiprocessing.parent_process() is not None and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return states * np.exp(np.array([-2.0, -0.5]) * steps[:, None])
