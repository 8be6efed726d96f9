"""The Lorenz attractor: its equations from experiments.

States are set, the simulator is launched for a moment, and where it went is looked at. The search
never sees the equations.
"""

# %%
import numpy as np

import odevsr

found = odevsr.discover("lorenz", progress=True)
found.print()

# %% [markdown]
# `identified` is a promise: the law agrees with experiments that it has not seen, also outside the
# ranges. The numbers have errors; those that are simple were recognised.

# %%
print(found.table()[["variable", "law", "status", "launches"]])
for number in found.equations[2].constants:
    print(f"{number.value:.12g} +- {number.error:.1g}, exactly {number.exact}")

# %% [markdown]
# The laws can be followed in time, and taken to other tools.

# %%
times = np.linspace(0.0, 5.0, 501)
states = found.simulate([-8.0, 7.0, 27.0], times)
print(f"at t = 5 the state is {states[-1].round(3)}")
print(found.to("latex"))
