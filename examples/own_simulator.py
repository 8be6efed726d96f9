"""A simulator of your own: a pendulum with friction, integrated by scipy.

All that is asked of it: from a state, where is the system a moment later? What it does inside
nobody sees.
"""

# %%
import numpy as np
from scipy.integrate import solve_ivp

import odevsr


def rate(time, state):
    angle, speed = state
    return [speed, -9.81 * np.sin(angle) - 0.3 * speed]


@odevsr.simulator(angle=(-3, 3), speed=(-5, 5))  # names and ranges of the variables
def pendulum(states, steps):
    return np.array(
        [
            solve_ivp(rate, (0, step), state, rtol=1e-10, atol=1e-12).y[:, -1]
            for state, step in zip(states, steps, strict=True)
        ]
    )


# %%
found = odevsr.discover(pendulum)
found.print()  # dspeed/dt = -0.3*speed - 9.81*sin(angle)

# %% [markdown]
# How it was found, in words and formulas:

# %%
print(found.explain())
