"""Algorithm 1 of the paper: vertical symbolic regression by deep policy gradient, joint expansion.

Its letters: S the start symbol, x_c the controlled variables, D_o the data oracle under control,
T_k the data of trial k of K, T_g the test data with nothing controlled, Q the best expressions of
all rounds, o their fitness scores (here deviations, the smaller the better), c their constants,
phi an expression. What is done otherwise than there is listed in docs/method.md.
"""

from __future__ import annotations

from odevsr.evidence.controlled import Controlled
from odevsr.evidence.data import Data
from odevsr.evidence.form import Form, fitted_forms
from odevsr.evidence.law import Law, fit
from odevsr.fitting.fit import EVERY_TRIAL
from odevsr.language.expression import (
    HOLE,
    Constant,
    Expression,
    Hole,
    count,
    rebuild,
    with_constants,
)
from odevsr.limits import Limits
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.rounds import search_round
from odevsr.vertical.asking.separate import classify, constant_leaf, frozen, without_phases
from odevsr.vertical.laws.solve import constant_law, relevant_question


def solve_jointly(question: Question) -> Expression | None:
    """The best expression of all rounds, with numbers for constants; None if there is none."""
    question = relevant_question(question)
    names, longest = question.quantity.names, question.settings.longest
    if not names:
        return constant_law(question.quantity, question.limits)
    start: Expression = HOLE  # S = A
    best: list[Law] = []  # Q
    test = question.checks  # T_g, drawn with x_c empty
    for index in range(len(names)):  # x_c held all variables; each round it loses x_i
        trials = question.controlled(range(index + 1))  # T_1 ... T_K, drawn from D_o
        form = None if trials is None else _policy_gradient(question, start, index, trials)
        if trials is None or form is None:
            break
        start = next_start(form, trials.limit, question.limits)  # S, from phi, o_k and c_k
        best.extend(_on_test_data(form, test))  # o_g, c_g and phi_g into Q
        if not 0 < count(start, Hole) <= longest:
            break
    return min(best, key=lambda law: law.deviation).expression if best else None


def _policy_gradient(
    question: Question, start: Expression, index: int, trials: Controlled
) -> Form | None:
    """DPG(S, D_o, operators, constants and x_i): the best phi of all epochs, with all o_k and c_k.

    The grammar is made of the operators and x_i, and the network reads S first. In each epoch
    `PolicyProposer` samples N sequences of rules and makes them expressions, `search` fits their
    constants to all T_k at once, and `LstmPolicy.learn` goes a step along the gradient of their
    rewards. It ends before the last epoch if a form explains all trials.
    """
    variable = question.quantity.names[index]
    rng = question.design.rng(Draw.POLICY, index)
    proposers = question.attempt.proposers.policies(variable, trials, rng, start)
    found = search_round(question, trials, variable, proposers)
    if found.forms:
        return _in_coefficients(found.forms[0], trials, question.limits)
    nearest = [] if found.nearest is None else [found.nearest]
    return next(fitted_forms(nearest, trials, EVERY_TRIAL, None), None)


def _in_coefficients(form: Form, trials: Controlled, limits: Limits) -> Form:
    """The form with sine and cosine for a sine whose phase differs between trials.

    Their coefficients are functions of the held variables; a phase is an angle between these.
    """
    inner = frozen(form, limits, coefficients=False)
    wider = without_phases(inner)
    if wider == inner:
        return form
    forms = fitted_forms([wider], trials, EVERY_TRIAL, form.proposer)
    return next((each for each in forms if each.deviation <= trials.limit), form)


def next_start(form: Form, limit: float, limits: Limits) -> Expression:
    """The start symbol of the next round: A for summary constants, values for standalone ones.

    If the form does not explain the trials, all its constants are summary constants.
    """
    explains = form.deviation <= limit
    kinds = classify(form.constants, form.errors, limits)
    leaves = [constant_leaf(kind, limits, HOLE) if explains else HOLE for kind in kinds]
    return rebuild(form.expression, iter(leaves), Constant)


def _on_test_data(form: Form, test: Data) -> list[Law]:
    """The form with its constants fitted to the test data."""
    if not len(test):
        return []
    return [fit(with_constants(form.expression, form.constants[0].tolist()), test)]
