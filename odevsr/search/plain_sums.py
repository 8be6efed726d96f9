"""Sums of functions without constants of their own, read off the trials by least squares.

All that have values are fitted together, then those go that the trials can do without. So a wave is
read as sin(x) and cos(x) with coefficients, which are linear, before anybody tries a phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.controlled import Controlled, worst_deviation
from odevsr.evidence.simplify import simplified
from odevsr.language.algebra.normal import open_sum
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.search.candidate_sums import unexplained
from odevsr.search.catalogue import LOW_DEGREES, function_of

PLAIN = ("1", "x", "sin(x)", "cos(x)", "1/x", "x^2", "log(x)", "1/x^2", "sqrt(x)")
"""The commonest functions without constants."""
POWERS = tuple(f"x^{power}" for power in LOW_DEGREES)
"""What is preferred to them: on a short range they can imitate a power."""


def plain_sums(controlled: Controlled) -> list[Expression]:
    """The normal form of the shortest sum that explains the trials, or none.

    With many terms it can imitate any smooth function. Under noise too many sums explain them: then
    the simplest of all forms is to be found otherwise.
    """
    if controlled.agreement.is_noisy:
        return []
    variable = controlled.names[0]
    libraries = [[function_of(variable, each) for each in group] for group in (POWERS, PLAIN)]
    sums = [shortest_sum(controlled, functions) for functions in libraries]
    found = [each for each in sums if 0 < len(each) < controlled.agreement.limits.many]
    return [open_sum(min(found, key=len))] if found else []


@np.errstate(all="ignore")  # What has no value is left out.
def shortest_sum(controlled: Controlled, functions: Sequence[Expression]) -> list[Expression]:
    """Those of the functions that the trials cannot do without; none if all do not explain them."""
    points = np.swapaxes(controlled.trials.points, 1, 2)
    columns = compile_field(functions, controlled.names)(points)
    kept = np.flatnonzero(np.all(np.isfinite(columns), axis=(0, 1))).tolist()
    stacked = np.concatenate([columns[..., kept], controlled.trials.targets[..., None]], axis=-1)
    # All that least squares need of K trials are K triangles as wide as there are columns.
    turned, corner = np.linalg.qr(controlled.weights[..., None] * stacked)

    def rest(chosen: tuple[int, ...]) -> FloatArray:
        return unexplained(corner[..., list(chosen)], corner[..., -1:])

    def fitted(chosen: tuple[int, ...]) -> _Sum:
        return _Sum(chosen, worst_deviation((turned @ rest(chosen))[..., 0]))

    def smaller(whole: _Sum) -> Iterator[_Sum]:
        if len(whole.chosen) > 1:
            fewer = combinations(whole.chosen, len(whole.chosen) - 1)
            yield fitted(min(fewer, key=lambda each: np.linalg.norm(rest(each))))

    whole = fitted(tuple(range(len(kept))))
    if not whole.deviation <= controlled.limit:
        return []
    chosen = simplified(whole, smaller, controlled.agreement).chosen
    return [functions[kept[index]] for index in chosen]


@dataclass(frozen=True)
class _Sum:
    """Which columns are added up, and how far that is from the worst trial."""

    chosen: tuple[int, ...]
    deviation: float
