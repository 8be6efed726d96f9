"""Strategies that lead from the forms of single variables to a law, the cheapest first.

Each says when it applies and what its steps are. A strategy is a value: what was begun once is not
begun again. Its steps end when it has nothing left to try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from typing import Protocol

import numpy as np

from odevsr.evidence.law import fit
from odevsr.evidence.simplify import fit_terms
from odevsr.language.expression import (
    CONSTANT,
    TRIGONOMETRIC,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Variable,
    count,
    rebuild,
    variables,
    walk,
)
from odevsr.language.normal import normal_form
from odevsr.language.term import added
from odevsr.language.text import to_text
from odevsr.limits import Limits
from odevsr.search.loop import Found
from odevsr.vertical.coordinates import (
    DIFFERENCE,
    SUM,
    Changed,
    Pair,
    Relation,
    changed,
)
from odevsr.vertical.design import Draw
from odevsr.vertical.outer import promising
from odevsr.vertical.quantity import FormExperiment, SummaryConstant
from odevsr.vertical.reduced import Reduced, guessed, reduced
from odevsr.vertical.rounds import Question
from odevsr.vertical.screening import interactions
from odevsr.vertical.separate import frozen, product_terms, span
from odevsr.vertical.step import Outcome, Step, is_law
from odevsr.vertical.story import numbered

Span = tuple[Expression, ...]
Solve = Callable[[Question], Iterator[Step]]
"""How the law of another quantity is found: the method itself, further down."""
FORMS_TRIED = 4
"""Forms of a variable that strategies look at: more explain the trials, but worse ones."""
FIRST_LOOK = 2
"""Steps, cheap ones, that all summary constants of a form get before any gets more."""
MORE = 8
"""Measurements in excess of those that terms need."""
MOST_PEELED_TERMS = 12
"""Coefficients that are worth a search each."""


class Strategy(Protocol):
    """A way from the forms of single variables to a law."""

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Steps towards the law."""
        ...


def strategies(question: Question, found: Sequence[Found]) -> Iterator[Strategy]:
    """All strategies that apply to what the rounds have found, the cheapest first."""
    limits = question.limits
    spans = [_first_span(each, limits) for each in found]
    separating = tuple(index for index, each in enumerate(spans) if each is not None)
    tangled = [index for index, each in enumerate(spans) if each is None]
    chosen = tuple(each for each in spans if each is not None)
    if not tangled:
        yield Together(chosen)
    if len(found) == 1 and found[0].forms:
        yield Alone(_first_laws(found[0]))
    if question.is_brief:
        return
    if len(found) > 1:
        yield from _of_several(question, found, separating, tangled)
    elif tangled and question.is_looked_at:
        yield ThroughOuter()


def _of_several(
    question: Question, found: Sequence[Found], separating: tuple[int, ...], tangled: Sequence[int]
) -> Iterator[Strategy]:
    """Strategies where variables are tangled, or what separates did not do."""
    if tangled:
        yield ActingAsOne(tuple(tangled))
    known = list(combinations([index for index in tangled if found[index].forms], 2))
    # Angles that tangle do so by their difference, so that their new coordinates come first.
    angles = [pair for pair in known if all(_has_wave(found[index]) for index in pair)]
    yield from _in_new_coordinates(question, angles)
    templates = _templates(found, question.limits)
    # What separates alone is peeled.
    filled = [Filled((index,), form) for index, form in templates if separating != (index,)]
    # One constant is one search; several may be due to a function around all of the law.
    yield from (each for each in filled if count(each.form, Constant) == 1)
    if tangled and question.is_looked_at:
        yield ThroughOuter()
    if tangled and separating:
        spans = [_first_span(found[index], question.limits) for index in separating]
        yield Peeled(separating, tuple(each for each in spans if each is not None))
    yield from (each for each in filled if count(each.form, Constant) != 1)
    yield from _in_new_coordinates(question, [pair for pair in known if pair not in angles])


def account(strategy: Strategy) -> tuple[str, tuple[int, ...], Expression | None]:
    """What a strategy is called, which variables it is about, and the form that it fills."""
    match strategy:
        case Peeled(separating):
            return "peeled", separating, strategy.form()
        case Filled(free, form):
            return "filled", free, form
        case InNewCoordinates(variables) | ActingAsOne(variables):
            return "coordinates", variables, None
        case ThroughOuter():
            return "outer", (), None
    return type(strategy).__name__.lower(), (), None


