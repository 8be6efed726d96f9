"""The vertical method: a law for a target, one variable at a time.

Each variable is freed alone in a round of controlled experiments, and a form is sought that
explains all trials with constants of their own. Where the constants inside functions are the same
in all trials, the variable separates. Variables that all separate are put together at once;
otherwise the separating ones are frozen into a form whose summary constants are new targets with
fewer variables, and so on down.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, count

import numpy as np

from odevsr.language.expression import (
    CONSTANT,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    rebuild,
    variables,
)
from odevsr.language.expression import count as number_of_nodes
from odevsr.language.normal import normal_form
from odevsr.language.term import added
from odevsr.search.train import Found
from odevsr.vertical.constants import classify
from odevsr.vertical.coordinates import ChangedTarget, Pair, changed, merged
from odevsr.vertical.refine import refine
from odevsr.vertical.rounds import NOTHING, Bench, controlled, search_tier, uncontrolled
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
Way = Iterator[Expression | None]
"""Steps towards a law: None where more has to be spent, the law where it is found."""
FORMS_TRIED = 4
MOST_PEELED_TERMS = 12
DEEPEST_POLICY = 2
"""Summary constants of summary constants of the equation: further down only families are tried."""


def solve(target: Target, bench: Bench, label: str) -> Expression | None:
    """An expression with numbers for constants that explains the target, or None."""
    return next((law for law in deepening(target, bench, label) if law is not None), None)


def deepening(
    target: Target, bench: Bench, label: str, depth: int = 0
) -> Iterator[Expression | None]:
    """The law as the last item; before it None for every tier of proposers that did not do.

    Cheap proposals are tried for all variables, and for all that follows from the forms found,
    before dear ones are tried for any.
    """
    bench.check_budget()
    relevant = relevant_variables(target, bench.rng, thorough=depth == 0)
    target = RestrictedTarget(target, relevant, uniform_states(target.box, 1, bench.rng)[0])
    if not relevant:
        yield constant_law(target)
        return
    problems = [controlled(target, [index], bench, depth) for index in range(len(relevant))]
    found: list[Found] = [NOTHING] * len(relevant)
    ways: dict[Hashable, Way] = {}
    for tier in count():
        if tier < _tiers(len(relevant), bench, depth):
            found = [
                each if each.forms else search_tier(problem, name, tier, bench, label)
                for each, problem, name in zip(found, problems, target.names, strict=True)
            ]
            for key, way in _ways(target, found, bench, label, depth):
                ways.setdefault(key, way)
        elif not ways:
            return
        law = _first_law(ways)
        yield law
        if law is not None:
            return


def _tiers(variables: int, bench: Bench, depth: int) -> int:
    """Sampling a grammar is dear: summary constants get it only where they have one variable."""
    has_policy = depth == 0 or (variables == 1 and depth <= DEEPEST_POLICY)
    return bench.proposers.tiers - (not has_policy)


def _first_law(ways: dict[Hashable, Way]) -> Expression | None:
    """Go one step further on every way until one leads to a law; those that end are dropped."""
    for key, way in list(ways.items()):
        try:
            law = next(way)
        except StopIteration:
            del ways[key]
            continue
        if law is not None:
            return law
    return None


def constant_law(target: Target) -> Expression | None:
    """The value of a target in which no variable is left."""
    values, errors = target.measure(np.zeros((4, 0)))
    if not np.any(np.isfinite(errors)):
        return None
    return Number(number_of(classify(values[:, None], errors[:, None])[0]))


def _ways(
    target: Target, found: Sequence[Found], bench: Bench, label: str, depth: int
) -> Iterator[tuple[Hashable, Way]]:
    """Ways from the forms of the single variables to a law, the cheapest first."""
    spans = [_first_span(each) for each in found]
    separating = tuple(index for index, each in enumerate(spans) if each is not None)
    chosen = tuple(each for each in spans if each is not None)
    if len(chosen) == len(found):
        yield "together", _together(target, chosen, bench, depth)
    elif chosen:
        yield separating, _peeled(target, separating, chosen, bench, label, depth)
    if len(found) == 1:
        if found[0].forms:
            yield "alone", _alone(target, found[0], bench, depth)
        return
    tangled = [index for index in range(len(found)) if index not in separating]
    for pair in combinations(tangled, 2):
        yield pair, _merged(target, pair, bench, label, depth)
    for index, template in _templates(found):
        if separating == (index,):
            continue  # That is what was peeled.
        yield (index, template), _filled(target, (index,), template, bench, label, depth)
    for pair in combinations(tangled, 2):
        for other in changed(target, pair):
            way = _in_z(other, deepening(other, bench, label, depth + 1), bench, depth)
            yield (other.relation, pair), way


def _first_span(found: Found) -> Span | None:
    """The span of the best form that separates."""
    spans = (span(form) for form in found.forms[:FORMS_TRIED])
    return next((each for each in spans if each is not None), None)


def _together(target: Target, spans: Sequence[Span], bench: Bench, depth: int) -> Way:
    """The law as a sum of products of the variables' functions."""
    functions = product_terms(spans, interactions(target, bench.rng, thorough=depth == 0))
    if functions is None:
        return
    number = len(functions) + max(len(functions), bench.sizes_at(depth).checks) // 2 + 8
    data = uncontrolled(target, number, bench)
    if data is not None:
        law, deviation = fit_terms(functions, target.names, data)
        yield law if deviation <= bench.most_deviation else None


