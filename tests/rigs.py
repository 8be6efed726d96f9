"""Simulators that others call for us; they load little, for their workers come and go."""

import os
import signal
from pathlib import Path

import numpy as np

from odevsr import simulator


def moved(states, steps):
    return np.stack([states[:, 0] + 2 * steps, states[:, 1] * np.exp(-0.5 * steps)], axis=1)


RANGES = {"x": (0, 1), "y": (1, 2)}


@simulator(**RANGES)
def rig(states, steps):
    return moved(states, steps)


@simulator(**RANGES)
def nobody(states, steps):
    raise AssertionError("everything is known")


@simulator(**RANGES)
def deadly(states, steps):
    """Ends its process in a corner, as compiled code does."""
    if np.any(states[:, 0] > 0.9):
        os.kill(os.getpid(), signal.SIGKILL)
    return moved(states, steps)


@simulator(**RANGES)
def deadly_once(states, steps):
    """Ends its process the first time it is called there."""
    flag = Path(os.environ["ODEVSR_TEST_FLAG"])
    if np.any(states[:, 0] > 0.9) and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return moved(states, steps)


@simulator(**RANGES)
def raises_in_a_corner(states, steps):
    if np.any(states[:, 0] > 0.9):
        raise ValueError("not there")
    return moved(states, steps)