def _in_new_coordinates(question: Question, pairs: Sequence[Pair]) -> Iterator[Strategy]:
    """The sum or difference of a pair for one of it; coordinates change only once."""
    if not question.in_new_coordinates:
        for pair, relation in product(pairs, (DIFFERENCE, SUM)):
            yield InNewCoordinates(pair, relation)


@dataclass(frozen=True)
class Together:
    """Every variable separates: the law is a sum of products of their functions."""

    spans: tuple[Span, ...]

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """One least squares, from which terms that the data do not need are dropped."""
        rng = question.design.rng(Draw.INTERACTIONS)
        together = interactions(
            question.quantity, rng, thorough=question.is_first, limits=question.limits
        )
        functions = product_terms(self.spans, together)
        if functions is None:
            return
        sample = question.uncontrolled(_enough(len(functions), question.check_points))
        if sample.values.size:
            agreement = question.attempt.agreement
            law, deviation = fit_terms(functions, question.quantity.names, sample, agreement)
            explains = agreement.explains(deviation, len(sample.values))
            yield law if explains else Outcome.REFUTED


@dataclass(frozen=True)
class Alone:
    """There is one variable: its forms, with the constants of the one trial, are the law."""

    laws: tuple[Expression, ...]

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """One law after the other, held to data."""
        yield from (_held(question, law) for law in self.laws)


@dataclass(frozen=True)
class Peeled:
    """Some variables separate: frozen into a form, they leave coefficients in the others."""

    separating: tuple[int, ...]
    spans: tuple[Span, ...]

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Those of filling the form, unless it has too many coefficients."""
        if (form := self.form()) is not None:
            yield from Filled(self.separating, form).steps(question, solve)

    def form(self) -> Expression | None:
        """The sum of all products of their functions, each with an open coefficient."""
        everything = np.ones((len(self.spans), len(self.spans)), dtype=bool)
        functions = product_terms(self.spans, everything)
        if functions is None or len(functions) > MOST_PEELED_TERMS:
            return None
        return normal_form(added([Apply(Op.MUL, (CONSTANT, each)) for each in functions]))


@dataclass(frozen=True)
class ActingAsOne:
    """Some of the tangled variables may act as one, or scale with one another."""

    tangled: tuple[int, ...]

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Those of the quantity with fewer variables."""
        simpler = fewer_variables(question, self.tangled)
        if simpler is not None:
            yield from in_fewer(question, simpler, solve)


@dataclass(frozen=True)
class ThroughOuter:
    """The quantity may be simpler as its reciprocal, square, logarithm, sine, ..."""

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """A brief search for each outer function that promises anything, all in one step."""
        quantity, design = question.quantity, question.design.part(Draw.OUTER)
        for seen in promising(quantity, design.rng(Draw.OUTER)):
            inner = replace(
                question,
                quantity=seen,
                design=design,
                is_brief=True,
                stands_for=(*question.stands_for, (question.label, f"its {seen.outer.name}")),
            )
            for law in filter(is_law, solve(inner)):
                yield _held(question, seen.written_out(law))


