"""The vertical method: a law for a target, one variable at a time.

Each variable is freed alone in a round of controlled experiments, and a form is sought that explains all
trials with constants of their own. Where the constants inside functions are the same in all trials, the
variable separates. Variables that all separate are put together at once; otherwise the separating ones are
frozen into a form whose summary constants are new targets with fewer variables, and so on down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from odevsr.language.expression import (
    CONSTANT,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    complexity,
    count,
    rebuild,
)
from odevsr.language.normal import normal_form
from odevsr.language.text import to_text
from odevsr.search.problem import MOST_DEVIATION, Form, make_problem
from odevsr.search.train import Epoch, Found, Proposer, search
from odevsr.vertical.refine import Data, Refined, refine
from odevsr.vertical.screening import interactions, relevant_variables
from odevsr.vertical.span import frozen, number_of, span
from odevsr.vertical.constants import classify
from odevsr.vertical.target import FormExperiment, RestrictedTarget, SummaryTarget, Target, trials_along
from odevsr.vertical.tensor import fit_terms, product_terms
from odevsr.world.oracle import random_states

FloatArray = NDArray[np.float64]


class OutOfBudget(Exception):
    """The states or seconds allowed for an equation are spent."""


@dataclass(frozen=True)
class Round:
    """One round of controlled experiments: what was freed, who proposed what, and how well it fits."""

    target: str
    variable: str
    trials: int
    points: int
    proposer: str
    form: str
    deviation: float
    candidates: int


@dataclass(eq=False)
class Bench:
    """What the rounds of one equation share: proposers, start values, randomness, and the record."""

    proposers: Callable[[str, int], Sequence[Proposer]]
    starts: FloatArray
    rng: np.random.Generator
    check_budget: Callable[[], None]
    on_epoch: Callable[[Epoch], None] = lambda epoch: None
    trials: int = 5
    points: int = 40
    rounds: list[Round] = field(default_factory=list)


def solve(target: Target, bench: Bench, label: str, depth: int = 0) -> Expression | None:
    """An expression with numbers for constants that explains the target, or None."""
    bench.check_budget()
    relevant = relevant_variables(target, bench.rng)
    low, high = target.box.T
    base = low + (high - low) * bench.rng.random(len(low))
    target = RestrictedTarget(target, relevant, base)
    if not relevant:
        return _constant(target)
    found = [_round(target, variable, bench, label) for variable in range(len(relevant))]
    spans = [span(each.forms[0]) if each.forms else None for each in found]
    if all(each is not None for each in spans):
        law = _put_together(target, [each for each in spans if each is not None], bench)
        if law is not None:
            return law
    if len(relevant) == 1:
        return _single(target, found[0], bench)
    separating = [index for index, each in enumerate(spans) if each is not None]
    if separating and len(separating) < len(relevant):
        law = _peel(target, separating, [spans[i] or () for i in separating], bench, label, depth)
        if law is not None:
            return law
    return _expand(target, found, bench, label, depth)


def _constant(target: Target) -> Expression:
    values, errors = target.measure(np.zeros((4, 0)))
    shared = classify(values[:, None], errors[:, None])[0]
    return Number(number_of(shared))


def _round(target: Target, variable: int, bench: Bench, label: str) -> Found:
    """Free one variable, hold the others at `trials` settings, and search."""
    bench.check_budget()
    name = target.names[variable]
    trials = bench.trials if len(target.names) > 1 else 1
    points = bench.points if trials > 1 else 2 * bench.points
    states, values, errors = trials_along(target, [variable], trials, points, bench.rng)
    problem = make_problem([name], states[..., [variable]], values, errors, bench.starts)
    found = search(problem, bench.proposers(name, len(target.names)), on_epoch=bench.on_epoch)
    best = found.forms[0] if found.forms else None
    bench.rounds.append(
        Round(
            target=label,
            variable=name,
            trials=trials,
            points=points,
            proposer=best.proposer if best else "none",
            form=to_text(best.expression if best else found.nearest or CONSTANT),
            deviation=best.deviation if best else float("inf"),
            candidates=found.candidates,
        )
    )
    return found


def _data(target: Target, count: int, bench: Bench) -> Data:
    states = random_states(target.box, count, bench.rng)
    values, errors = target.measure(states)
    usable = np.isfinite(errors)
    return Data(states[usable], values[usable], errors[usable])


def _put_together(target: Target, spans: Sequence[Sequence[Expression]], bench: Bench) -> Expression | None:
    """The law as a sum of products of the variables' functions."""
    functions = product_terms(spans, interactions(target, bench.rng))
    if functions is None:
        return None
    data = _data(target, 2 * len(functions) + 40, bench)
    fitted = fit_terms(functions, target.names, data)
    if fitted is None or not fitted[1] <= MOST_DEVIATION:
        return None
    return fitted[0]


def _single(target: Target, found: Found, bench: Bench) -> Expression | None:
    """A law of one variable: its forms with the constants of the one trial, refined on fresh data."""
    if not found.forms:
        return None
    data = _data(target, 60, bench)
    for form in found.forms[:3]:
        values = [Number(float(value)) for value in form.constants[0]]
        law = refine(rebuild(form.expression, iter(values), Constant), target.names, data)
        if law.deviation <= MOST_DEVIATION:
            return law.expression
    return None


def _peel(
    target: Target,
    separating: Sequence[int],
    spans: Sequence[Sequence[Expression]],
    bench: Bench,
    label: str,
    depth: int,
) -> Expression | None:
    """Freeze the separating variables into a form; its coefficients are functions of the others."""
    functions = product_terms(spans, np.ones((len(spans), len(spans)), dtype=bool))
    if functions is None or len(functions) > 12:
        return None
    pieces = tuple(Apply(Op.MUL, (CONSTANT, function)) for function in functions)
    form = normal_form(pieces[0] if len(pieces) == 1 else Apply(Op.ADD, pieces))
    return _fill(target, tuple(separating), form, bench, label, depth)


def _expand(
    target: Target, found: Sequence[Found], bench: Bench, label: str, depth: int
) -> Expression | None:
    """Take the variable with the simplest form first; its summary constants are the next targets."""
    options = [
        (form.rank, index, form)
        for index, each in enumerate(found)
        for form in each.forms[:2]
    ]
    for _, index, form in sorted(options, key=lambda option: option[:2]):
        law = _fill(target, (index,), frozen(form, coefficients=True), bench, label, depth)
        if law is not None:
            return law
    return None


def _fill(
    target: Target,
    free: tuple[int, ...],
    form: Expression,
    bench: Bench,
    label: str,
    depth: int,
) -> Expression | None:
    """Find each open constant of the form as a function of the variables not in it."""
    seed = int(bench.rng.integers(2**31))
    experiment = FormExperiment(target, free, form, bench.starts, seed)
    fillings: list[Expression] = []
    state = bench.rng.bit_generator.state
    for index in range(count(form, Constant)):
        # All constants see the same random choices, so that one experiment serves them all.
        bench.rng.bit_generator.state = state
        filling = solve(SummaryTarget(experiment, index), bench, f"{label}.{index}", depth + 1)
        if filling is None:
            return None
        fillings.append(filling)
    law = normal_form(rebuild(form, iter(fillings), Constant))
    refined = refine(law, target.names, _data(target, 80, bench))
    return refined.expression if refined.deviation <= MOST_DEVIATION else None
