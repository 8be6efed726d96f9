"""The vertical method: a law for a target, one variable at a time.

Each variable is freed alone in a round of controlled experiments, and a form is sought that
explains all trials with constants of their own. Where the constants inside functions are the same
in all trials, the variable separates. Variables that all separate are put together at once;
otherwise the separating ones are frozen into a form whose summary constants are new targets with
fewer variables, and so on down.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.language.expression import (
    CONSTANT,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    count,
    rebuild,
)
from odevsr.language.normal import normal_form
from odevsr.language.term import added
from odevsr.search.problem import MOST_DEVIATION, Form
from odevsr.search.train import Found
from odevsr.vertical.constants import classify
from odevsr.vertical.refine import refine
from odevsr.vertical.rounds import Bench, controlled, search_round, uncontrolled
from odevsr.vertical.screening import interactions, relevant_variables
from odevsr.vertical.span import frozen, number_of, span
from odevsr.vertical.target import (
    FormExperiment,
    RestrictedTarget,
    SummaryTarget,
    Target,
    uniform_states,
)
from odevsr.vertical.tensor import fit_terms, product_terms

Span = tuple[Expression, ...]
FORMS_TRIED = 4
MOST_PEELED_TERMS = 12
DEEPEST_POLICY = 2
"""Summary constants of summary constants of the equation: further down only families are tried."""


def solve(target: Target, bench: Bench, label: str, depth: int = 0) -> Expression | None:
    """An expression with numbers for constants that explains the target, or None."""
    bench.check_budget()
    relevant = relevant_variables(target, bench.rng, thorough=depth == 0)
    target = RestrictedTarget(target, relevant, uniform_states(target.box, 1, bench.rng)[0])
    if not relevant:
        return constant_law(target)
    found = [_first_round(target, index, bench, label, depth) for index in range(len(relevant))]
    law = _assemble(target, found, bench, label, depth)
    if law is None and _asks_policy(found, bench, depth):
        again = [
            each if each.forms else _policy_round(target, index, bench, label, depth)
            for index, each in enumerate(found)
        ]
        if any(new.forms and not old.forms for new, old in zip(again, found, strict=True)):
            law = _assemble(target, again, bench, label, depth)
    return law


def constant_law(target: Target) -> Expression | None:
    """The value of a target in which no variable is left."""
    values, errors = target.measure(np.zeros((4, 0)))
    if not np.any(np.isfinite(errors)):
        return None
    return Number(number_of(classify(values[:, None], errors[:, None])[0]))


def _first_round(target: Target, variable: int, bench: Bench, label: str, depth: int) -> Found:
    """Families where they are wanted, the policy where they are not."""
    name = target.names[variable]
    families = bench.proposers.families(name)
    if not families:
        return _policy_round(target, variable, bench, label, depth)
    problem = controlled(target, [variable], bench, depth)
    return search_round(problem, name, families, bench, label)


def _policy_round(target: Target, variable: int, bench: Bench, label: str, depth: int) -> Found:
    name = target.names[variable]
    problem = controlled(target, [variable], bench, depth)
    return search_round(problem, name, bench.proposers.policies(name), bench, label)


def _asks_policy(found: Sequence[Found], bench: Bench, depth: int) -> bool:
    """True where sampling can help: a variable has no form, and the policy had no turn."""
    untried = bench.proposers.settings.families and not all(each.forms for each in found)
    return untried and depth <= DEEPEST_POLICY and (depth == 0 or len(found) == 1)


def _assemble(
    target: Target, found: Sequence[Found], bench: Bench, label: str, depth: int
) -> Expression | None:
    """A law from the forms of the single variables, if they suffice."""
    spans = [_first_span(each) for each in found]
    separating = [index for index, each in enumerate(spans) if each is not None]
    chosen = [each for each in spans if each is not None]
    law = None
    if len(chosen) == len(found):
        law = _put_together(target, chosen, bench, depth)
    if law is None and len(found) == 1:
        return _single(target, found[0], bench, depth)
    if law is None and 0 < len(chosen) < len(found):
        law = _peel(target, separating, chosen, bench, label, depth)
    if law is None:
        law = _expand(target, found, bench, label, depth)
    return law


def _first_span(found: Found) -> Span | None:
    """The span of the best form that separates."""
    spans = (span(form) for form in found.forms[:FORMS_TRIED])
    return next((each for each in spans if each is not None), None)


def _put_together(
    target: Target, spans: Sequence[Span], bench: Bench, depth: int
) -> Expression | None:
    """The law as a sum of products of the variables' functions."""
    functions = product_terms(spans, interactions(target, bench.rng, thorough=depth == 0))
    if functions is None:
        return None
    number = len(functions) + max(len(functions), bench.sizes_at(depth).checks) // 2 + 8
    data = uncontrolled(target, number, bench)
    if data is None:
        return None
    law, deviation = fit_terms(functions, target.names, data)
    return law if deviation <= MOST_DEVIATION else None


def _single(target: Target, found: Found, bench: Bench, depth: int) -> Expression | None:
    """A law of one variable: a form with the constants of its one trial, refined on fresh data."""
    if not found.forms:
        return None
    data = uncontrolled(target, bench.sizes_at(depth).checks, bench)
    if data is None:
        return None
    for form in found.forms[:FORMS_TRIED]:
        values = [Number(float(value)) for value in form.constants[0]]
        law = refine(rebuild(form.expression, iter(values), Constant), target.names, data)
        if law.deviation <= MOST_DEVIATION:
            return law.expression
    return None


def _peel(
    target: Target,
    separating: Sequence[int],
    spans: Sequence[Span],
    bench: Bench,
    label: str,
    depth: int,
) -> Expression | None:
    """Freeze the separating variables into a form; its coefficients are functions of the others."""
    functions = product_terms(spans, np.ones((len(spans), len(spans)), dtype=bool))
    if functions is None or len(functions) > MOST_PEELED_TERMS:
        return None
    form = normal_form(added([Apply(Op.MUL, (CONSTANT, function)) for function in functions]))
    return _fill(target, tuple(separating), form, bench, label, depth)


def _expand(
    target: Target, found: Sequence[Found], bench: Bench, label: str, depth: int
) -> Expression | None:
    """Take the variable of the simplest form first; its summary constants are the next targets."""
    options: list[tuple[tuple[int, int], int, Form]] = [
        (form.rank, index, form) for index, each in enumerate(found) for form in each.forms[:2]
    ]
    tried: set[Expression] = set()
    for _, index, form in sorted(options, key=lambda option: option[:2]):
        template = frozen(form, coefficients=True)
        if template in tried:
            continue
        tried.add(template)
        law = _fill(target, (index,), template, bench, label, depth)
        if law is not None:
            return law
    return None


def _fill(
    target: Target, free: tuple[int, ...], form: Expression, bench: Bench, label: str, depth: int
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
    data = uncontrolled(target, bench.sizes_at(depth).checks, bench)
    if data is None:
        return None
    refined = refine(law, target.names, data)
    return refined.expression if refined.deviation <= MOST_DEVIATION else None