@dataclass(frozen=True)
class InNewCoordinates:
    """Two variables are tangled, but may come apart in their difference or sum and one of them."""

    pair: Pair
    relation: Relation

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Those of the quantity in the new coordinates."""
        quantity = changed(question.quantity, self.pair, self.relation)
        design = question.design.part(Draw.PAIRS, *self.pair)
        x = quantity.names[self.pair[0]]
        inner = replace(
            question,
            quantity=quantity,
            design=design,
            in_new_coordinates=True,
            stands_for=(*question.stands_for, (x, to_text(quantity.written_out(Variable(x))))),
        )
        yield from _written_out(question, inner, quantity, solve)


@dataclass(frozen=True)
class Filled:
    """A form of some variables whose open constants are functions of the others."""

    free: tuple[int, ...]
    form: Expression

    def steps(self, question: Question, solve: Solve) -> Iterator[Step]:
        """Find every constant as a quantity of its own, and hold the whole to data."""
        experiment = FormExperiment(
            question.quantity,
            self.free,
            self.form,
            question.attempt.starts,
            question.attempt.agreement,
            question.design,
        )
        for fillings in _fillings(question, experiment, solve):
            if fillings is None:
                yield Outcome.SPENT
            else:
                yield _held(question, rebuild(self.form, iter(fillings), Constant))


def _fillings(
    question: Question, experiment: FormExperiment, solve: Solve
) -> Iterator[list[Expression] | None]:
    """Laws of all constants of the form as the last item; before it None for every step.

    Each constant gets a first look, and another one when others have been found that it may be
    built of; after that, one after the other gets all it takes. All are asked about the same
    states, so that one fit serves them all.
    """
    constants = range(count(experiment.expression, Constant))
    found: dict[int, Expression] = {}
    under_way: dict[int, Iterator[Step]] = {}
    has_news = True
    while has_news and len(found) < len(constants):
        has_news = False
        for index in (each for each in constants if each not in found):
            under_way[index] = solve(_within(question, experiment, index, found))
            law = next(filter(is_law, islice(under_way[index], FIRST_LOOK)), None)
            if law is not None:
                found[index] = law
                has_news |= bool(variables(law))
    for index in constants:
        while index not in found:
            step = next(under_way[index], None)
            if step is None:
                return
            yield None
            if is_law(step):
                found[index] = step
    yield [found[index] for index in constants]


def _within(
    question: Question, experiment: FormExperiment, index: int, found: dict[int, Expression]
) -> Question:
    """The question about one constant of a form."""
    called = question.constants_of(experiment.expression)
    key = (Draw.CONSTANTS, *experiment.free, count(experiment.expression, Constant))
    return replace(
        question,
        quantity=SummaryConstant(experiment, index),
        attempt=question.attempt.knowing(found.values()),
        design=question.design.part(*key),
        label=f"{question.label}.{index}",
        depth=question.depth + 1,
        within=numbered(experiment.expression, called),
        called=called[index],
    )


def _enough(terms: int, checks: int) -> int:
    """Measurements that so many terms are chosen by: half as many again as there are terms."""
    return terms + max(terms, checks) // 2 + MORE


def fewer_variables(question: Question, tangled: Sequence[int] = ()) -> Reduced | None:
    """The quantity with its symmetries made use of; noise leaves only guesses about pairs.

    Before any variable is known to be tangled, only those that act as one are looked for.
    """
    quantity, limits = question.quantity, question.limits
    rng = question.design.rng(Draw.SYMMETRIES)
    if question.attempt.agreement.is_noisy:
        return guessed(quantity, list(combinations(tangled, 2)), rng, limits)
    if len(quantity.names) == 1:
        return None
    return reduced(quantity, rng, limits, with_scalings=bool(tangled))


def in_fewer(question: Question, simpler: Reduced, solve: Solve) -> Iterator[Step]:
    """Laws of the quantity with fewer variables, that hold for all values of those held."""
    inner = replace(
        question,
        quantity=simpler,
        design=question.design.part(Draw.SYMMETRIES),
        stands_for=(*question.stands_for, *simpler.meanings(question.label)),
    )
    yield from _written_out(question, inner, simpler, solve)


def _written_out(
    question: Question, inner: Question, quantity: Changed | Reduced, solve: Solve
) -> Iterator[Step]:
    """Laws of the inner question in the variables of the outer one, held to its data."""
    for step in solve(inner):
        yield _held(question, quantity.written_out(step)) if is_law(step) else step


def _held(question: Question, law: Expression) -> Step:
    """The law with its numbers fitted to uncontrolled data, if it explains them."""
    sample = question.checks
    if not sample.values.size:
        return Outcome.REFUTED
    fitted = fit(normal_form(law), question.quantity.names, sample)
    explains = question.attempt.agreement.explains(fitted.deviation, len(sample.values))
    return fitted.expression if explains else Outcome.REFUTED


def _first_span(found: Found, limits: Limits) -> Span | None:
    """The span of the best form that separates."""
    spans = (span(form, limits) for form in found.forms[:FORMS_TRIED])
    return next((each for each in spans if each is not None), None)


def _first_laws(found: Found) -> tuple[Expression, ...]:
    """Forms with the constants of their one trial."""
    return tuple(
        rebuild(
            form.expression, iter([Number(float(value)) for value in form.constants[0]]), Constant
        )
        for form in found.forms[:FORMS_TRIED]
    )


def _has_wave(found: Found) -> bool:
    nodes = walk(found.forms[0].expression)
    return any(isinstance(node, Apply) and node.op in TRIGONOMETRIC for node in nodes)


def _templates(found: Sequence[Found], limits: Limits) -> list[tuple[int, Expression]]:
    """Forms with open summary constants, and which variable they are of, the simplest first."""
    options = [
        (form.rank, index, frozen(form, limits, coefficients=True))
        for index, each in enumerate(found)
        for form in each.forms[:2]
    ]
    return [(index, template) for _, index, template in sorted(options, key=lambda o: o[:2])]
