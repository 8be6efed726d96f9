"""From forms over K trials to a law: which constants are shared, and which variables separate.

A constant that differs between trials is a summary constant: it stands for an expression in the
held variables. A variable separates when only coefficients differ: the law is then a sum of
products of its functions with functions of the other variables. A phase that differs, as in
sin(x + C), is no obstacle: the sine and the cosine span it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.evidence.agreement import LARGEST
from odevsr.evidence.exact import exact_value
from odevsr.evidence.form import Form
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, factors_of, multiplied, split_coefficient, terms
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
    complexity,
    count,
    rebuild,
)
from odevsr.limits import Limits
from odevsr.world.sample import ROUNDING

Span = tuple[Expression, ...]
"""Functions of one variable whose products with those of others make up a law."""
MOST_TERMS = 1500
"""Products that one least squares can choose among: with half or twice as many the same 108 laws of
the registered systems are found, it bounds the time."""


@dataclass(frozen=True)
class Shared:
    """A constant over K trials: weighted mean and its error."""

    value: float
    error: float
    is_summary: bool = False
    """True if it differs between trials by more than its errors."""


def classify(constants: FloatArray, errors: FloatArray, limits: Limits) -> list[Shared]:
    """Each constant of (K, m) values and errors, by its spread relative to the error bars."""
    honest = np.hypot(errors, ROUNDING * constants) + 1e-150
    return [_shared(*columns, limits) for columns in zip(constants.T, honest.T, strict=True)]


def _shared(values: FloatArray, errors: FloatArray, limits: Limits) -> Shared:
    usable = errors < LARGEST
    if not usable.any():
        return Shared(float(np.median(values)), np.inf)
    values, weights = values[usable], 1 / errors[usable] ** 2
    mean = float(np.sum(weights * values) / np.sum(weights))
    freedom = max(len(values) - 1, 1)
    spread = float(np.sqrt(np.sum(weights * (values - mean) ** 2) / freedom))
    return Shared(mean, float(np.sum(weights) ** -0.5), spread > limits.sure)


def number_of(shared: Shared, limits: Limits) -> Real:
    """The exact value of a constant that all trials share, or the mean as a float."""
    exact = exact_value(shared.value, shared.error, limits)
    return shared.value if exact is None else exact


def frozen(form: Form, limits: Limits, *, coefficients: bool) -> Expression:
    """The form with the constants that all trials share replaced by their values.

    Without `coefficients`, those of whole terms stay open.
    """
    kinds = iter(classify(form.constants, form.errors, limits))
    pieces: list[Expression] = []
    for term in terms(form.expression):
        coefficient, rest = split_coefficient(term)
        scale: Expression = CONSTANT
        if not isinstance(coefficient, Constant):
            scale = Number(coefficient)
        elif coefficients:
            scale = constant_leaf(next(kinds), limits)
        else:
            next(kinds)
        inside = [constant_leaf(next(kinds), limits) for _ in range(count(rest, Constant))]
        pieces.append(Apply(Op.MUL, (scale, rebuild(rest, iter(inside), Constant))))
    return normal_form(added(pieces))


def constant_leaf(shared: Shared, limits: Limits, summary: Expression = CONSTANT) -> Expression:
    """What stands for a constant: its number, or `summary` if it differs between trials."""
    return summary if shared.is_summary else Number(number_of(shared, limits))


def span(form: Form, limits: Limits) -> Span | None:
    """Functions without open constants that span the form in every trial; None if none do."""
    functions: dict[Expression, None] = {}
    for term in terms(frozen(form, limits, coefficients=False)):
        _, rest = split_coefficient(term)
        for function in _without_phases(rest):
            if count(function, Constant):
                return None
            functions[function] = None
    return tuple(functions)


def _without_phases(function: Expression) -> Iterator[Expression]:
    """The function itself, or sine and cosine of the same rate for one with an open phase."""
    factors = factors_of(function)
    for index, factor in enumerate(factors):
        match factor:
            case Apply(Op.SIN, (argument,)) if terms(argument)[-1] == CONSTANT:
                plain = normal_form(Apply(Op.ADD, (*terms(argument)[:-1], Number(0))))
                for op in (Op.SIN, Op.COS):
                    replaced = (*factors[:index], Apply(op, (plain,)), *factors[index + 1 :])
                    yield from _without_phases(normal_form(Apply(Op.MUL, (ONE, *replaced))))
                return
    yield function


def without_phases(form: Expression) -> Expression:
    """The form with C*sin(f) + C*cos(f) for each C*sin(f + C), whose phase is open.

    >>> from odevsr.language.parse import parse
    >>> from odevsr.language.text import to_text
    >>> to_text(without_phases(parse("C*sin(x + C) + C*x", ["x"], open_symbols=True)))
    'C*x + C*cos(x) + C*sin(x)'
    """
    pieces: list[Expression] = []
    for term in terms(form):
        functions = list(_without_phases(split_coefficient(term)[1]))
        apart = [Apply(Op.MUL, (CONSTANT, each)) for each in functions]
        pieces += apart if len(apart) > 1 else [term]
    return normal_form(added(pieces))


def with_phase(form: Expression) -> Expression:
    """The form with C*sin(f + C) for C*sin(f) + C*cos(f), as far as there are such pairs."""
    pieces = list(terms(form))
    for sine in pieces:
        match split_coefficient(sine):
            case Constant(), Apply(Op.SIN, (argument,)) if terms(argument)[-1] != CONSTANT:
                cosine = normal_form(Apply(Op.MUL, (CONSTANT, Apply(Op.COS, (argument,)))))
                if cosine in pieces:
                    shifted = Apply(Op.SIN, (added((argument, CONSTANT)),))
                    pieces.remove(cosine)
                    pieces[pieces.index(sine)] = multiplied((CONSTANT, shifted))
                    return with_phase(normal_form(added(pieces)))
    return form


def product_terms(
    spans: Sequence[Sequence[Expression]], interacts: BoolArray
) -> list[Expression] | None:
    """All products of one function a variable, simplest first; None if there are too many.

    Variables that do not interact (n, n) never meet in one term. Where all interact with all, and
    products of all of them are too many, those of three are tried, or else of two.
    """
    for most in (len(spans), 3, 2):
        found = _products(spans, interacts, most)
        if found is not None:
            distinct = dict.fromkeys(
                normal_form(Apply(Op.MUL, (ONE, ONE, *each))) for each in found
            )
            return sorted(distinct, key=complexity)
    return None


def _products(
    spans: Sequence[Sequence[Expression]], interacts: BoolArray, most: int
) -> list[list[Expression]] | None:
    """The factors of each product in which no more variables than so many meet."""
    partial: list[tuple[tuple[int, Expression], ...]] = [()]
    for variable, functions in enumerate(spans):
        partial = [
            chosen if function == ONE else (*chosen, (variable, function))
            for chosen, function in product(partial, functions)
            if function == ONE or _may_join(chosen, interacts[variable], most)
        ]
        if not 0 < len(partial) <= MOST_TERMS:
            return None
    return [[function for _, function in each] for each in partial]


def _may_join(chosen: tuple[tuple[int, Expression], ...], interacts: BoolArray, most: int) -> bool:
    return len(chosen) < most and all(interacts[index] for index, _ in chosen)
