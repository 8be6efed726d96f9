"""From a form found over K trials to the functions of one variable that span it.

A variable separates when only coefficients differ between trials: the law is then a sum of products
of its functions with functions of the other variables. A phase that differs, as in sin(x + C), is
no obstacle: the sine and the cosine span it.
"""

from __future__ import annotations

from collections.abc import Iterator

from odevsr.evidence.exact import Shared, classify, exact_value
from odevsr.evidence.form import Form
from odevsr.language.expression import (
    CONSTANT,
    ONE,
    Apply,
    Constant,
    Expression,
    Number,
    Op,
    Real,
    count,
    rebuild,
)
from odevsr.language.normal import normal_form
from odevsr.language.term import added, factors_of, split_coefficient, terms


def number_of(shared: Shared) -> Real:
    """The exact value of a constant that all trials share, or the mean as a float."""
    exact = exact_value(shared.value, shared.error)
    return shared.value if exact is None else exact


def frozen(form: Form, *, coefficients: bool) -> Expression:
    """The form with the constants that all trials share replaced by their values.

    Without `coefficients`, those of whole terms stay open.
    """
    kinds = iter(classify(form.constants, form.errors))
    pieces: list[Expression] = []
    for term in terms(form.expression):
        coefficient, rest = split_coefficient(term)
        scale: Expression = CONSTANT
        if not isinstance(coefficient, Constant):
            scale = Number(coefficient)
        elif coefficients:
            scale = _leaf(next(kinds))
        else:
            next(kinds)
        inside = [_leaf(next(kinds)) for _ in range(count(rest, Constant))]
        pieces.append(Apply(Op.MUL, (scale, rebuild(rest, iter(inside), Constant))))
    return normal_form(added(pieces))


def _leaf(shared: Shared) -> Expression:
    return CONSTANT if shared.is_summary else Number(number_of(shared))


def span(form: Form) -> tuple[Expression, ...] | None:
    """Functions without open constants that span the form in every trial; None if none do."""
    functions: dict[Expression, None] = {}
    for term in terms(frozen(form, coefficients=False)):
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
