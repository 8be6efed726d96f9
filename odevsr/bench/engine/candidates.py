"""Candidates for the fitting bench: distinct normal forms drawn from a grammar, and true laws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.fitting.program import Program, TooLargeError, compile_program
from odevsr.fitting.trials import Trials, make_trials
from odevsr.language.algebra.normal import is_invalid
from odevsr.language.drawing.forest import Forest
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import (
    Constant,
    Expression,
    complexity,
    count,
    variables,
    with_constants,
)
from odevsr.search.policy.prior import PriorPolicy, Shares

LONGEST, MOST_CONSTANTS = 40, 8
TERMINAL = 0.6
"""Lower than in searches, so that candidates grow to twenty nodes on average."""
SPREAD = 0.7
BATCH = 1024
LARGEST_VALUE = 1e8


def sampled_forms(
    names: Sequence[str],
    operators: Sequence[str],
    rng: np.random.Generator,
    *,
    fewest_constants: int,
) -> Iterator[Expression]:
    """Distinct normal forms of at most 40 nodes and 8 constants, for ever."""
    grammar = make_grammar(names, operators=operators, longest=LONGEST)
    forest, policy = Forest(grammar), PriorPolicy(grammar, rng, Shares(terminal=TERMINAL))
    seen: set[Expression] = set()
    while True:
        for form in forest.plant(policy.sample(BATCH)):
            constants = count(form, Constant)
            fits = fewest_constants <= constants <= MOST_CONSTANTS and complexity(form) <= LONGEST
            if fits and variables(form) and not is_invalid(form) and form not in seen:
                seen.add(form)
                yield form


@dataclass(frozen=True, eq=False)
class KnownLaw:
    """A form with known constants, and noise-free values of it at random points."""

    form: Expression
    program: Program
    trials: Trials


def sampled_laws(
    number: int,
    operators: Sequence[str],
    box: tuple[float, float],
    rng: np.random.Generator,
) -> list[KnownLaw]:
    """Laws in two variables with 2 to 8 constants, signed lognormal, at 256 points of a box.

    Those without a finite value at every point, or with none but one value, are left out.
    """
    names = ("x0", "x1")
    laws: list[KnownLaw] = []
    for form in sampled_forms(names, operators, rng, fewest_constants=2):
        number_of_constants = count(form, Constant)
        signs = rng.choice([-1.0, 1.0], number_of_constants)
        constants = signs * np.exp(SPREAD * rng.normal(size=number_of_constants))
        points = rng.uniform(*box, (1, 256, len(names)))
        values = compile_field([with_constants(form, list(constants))], names)(points)[..., 0]
        program = _program(form, names)
        if program is not None and _is_usable(values):
            laws.append(KnownLaw(form, program, make_trials(points, values)))
        if len(laws) == number:
            return laws
    raise AssertionError("there is no end of forms")


def _program(form: Expression, names: Sequence[str]) -> Program | None:
    try:
        return compile_program(form, names)
    except TooLargeError:
        return None


def _is_usable(values: FloatArray) -> bool:
    size = float(np.max(np.abs(values)))
    return size < LARGEST_VALUE and float(np.ptp(values)) > 1e-9 * size
