"""The vertical method: a law for a target, one variable at a time.

Each variable is freed alone in a round of controlled experiments, and a form is sought that
explains all trials with constants of their own. Where the constants inside functions are the same
in all trials, the variable separates. Variables that all separate are put together at once;
otherwise the separating ones are frozen into a form whose summary constants are new targets with
fewer variables, and so on down.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, islice

import numpy as np

from odevsr.evidence.exact import classify
from odevsr.evidence.law import refine
from odevsr.evidence.simplify import fit_terms, product_terms
from odevsr.language.expression import (
    CONSTANT,
    TRIGONOMETRIC,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    rebuild,
    variables,
    walk,
)
from odevsr.language.expression import count as number_of_nodes
from odevsr.language.normal import normal_form
from odevsr.language.term import added
from odevsr.search.loop import Found
from odevsr.vertical.coordinates import ChangedTarget, Pair, changed, merged
from odevsr.vertical.quantity import (
    FormExperiment,
    RestrictedTarget,
    SummaryTarget,
    Target,
    uniform_states,
)
from odevsr.vertical.rounds import NOTHING, Bench, controlled, search_tier, uncontrolled
from odevsr.vertical.screening import interactions, relevant_variables
from odevsr.vertical.separate import frozen, number_of, span

Span = tuple[Expression, ...]
Way = Iterator[Expression | None]
"""Steps towards a law: None where more has to be spent, the law where it is found."""
FORMS_TRIED = 4
FIRST_LOOK = 2
"""Tiers, cheap ones, that all summary constants of a form go through before any goes further."""
MOST_PEELED_TERMS = 12
DEEPEST_POLICY = 2
"""Summary constants of summary constants of the equation: further down only families are tried."""


@dataclass(frozen=True, eq=False)
class Question:
    """A target whose law is asked for, and what is at hand to find it."""

    target: Target
    bench: Bench
    label: str
    """What the rounds are written down under."""
    depth: int = 0
    """How many forms it is a summary constant within."""
    in_new_coordinates: bool = False

    @property
    def is_first(self) -> bool:
        """True for the equation itself."""
        return self.depth == 0


def solve(target: Target, bench: Bench, label: str) -> Expression | None:
    """An expression with numbers for constants that explains the target, or None."""
    laws = deepening(Question(target, bench, label))
    return next((law for law in laws if law is not None), None)


def deepening(question: Question) -> Way:
    """The law as the last item; before it None for every tier of proposers that did not do.

    Cheap proposals are tried for all variables, and for all that follows from the forms found,
    before dear ones are tried for any.
    """
    bench, label = question.bench, question.label
    bench.check_budget()
    relevant = relevant_variables(question.target, bench.rng, thorough=question.is_first)
    base = uniform_states(question.target.box, 1, bench.rng)[0]
    target = RestrictedTarget(question.target, relevant, base)
    question = replace(question, target=target)
    if not relevant:
        yield constant_law(target)
        return
    problems = [controlled(target, [i], bench, question.depth) for i in range(len(relevant))]
    found: list[Found] = [NOTHING] * len(relevant)
    ways: dict[Hashable, Way] = {}
    begun: set[Hashable] = set()
    for tier in count():
        if tier < _tiers(question):
            found = [
                each if each.forms else search_tier(problem, name, tier, bench, label)
                for each, problem, name in zip(found, problems, target.names, strict=True)
            ]
            new = {key: way for key, way in _ways(question, found) if key not in begun}
            begun |= new.keys()
            ways |= new
        elif not ways:
            return
        law = _first_law(ways)
        yield law
        if law is not None:
            return


def _tiers(question: Question) -> int:
    """Sampling a grammar is dear: summary constants get it only where they have one variable."""
    is_simple = len(question.target.names) == 1 and question.depth <= DEEPEST_POLICY
    return question.bench.proposers.tiers - (not (question.is_first or is_simple))


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


def _ways(question: Question, found: Sequence[Found]) -> Iterator[tuple[Hashable, Way]]:
    """Ways from the forms of the single variables to a law, the cheapest first."""
    spans = [_first_span(each) for each in found]
    separating = tuple(index for index, each in enumerate(spans) if each is not None)
    tangled = [index for index, each in enumerate(spans) if each is None]
    chosen = [each for each in spans if each is not None]
    if not tangled:
        yield "together", _together(question, chosen)
    elif chosen:
        yield ("peeled", separating), _peeled(question, separating, chosen)
    if len(found) == 1:
        if found[0].forms:
            yield "alone", _alone(question, found[0])
        return
    for pair in combinations(tangled, 2):
        yield ("merged", pair), _merged(question, pair)
    known = list(combinations([index for index in tangled if found[index].forms], 2))
    # Angles that tangle do so by their difference, so that their new coordinates come first.
    angles = [pair for pair in known if all(_has_wave(found[index]) for index in pair)]
    yield from _in_new_coordinates(question, angles)
    for index, template in _templates(found):
        if separating != (index,):  # That is what was peeled.
            yield (index, template), _filled(question, (index,), template)
    yield from _in_new_coordinates(question, [pair for pair in known if pair not in angles])


def _has_wave(found: Found) -> bool:
    nodes = walk(found.forms[0].expression)
    return any(isinstance(node, Apply) and node.op in TRIGONOMETRIC for node in nodes)


def _in_new_coordinates(
    question: Question, pairs: Sequence[Pair]
) -> Iterator[tuple[Hashable, Way]]:
    """Ways with the sum or difference of a pair for one of it; they change only once."""
    if not question.in_new_coordinates:
        for pair in pairs:
            for target in changed(question.target, pair):
                yield (target.relation, pair), _in_z(question, target, target)


def _first_span(found: Found) -> Span | None:
    """The span of the best form that separates."""
    spans = (span(form) for form in found.forms[:FORMS_TRIED])
    return next((each for each in spans if each is not None), None)


def _together(question: Question, spans: Sequence[Span]) -> Way:
    """The law as a sum of products of the variables' functions."""
    target, bench = question.target, question.bench
    functions = product_terms(spans, interactions(target, bench.rng, thorough=question.is_first))
    if functions is None:
        return
    checks = bench.sizes_at(question.depth).checks
    data = uncontrolled(target, len(functions) + max(len(functions), checks) // 2 + 8, bench)
    if data is not None:
        law, deviation = fit_terms(functions, target.names, data)
        yield law if deviation <= bench.most_deviation else None


def _alone(question: Question, found: Found) -> Way:
    """A law of one variable: a form with the constants of its one trial."""
    for form in found.forms[:FORMS_TRIED]:
        values = [Number(float(value)) for value in form.constants[0]]
        yield _held(question, rebuild(form.expression, iter(values), Constant))


def _held(question: Question, law: Expression) -> Expression | None:
    """The law with its numbers refined on uncontrolled data, if it explains them."""
    bench, target = question.bench, question.target
    data = uncontrolled(target, bench.sizes_at(question.depth).checks, bench)
    if data is None:
        return None
    refined = refine(normal_form(law), target.names, data)
    return refined.expression if refined.deviation <= bench.most_deviation else None


def _peeled(question: Question, separating: tuple[int, ...], spans: Sequence[Span]) -> Way:
    """Freeze the separating variables into a form; its coefficients are functions of the others."""
    functions = product_terms(spans, np.ones((len(spans), len(spans)), dtype=bool))
    if functions is not None and len(functions) <= MOST_PEELED_TERMS:
        form = normal_form(added([Apply(Op.MUL, (CONSTANT, function)) for function in functions]))
        yield from _filled(question, separating, form)


def _merged(question: Question, pair: Pair) -> Way:
    """Take two variables for one, if the target does."""
    both = merged(question.target, pair, question.bench.rng)
    if both is not None:
        yield from _in_z(question, *both)


def _in_z(question: Question, target: ChangedTarget, studied: Target) -> Way:
    """Laws in z that hold for all x and y, not only in the ranges where z was studied."""
    for law in deepening(replace(question, target=studied, in_new_coordinates=True)):
        yield None if law is None else _held(question, target.written_out(law))


def _templates(found: Sequence[Found]) -> list[tuple[int, Expression]]:
    """Forms with open summary constants, and which variable they are of, the simplest first."""
    options = [
        (form.rank, index, frozen(form, coefficients=True))
        for index, each in enumerate(found)
        for form in each.forms[:2]
    ]
    return [(index, template) for _, index, template in sorted(options, key=lambda o: o[:2])]


def _filled(question: Question, free: tuple[int, ...], form: Expression) -> Way:
    """Find each open constant of the form as a function of the variables not in it."""
    bench = question.bench
    seed = int(bench.rng.integers(2**31))
    experiment = FormExperiment(question.target, free, form, bench.starts, seed)
    for fillings in _fillings(question, experiment):
        law = None if fillings is None else rebuild(form, iter(fillings), Constant)
        yield None if law is None else _held(question, law)


def _fillings(question: Question, experiment: FormExperiment) -> Iterator[list[Expression] | None]:
    """Laws of all constants of the form as the last item; before it None as in `deepening`.

    Each constant gets a first look, and another one when others have been found that it may be
    built of; after that, one after the other gets all it takes.
    """
    bench = question.bench
    constants = range(number_of_nodes(experiment.expression, Constant))
    state = bench.rng.bit_generator.state
    found: dict[int, Expression] = {}
    ways: dict[int, Way] = {}
    has_news = True
    while has_news and len(found) < len(constants):
        has_news = False
        for index in (each for each in constants if each not in found):
            # All constants see the same random choices, so that one experiment serves them all.
            bench.rng.bit_generator.state = state
            ways[index] = deepening(
                replace(
                    question,
                    target=SummaryTarget(experiment, index),
                    bench=bench.knowing(found.values()),
                    label=f"{question.label}.{index}",
                    depth=question.depth + 1,
                )
            )
            for law in islice(ways[index], FIRST_LOOK):
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
