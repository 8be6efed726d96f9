"""How a law found from recordings is scored: by its motion, and by its form beside the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.law import inexact, replaced
from odevsr.fitting.shooting import Motion, followed
from odevsr.fitting.tape import record_tape
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, split_coefficient, terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import (
    ONE,
    TRIGONOMETRIC,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    walk,
)
from odevsr.world.box import Box
from odevsr.world.recordings.runs import Run

RECONSTRUCTED = 0.9
"""R2 of a motion from which on it counts."""
MOVED = 0.5
"""How far each constant of an exact law may be off, relatively."""
ANY = 1e4
"""How far constants may be off for a law to have the truth's structure."""
EQUAL = 1e-4
"""Largest difference of an exact law from the truth, relative to the truth's largest value."""
ENLARGED = 1.5
STATES = 400
PRECISE = {"ftol": 1e-14, "xtol": 1e-14, "gtol": 1e-14}


def reconstructs(laws: Sequence[Expression], names: Sequence[str], run: Run) -> bool:
    """Whether the laws' own motion from the run's first state stays near the run."""
    count, size = run.states.shape
    nothing = np.zeros((count, size))
    scale = np.abs(run.states).max(axis=0) + 1e-300
    bounds = np.array([0, count], dtype=np.int64)
    motion = Motion(
        run.times.copy(), nothing, nothing, np.zeros((count, 0, 3)), bounds, scale, 1e-8
    )
    shot = followed(record_tape(laws, names), motion, np.empty(0), run.states[:1].copy())
    if not np.isfinite(shot.chi2):
        return False
    left = np.sum((shot.path - run.states) ** 2)
    return bool(1 - left / np.sum((run.states - run.states.mean(axis=0)) ** 2) > RECONSTRUCTED)


def is_exact(
    found: Expression, truth: Expression, names: Sequence[str], box: Box, moved: float = MOVED
) -> bool:
    """Whether the law is the truth once constants are moved, with no term to spare."""
    law = normal_form(found)
    if not _equal(law, truth, names, box, moved):
        return False
    parts = terms(law)
    shorter = (added([*parts[:k], *parts[k + 1 :]]) for k in range(len(parts)) if len(parts) > 1)
    return not any(_equal(each, truth, names, box, moved) for each in shorter)


def has_structure(found: Expression, truth: Expression, names: Sequence[str], box: Box) -> bool:
    """Whether a law is written as the truth is but for its constants, or can be moved to it.

    Far from the truth's constants a search for them may end elsewhere, though the form is the same.
    """
    return _form(found) == _form(truth) or is_exact(found, truth, names, box, ANY)


def _form(law: Expression) -> Counter[Expression]:
    """The terms of a law without their numbers, but for powers."""
    return Counter(_opened(split_coefficient(each)[1]) for each in terms(normal_form(law)))


def _opened(node: Expression) -> Expression:
    match node:
        case Number():
            return ONE
        case Apply(Op.POW, (base, Number() as power)):
            return Apply(Op.POW, (_opened(base), power))
        case Apply(op, args):
            return Apply(op, tuple(map(_opened, args)))
    return node


def is_alike(found: Expression, truth: Expression) -> bool:
    """Whether laws have the same variables and kinds of functions: else they are never the same."""
    return _made_of(found) == _made_of(truth)


def _made_of(law: Expression) -> set[str]:
    made = set()
    for node in walk(law):
        match node:
            case Variable(name):
                made.add(name)
            case Apply(op) if op.is_function and op is not Op.SQRT:
                made.add(_KINDS.get(op, op.value))
    return made


_KINDS = dict.fromkeys(TRIGONOMETRIC, "wave")
_KINDS |= dict.fromkeys((Op.EXP, Op.SINH, Op.COSH, Op.TANH), "exponential")
"""Functions that may be written by one another."""


def _equal(
    found: Expression, truth: Expression, names: Sequence[str], box: Box, moved: float
) -> bool:
    """Whether constants can be moved so that the law equals the truth in the box and around it.

    They are looked for in the box first: a pole beyond it would lead them astray.
    """
    from scipy.optimize import least_squares

    constants = np.array(inexact(found))
    changes = np.zeros(len(constants))
    for enlarged in (1.0, ENLARGED):
        off = _difference(found, truth, names, box, enlarged)
        if len(constants):
            limits = (-moved, moved)
            changes = least_squares(
                off, changes, bounds=limits, max_nfev=60, x_scale=0.1, **PRECISE
            ).x
        if not _agree(off(changes)):
            return False
    return True


def _difference(
    found: Expression, truth: Expression, names: Sequence[str], box: Box, enlarged: float
) -> Callable[[FloatArray], FloatArray]:
    """How far a law with changed constants is from the truth, relative to its largest value."""
    middle, half = box.limits.mean(axis=1), enlarged * box.width / 2
    states = middle + half * np.random.default_rng(0).uniform(-1, 1, (STATES, len(box)))
    values = compile_field([truth], names)(states)[:, 0]
    states, values = states[np.isfinite(values)], values[np.isfinite(values)]
    constants = inexact(found)
    labels = [f"constant {k}" for k in range(len(constants))]
    opened = replaced(found, constants, [Variable(label) for label in labels])
    field = compile_field([opened], [*names, *labels])
    size = float(np.max(np.abs(values), initial=1e-300))

    def off(changes: FloatArray) -> FloatArray:
        rows = np.broadcast_to(np.array(constants) * (1 + changes), (len(states), len(constants)))
        difference = (field(np.hstack([states, rows]))[:, 0] - values) / size
        return np.clip(np.nan_to_num(difference, nan=1e3), -1e3, 1e3)

    return off


def _agree(off: FloatArray) -> bool:
    return bool(np.max(np.abs(off), initial=0.0) <= EQUAL)
