"""What a search is asked, K trials, and what it answers: a form that explains them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from odevsr.fitting.covariance import standard_errors, value_and_jacobian
from odevsr.fitting.fit import Effort, Fitted, Trials, fit_programs, make_trials
from odevsr.fitting.program import Program, TooLargeError, compile_program
from odevsr.language.expression import Constant, Expression, complexity, count
from odevsr.language.normal import is_invalid, multiplied_out, split_coefficient, terms
from odevsr.language.term import added
from odevsr.search.shorten import shorter_forms
from odevsr.search.signs import with_one_sign

FloatArray = NDArray[np.float64]
RELATIVE_ERROR = 1e-12
"""No value counts as more certain than this, relative to the typical size of its trial."""
UNMEASURED = 1e9
HUGE = 1e9
MOST_DEVIATION = 3.0
"""Deviation up to which a form explains data whose errors are estimates."""
NOISY_DEVIATION = 1.5
"""The same where the errors are noise of known size."""
SHORTENING_EFFORT = Effort(starts=16, kept=4, hopeless=1e-7)
SIGNIFICANT = 4.0
"""A constant fewer errors away from nought than this may as well be nought."""


@dataclass(frozen=True, eq=False)
class Problem:
    """K trials over the free variables `names`, with what is common to all fits of the search."""

    names: tuple[str, ...]
    trials: Trials
    starts: FloatArray
    most_deviation: float = MOST_DEVIATION
    """Root mean square residual, in units of the errors, up to which a form explains a trial."""


@dataclass(frozen=True, eq=False)
class Form:
    """A normal form fitted to a problem: constants and their errors (K, m) in preorder.

    `deviation` is the root mean square residual of the worst trial in units of the errors.
    """

    expression: Expression
    constants: FloatArray
    errors: FloatArray
    deviation: float
    proposer: str

    @property
    def rank(self) -> tuple[int, int]:
        """Fewest constants first, then simplest."""
        return self.constants.shape[1], complexity(self.expression)


def make_problem(
    names: Sequence[str],
    states: FloatArray,
    values: FloatArray,
    errors: FloatArray,
    starts: FloatArray,
    most_deviation: float = MOST_DEVIATION,
) -> Problem:
    """A problem from states (K, N, free variables), values and errors (K, N).

    Points that could not be measured (error inf) keep their place with next to no weight; a trial
    that has lost more than a third of its points is left out. At least one trial must remain.
    """
    usable = usable_trials(values, errors)
    states, values, errors = (each[usable] for each in (states, values, errors))
    measured = np.isfinite(errors) & np.isfinite(values)
    values = np.where(measured, values, 0.0)
    honest = honest_errors(values, np.where(measured, errors, 0.0))
    honest = np.where(measured, honest, UNMEASURED * (np.max(honest) + np.max(np.abs(values))))
    return Problem(tuple(names), make_trials(states, values, honest), starts, most_deviation)


def usable_trials(values: FloatArray, errors: FloatArray) -> NDArray[np.bool_]:
    """Which of the trials (K, N) have lost no more than a third of their points."""
    measured = np.isfinite(errors) & np.isfinite(values)
    usable: NDArray[np.bool_] = np.mean(measured, axis=1) > 2 / 3
    return usable


def honest_errors(values: FloatArray, errors: FloatArray) -> FloatArray:
    """Errors (..., N), each at least what rounding does to values (..., N) of their size."""
    size = np.sqrt(np.mean(values**2, axis=-1, keepdims=True))
    honest: FloatArray = np.hypot(errors, RELATIVE_ERROR * size) + 1e-300
    return honest


def fit_expressions(
    expressions: Sequence[Expression], problem: Problem, effort: Effort
) -> tuple[list[Expression], list[Program], Fitted]:
    """Fit those of the expressions that can be run at all."""
    runnable: list[Expression] = []
    programs: list[Program] = []
    for expression in expressions:
        if is_invalid(expression):
            continue
        try:
            programs.append(compile_program(expression, problem.names))
        except TooLargeError:
            continue
        runnable.append(expression)
    fitted = fit_programs(programs, problem.trials, problem.starts, within_errors(effort, problem))
    return runnable, programs, fitted


def within_errors(effort: Effort, problem: Problem) -> Effort:
    """The effort for values that are no better than their errors.

    A fit is good enough well below what the errors leave, and no fit near that is hopeless.
    """
    trials = problem.trials
    left = trials.targets.shape[1] * trials.unit**2 / trials.variances()
    return replace(
        effort,
        good_enough=max(effort.good_enough, 1e-4 * float(np.min(left))),
        hopeless=max(effort.hopeless, 1e3 * float(np.max(left))),
    )


def deviations(losses: FloatArray, problem: Problem) -> FloatArray:
    """Losses (..., K) as root mean square residuals in units of the errors."""
    trials = problem.trials
    number = trials.targets.shape[1]
    result: FloatArray = np.sqrt(losses * trials.variances() / number) / trials.unit
    return result


def explains(program: Program, constants: FloatArray, problem: Problem) -> bool:
    """True if all but a few points of every trial agree within the errors.

    Error estimates may be too small by far at single points, so those do not decide.
    """
    trials = problem.trials
    for trial, values in enumerate(constants):
        predicted, _ = value_and_jacobian(program, values, trials.points[trial])
        residual = np.abs(predicted - trials.targets[trial]) * trials.weights[trial] / trials.unit
        if not np.quantile(residual, 0.9) <= problem.most_deviation:
            return False
    return True


def accepted_forms(
    expressions: Sequence[Expression],
    programs: Sequence[Program],
    fitted: Fitted,
    problem: Problem,
    effort: Effort,
    proposer: str,
) -> list[Form]:
    """The forms that explain all trials, with terms that no trial needs left out."""
    worst = np.max(deviations(fitted.losses, problem), axis=1, initial=0.0)
    forms = []
    for index in np.flatnonzero(worst <= 100 * problem.most_deviation).tolist():
        constants = fitted.constants[index]
        if worst[index] <= problem.most_deviation or explains(programs[index], constants, problem):
            form = Form(
                expressions[index],
                constants,
                standard_errors(programs[index], constants, problem.trials),
                float(worst[index]),
                proposer,
            )
            writings = [form, *_multiplied_out(form, problem, effort)]
            pruned = [_pruned(each, problem, effort) for each in writings]
            best = min(pruned, key=lambda each: each.rank)
            forms.append(_shortened(best, problem))
    forms.sort(key=lambda form: form.rank)
    return [
        replace(form, constants=with_one_sign(form.expression, form.constants))
        for form in forms
        if not _runs_away(form)
    ]


def _runs_away(form: Form) -> bool:
    """True if a constant is huge in every trial and might be any: atan(C*x) taken for a sign."""
    size = np.abs(form.constants)
    return bool(np.any(np.all((size > HUGE) & ~(form.errors < size), axis=0)))


def _multiplied_out(form: Form, problem: Problem, effort: Effort) -> list[Form]:
    """The form as a sum with a coefficient for every term, if that is another one and explains.

    Of C*(x + C*y + ...) the inner constants are ratios, which have poles where the outer one is
    nought; those of C*x + C*y + ... have none, and idle terms show.
    """
    wider = multiplied_out(form.expression)
    if wider == form.expression:
        return []
    expressions, programs, fitted = fit_expressions([wider], problem, effort)
    deviation = float(np.max(deviations(fitted.losses, problem), initial=0.0))
    if not programs or not deviation <= problem.most_deviation:
        return []
    errors = standard_errors(programs[0], fitted.constants[0], problem.trials)
    return [Form(expressions[0], fitted.constants[0], errors, deviation, form.proposer)]


def _pruned(form: Form, problem: Problem, effort: Effort) -> Form:
    """Drop one after another the terms whose coefficient is nought within its error everywhere."""
    while True:
        smaller = _without_idle_terms(form)
        if smaller is None:
            return form
        expressions, programs, fitted = fit_expressions([smaller], problem, effort)
        deviation = np.max(
            deviations(fitted.losses, problem), initial=np.inf if not programs else 0
        )
        if not programs or not deviation <= max(problem.most_deviation, 1.5 * form.deviation):
            return form
        errors = standard_errors(programs[0], fitted.constants[0], problem.trials)
        form = Form(expressions[0], fitted.constants[0], errors, float(deviation), form.proposer)


def _shortened(form: Form, problem: Problem) -> Form:
    """Leave out one part after another of a form that has constants within their errors of nought.

    exp(C*f) with a rate of next to nothing is a line in f.
    """
    while np.any(~(_significance(form) >= SIGNIFICANT)):
        expressions, programs, fitted = fit_expressions(
            shorter_forms(form.expression), problem, SHORTENING_EFFORT
        )
        worst = np.max(deviations(fitted.losses, problem), axis=1, initial=0.0)
        equal = np.flatnonzero(worst <= 1.1 * form.deviation).tolist()
        if not equal:
            return form
        first = equal[0]
        constants = fitted.constants[first]
        errors = standard_errors(programs[first], constants, problem.trials)
        form = Form(expressions[first], constants, errors, float(worst[first]), form.proposer)
    return form


def _significance(form: Form) -> FloatArray:
    """How many errors each constant is away from nought, in the trial where it is most."""
    significance: FloatArray = np.max(np.abs(form.constants) / form.errors, axis=0, initial=0.0)
    return significance


def _without_idle_terms(form: Form) -> Expression | None:
    """The expression less its least significant idle term; None if every term is needed."""
    significance = _significance(form)
    kept = list(terms(form.expression))
    idle: dict[int, float] = {}
    position = 0
    for index, term in enumerate(kept):
        coefficient, rest = split_coefficient(term)
        is_open = isinstance(coefficient, Constant)
        if is_open and significance[position] < SIGNIFICANT:
            idle[index] = significance[position]
        position += is_open + count(rest, Constant)
    if not idle or len(kept) == 1:
        return None
    del kept[min(idle, key=lambda index: idle[index])]
    return added(kept)
