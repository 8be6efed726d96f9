"""Sums of functions without constants of their own, read off the trials by least squares.

All that have values are fitted together, then those go that the trials can do without. So a wave is
read as sin(x) and cos(x) with coefficients, which are linear, before anybody tries a phase.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.controlled import Controlled
from odevsr.language.algebra.normal import open_sum
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, Variable, substitute
from odevsr.language.parse import parse
from odevsr.search.catalogue import LOW_DEGREES

PLAIN = tuple(
    parse(text, ["x"])
    for text in ("1", "x", "sin(x)", "cos(x)", "1/x", "x^2", "log(x)", "1/x^2", "sqrt(x)")
)
"""The commonest functions without constants."""
POWERS = tuple(parse(f"x^{power}", ["x"]) for power in LOW_DEGREES)
"""What is preferred to them: on a short range they can imitate a power."""


def plain_sums(controlled: Controlled) -> list[Expression]:
    """The normal form of the shortest sum that explains the trials, or none.

    With many terms it can imitate any smooth function. Under noise too many sums explain them: then
    the simplest of all forms is to be found otherwise.
    """
    if controlled.agreement.is_noisy:
        return []
    here = {"x": Variable(controlled.names[0])}
    libraries = [[substitute(each, here) for each in group] for group in (POWERS, PLAIN)]
    sums = [shortest_sum(controlled, functions) for functions in libraries]
    found = [each for each in sums if 0 < len(each) < controlled.agreement.limits.many]
    return [open_sum(min(found, key=len))] if found else []


@np.errstate(all="ignore")  # What has no value is left out.
def shortest_sum(controlled: Controlled, functions: Sequence[Expression]) -> list[Expression]:
    """Those of the functions that the trials cannot do without; none if all do not explain them."""
    points = np.swapaxes(controlled.trials.points, 1, 2)
    columns = compile_field(functions, controlled.names)(points)
    kept = [index for index in range(len(functions)) if np.all(np.isfinite(columns[..., index]))]
    corner = _corner(controlled, columns[..., kept])
    chosen = list(range(len(kept)))
    limit = controlled.limit * np.sqrt(controlled.trials.targets.size)
    if _rest(corner, chosen) > limit:
        return []
    while len(chosen) > 1:
        rests = [_rest(corner, [other for other in chosen if other != index]) for index in chosen]
        if min(rests) > limit:
            break
        del chosen[int(np.argmin(rests))]
    return [functions[kept[index]] for index in chosen]


def _corner(controlled: Controlled, columns: FloatArray) -> FloatArray:
    """All that least squares need of columns (K, N, p) and targets: triangles (K, p + 1, p + 1)."""
    stacked = np.concatenate([columns, controlled.trials.targets[..., None]], axis=-1)
    _, corner = np.linalg.qr(controlled.weights[..., None] * stacked)
    return corner


def _rest(corner: FloatArray, chosen: list[int]) -> float:
    """What the chosen columns leave of the targets, in errors: the norm over all trials."""
    basis, _ = np.linalg.qr(corner[..., chosen])
    targets = corner[..., -1:]
    return float(np.linalg.norm(targets - basis @ (np.swapaxes(basis, -1, -2) @ targets)))
