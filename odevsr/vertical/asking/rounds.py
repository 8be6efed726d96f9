"""Rounds of controlled experiments: free some variables, hold the others, search for the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from odevsr.evidence.controlled import Controlled
from odevsr.fitting.trials import IDLE
from odevsr.language.expression import CONSTANT
from odevsr.language.text import to_text
from odevsr.search.loop import Found, search
from odevsr.search.proposer import Proposer
from odevsr.vertical.asking.design import Draw
from odevsr.vertical.asking.question import Question
from odevsr.vertical.asking.story import Curve, Round, curves, numbered, trial_constants


def search_round(
    question: Question, controlled: Controlled, variable: str, proposers: Sequence[Proposer]
) -> Found:
    """Let the proposers search, and write the round down."""
    attempt = question.attempt
    found = search(
        controlled,
        proposers,
        on_epoch=lambda epoch: attempt.on_epoch(
            replace(epoch, variable=variable, target=question.label)
        ),
        check_budget=attempt.check_budget,
    )
    best = found.forms[0] if found.forms else None
    form = best.expression if best else found.nearest or CONSTANT
    called = question.constants_of(form)
    trials, _, points = controlled.trials.points.shape
    attempt.journal.rounds.append(
        Round(
            target=question.label,
            variable=variable,
            trials=trials,
            points=points,
            proposer=best.proposer if best else None,
            form=to_text(form),
            deviation=best.deviation if best else float("inf"),
            candidates=found.candidates,
            free=controlled.names,
            place=question.place,
            setting=controlled.setting,
            constants=()
            if best is None
            else trial_constants(called, best.constants, best.errors, question.limits),
            numbered=numbered(form, called),
            limit=controlled.limit,
            seen=_seen(question, controlled, variable) if best else (),
        )
    )
    return found


def _seen(question: Question, controlled: Controlled, variable: str) -> tuple[Curve, ...]:
    """What the trials of a quantity show that is not itself what was measured."""
    if question.is_first and not question.stands_for:
        return ()
    trials = controlled.trials
    weighty = trials.weights > IDLE * np.max(trials.weights)
    values = np.where(weighty, trials.targets, np.nan)
    return curves(trials.points[:, controlled.names.index(variable)], values)


def search_tier(question: Question, controlled: Controlled | None, index: int, tier: int) -> Found:
    """A round over one variable in which one tier of the proposers searches."""
    if controlled is None:
        return Found()
    variable = question.quantity.names[index]
    rng = question.design.rng(Draw.POLICY, index, tier)
    proposers = question.attempt.proposers.tier(tier, variable, controlled, rng)
    return search_round(question, controlled, variable, proposers)