def _alone(target: Target, found: Found, bench: Bench, depth: int) -> Way:
    """A law of one variable: a form with the constants of its one trial, refined on fresh data."""
    data = uncontrolled(target, bench.sizes_at(depth).checks, bench)
    if data is None:
        return
    for form in found.forms[:FORMS_TRIED]:
        values = [Number(float(value)) for value in form.constants[0]]
        law = refine(rebuild(form.expression, iter(values), Constant), target.names, data)
        if law.deviation <= bench.most_deviation:
            yield law.expression


def _peeled(
    target: Target,
    separating: Sequence[int],
    spans: Sequence[Span],
    bench: Bench,
    label: str,
    depth: int,
) -> Way:
    """Freeze the separating variables into a form; its coefficients are functions of the others."""
    functions = product_terms(spans, np.ones((len(spans), len(spans)), dtype=bool))
    if functions is not None and len(functions) <= MOST_PEELED_TERMS:
        form = normal_form(added([Apply(Op.MUL, (CONSTANT, function)) for function in functions]))
        yield from _filled(target, tuple(separating), form, bench, label, depth)


def _merged(target: Target, pair: Pair, bench: Bench, label: str, depth: int) -> Way:
    """Take two variables for one, if the target does."""
    both = merged(target, pair, bench.rng)
    if both is not None:
        in_z, restricted = both
        yield from _in_z(in_z, deepening(restricted, bench, label, depth), bench, depth)


def _in_z(target: ChangedTarget, way: Way, bench: Bench, depth: int) -> Way:
    """Laws in z that hold for all x and y, not only in the ranges where z was studied."""
    for law in way:
        yield None if law is None else _held(target.written_out(law), target.whole, bench, depth)


def _held(law: Expression, target: Target, bench: Bench, depth: int) -> Expression | None:
    """The law with its numbers refined on uncontrolled data, if it explains them."""
    data = uncontrolled(target, bench.sizes_at(depth).checks, bench)
    if data is None:
        return None
    refined = refine(normal_form(law), target.names, data)
    return refined.expression if refined.deviation <= bench.most_deviation else None


def _templates(found: Sequence[Found]) -> list[tuple[int, Expression]]:
    """Forms with open summary constants, and which variable they are of, the simplest first."""
    options = [
        (form.rank, index, frozen(form, coefficients=True))
        for index, each in enumerate(found)
        for form in each.forms[:2]
    ]
    return [(index, template) for _, index, template in sorted(options, key=lambda o: o[:2])]


def _filled(
    target: Target, free: tuple[int, ...], form: Expression, bench: Bench, label: str, depth: int
) -> Way:
    """Find each open constant of the form as a function of the variables not in it."""
    seed = int(bench.rng.integers(2**31))
    experiment = FormExperiment(target, free, form, bench.starts, seed)
    for fillings in _fillings(experiment, bench, label, depth + 1):
        if fillings is None:
            yield None
        else:
            yield _held(rebuild(form, iter(fillings), Constant), target, bench, depth)


def _fillings(
    experiment: FormExperiment, bench: Bench, label: str, depth: int
) -> Iterator[list[Expression] | None]:
    """Laws of all constants of the form as the last item; before it None as in `deepening`.

    Each constant gets a first look, and another one when others have been found that it may be
    built of; after that, one after the other gets all it takes.
    """
    constants = range(number_of_nodes(experiment.expression, Constant))
    state = bench.rng.bit_generator.state
    found: dict[int, Expression] = {}
    ways: dict[int, Way] = {}
    has_news = True
    while has_news and len(found) < len(constants):
        has_news = False
        for index in constants:
            if index in found:
                continue
            # All constants see the same random choices, so that one experiment serves them all.
            bench.rng.bit_generator.state = state
            constant = SummaryTarget(experiment, index)
            knowing = bench.knowing(found.values())
            ways[index] = deepening(constant, knowing, f"{label}.{index}", depth)
            law = next(ways[index])
            if law is not None:
                found[index] = law
                has_news |= bool(variables(law))
    for index in constants:
        if index not in found:
            for law in ways[index]:
                yield None
                if law is not None:
                    found[index] = law
        if index not in found:
            return
    yield [found[index] for index in constants]
