"""Forms: expressions with open constants that explain every trial, in their simplest writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import BoolArray, FloatArray
from odevsr.evidence.controlled import Controlled, fit_expressions
from odevsr.evidence.signs import with_steady_signs
from odevsr.evidence.simplify import simplified
from odevsr.fitting.covariance import standard_errors
from odevsr.fitting.fit import CAREFUL, Effort, Fitted
from odevsr.fitting.program import Program
from odevsr.language.algebra.normal import multiplied_out, split_coefficient, terms
from odevsr.language.algebra.term import added
from odevsr.language.expression import Constant, Expression, complexity, count
from odevsr.language.tidying.shorter import shorter_forms
from odevsr.limits import FINEST, HOPELESS


@dataclass(frozen=True, eq=False)
class Form:
    """A normal form fitted to K trials: constants and their errors (K, m) in preorder.

    `deviation` is that of the worst trial.
    """

    expression: Expression
    constants: FloatArray
    errors: FloatArray
    deviation: float
    proposer: str | None
    """None of what came nearest where nobody's form explains the trials."""

    @property
    def rank(self) -> tuple[int, int]:
        """Fewest constants first, then simplest."""
        return self.constants.shape[1], complexity(self.expression)

    @property
    def significance(self) -> FloatArray:
        """How many errors each constant is away from zero, in the trial where it is most."""
        significance: FloatArray = np.max(np.abs(self.constants) / self.errors, axis=0, initial=0.0)
        return significance


def accepted_forms(
    expressions: Sequence[Expression],
    programs: Sequence[Program],
    fitted: Fitted,
    controlled: Controlled,
    effort: Effort,
    proposer: str,
) -> list[Form]:
    """The forms that explain all trials, with parts that no trial needs left out, best first."""
    worst = np.sqrt(np.max(fitted.losses / controlled.losses_of_errors, axis=1, initial=0.0))
    forms = []
    for index in np.flatnonzero(worst <= HOPELESS).tolist():
        form = _form(
            expressions[index], programs[index], fitted.constants[index], controlled, proposer
        )
        if form.deviation <= controlled.limit:
            writings = [form, *_multiplied_out(form, controlled, effort)]
            shortest = [_shortest(each, controlled, effort) for each in writings]
            forms.append(min(shortest, key=lambda each: each.rank))
    forms.sort(key=lambda form: form.rank)
    return [
        replace(form, constants=with_steady_signs(form.expression, form.constants))
        for form in forms
        if not _runs_away(form)
    ]


def _form(
    expression: Expression,
    program: Program,
    constants: FloatArray,
    controlled: Controlled,
    proposer: str | None,
) -> Form:
    errors = standard_errors(program, constants, controlled.trials)
    deviation = controlled.deviation(program, constants)
    return Form(expression, constants, errors, deviation, proposer)


def fitted_forms(
    expressions: Sequence[Expression],
    controlled: Controlled,
    effort: Effort,
    proposer: str | None,
) -> Iterator[Form]:
    """Forms of those expressions that can be fitted to every trial."""
    runnable, programs, fitted = fit_expressions(expressions, controlled, effort)
    for index in np.flatnonzero(~np.isnan(fitted.losses).any(axis=1)).tolist():
        constants = fitted.constants[index]
        yield _form(runnable[index], programs[index], constants, controlled, proposer)


def _runs_away(form: Form) -> bool:
    """True if a constant is huge in every trial and might be any: atan(C*x) taken for a sign."""
    size = np.abs(form.constants)
    return bool(np.any(np.all((size > 1 / FINEST) & ~(form.errors < size), axis=0)))


def _multiplied_out(form: Form, controlled: Controlled, effort: Effort) -> list[Form]:
    """The form as a sum with a coefficient for every term, if that is another one and explains.

    Of C*(x + C*y + ...) the inner constants are ratios, which have poles where the outer one is
    zero; those of C*x + C*y + ... have none, and idle terms show.
    """
    wider = multiplied_out(form.expression)
    if wider == form.expression:
        return []
    forms = fitted_forms([wider], controlled, effort, form.proposer)
    return [each for each in forms if each.deviation <= controlled.limit]


def _shortest(form: Form, controlled: Controlled, effort: Effort) -> Form:
    """Less one part after another, as long as no trial notices.

    First go terms whose coefficient is zero within its error everywhere; where other constants
    are, any part may: exp(C*f) with a rate of next to nothing is a line in f.
    """
    agreement = controlled.agreement

    def smaller(form: Form) -> Iterator[Form]:
        idle = form.significance < agreement.limits.significant
        less = _without_idle_term(form, idle)
        if less is not None:
            yield from fitted_forms([less], controlled, effort, form.proposer)
        elif np.any(idle | np.isnan(form.significance)):
            shorter = shorter_forms(form.expression)
            yield from fitted_forms(shorter, controlled, CAREFUL, form.proposer)

    return simplified(form, smaller, agreement)


def _without_idle_term(form: Form, idle: BoolArray) -> Expression | None:
    """The expression less its least significant idle term; None if every term is needed."""
    kept = list(terms(form.expression))
    candidates: dict[int, float] = {}
    position = 0
    for index, term in enumerate(kept):
        coefficient, rest = split_coefficient(term)
        is_open = isinstance(coefficient, Constant)
        if is_open and idle[position]:
            candidates[index] = form.significance[position]
        position += is_open + count(rest, Constant)
    if not candidates or len(kept) == 1:
        return None
    del kept[min(candidates, key=lambda index: candidates[index])]
    return added(kept)
