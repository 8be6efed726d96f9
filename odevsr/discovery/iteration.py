"""A discovered map, followed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from odevsr.arrays import FloatArray
from odevsr.discovery.motion import numbers
from odevsr.errors import UsageError
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, variables


def iterated(
    laws: Mapping[str, Expression],
    names: Sequence[str],
    start: ArrayLike,
    steps: ArrayLike,
    inputs: Mapping[str, float],
) -> FloatArray:
    """States (len(steps), laws) at whole steps, in order, from `start` at steps[0]."""
    state, wanted = numbers(start, "start"), numbers(steps, "steps")
    if state.shape != (len(laws),):
        raise UsageError(f"a start is {len(laws)} numbers, one for each of {', '.join(laws)}")
    if wanted.ndim != 1 or not wanted.size or np.any(np.diff(wanted, prepend=wanted[0]) % 1):
        raise UsageError("a map goes by whole steps; give step numbers such as [0, 1, 2]")
    if np.any(np.diff(wanted) < 0):
        raise UsageError("a map does not run backwards; give step numbers in rising order")
    needed = set().union(*(variables(law) for law in laws.values())) - set(laws)
    if missing := sorted(needed - set(inputs)):
        raise UsageError(f"the laws need {', '.join(missing)}; give a number for each as inputs")
    field = compile_field(list(laws.values()), names)
    row = np.array([inputs.get(name, 0.0) for name in names])
    places = [names.index(name) for name in laws]
    found = []
    for count in np.diff(wanted, prepend=wanted[0]).astype(int).tolist():
        for _ in range(count):
            row[places] = state
            state = field(row[None])[0]
        found.append(state)
    return np.array(found)
