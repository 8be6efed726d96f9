"""Joint expansion, as in the paper: each round frees one more variable and fills all holes."""

from __future__ import annotations

from odevsr.evidence.exact import Shared, classify
from odevsr.evidence.form import Form
from odevsr.evidence.law import refine
from odevsr.language.expression import (
    HOLE,
    Constant,
    Expression,
    Hole,
    Number,
    count,
    rebuild,
)
from odevsr.vertical.quantity import RestrictedTarget, Target, uniform_states
from odevsr.vertical.rounds import Bench, controlled, search_round, uncontrolled
from odevsr.vertical.screening import relevant_variables
from odevsr.vertical.separate import number_of
from odevsr.vertical.solve import constant_law


def solve_jointly(target: Target, bench: Bench, label: str) -> Expression | None:
    """An expression with numbers for constants that explains the target, or None.

    The start expression of a round is the last one's result, with holes for its summary constants.
    """
    relevant = relevant_variables(target, bench.rng, thorough=True)
    target = RestrictedTarget(target, relevant, uniform_states(target.box, 1, bench.rng)[0])
    if not relevant:
        return constant_law(target)
    start: Expression = HOLE
    for index, variable in enumerate(target.names):
        problem = controlled(target, range(index + 1), bench)
        proposers = bench.proposers.policies(variable, start)
        found = search_round(problem, variable, proposers, bench, label)
        if not found.forms:
            return None
        start = next_start(found.forms[0])
        if not count(start, Hole):
            break
    data = uncontrolled(target, 100, bench)
    return None if data is None else refine(start, target.names, data).expression


def next_start(form: Form) -> Expression:
    """The form with standalone constants at their values and holes for summary constants."""
    kinds = classify(form.constants, form.errors)
    return rebuild(form.expression, iter([_leaf(kind) for kind in kinds]), Constant)


def _leaf(kind: Shared) -> Expression:
    return HOLE if kind.is_summary else Number(number_of(kind))
