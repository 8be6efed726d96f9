"""Simpler laws beside the law found: the front of complexity and error, and who is right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from odevsr.evidence.law import Law, fit
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import terms
from odevsr.limits import BEST
from odevsr.vertical.asking.measuring import STATES, Measuring
from odevsr.vertical.judging.case import Case, JudgedLaw
from odevsr.vertical.judging.finish import without_weakest
from odevsr.vertical.judging.rivals import Alternative, decide, telling_experiment


def beside_rivals(
    case: Case, best: JudgedLaw | None, rng: np.random.Generator
) -> tuple[JudgedLaw | None, tuple[Alternative, ...]]:
    """The law, or the one that experiments decided for, and simpler laws beside it."""
    if best is None or not (case.agreement.is_noisy or best.is_refuted):
        return best, ()
    alternatives = [
        _alternative(case, best.law, each, rng)
        for each in simpler_laws(best.law, case.measuring, rng)
    ]
    if not case.settings.decide:
        return best, tuple(alternatives)
    judged: list[Alternative] = []
    for each in alternatives:
        winner = None
        if each.experiment is not None:
            winner = decide(each.experiment, case.oracle, case.settings.limits)
        if winner == 1:
            # What is left to tell was about the law that is no longer it.
            law = best.law
            refuted = Alternative(law.expression, law.deviation, each.experiment, True)
            return case.judged(each.expression, rng), (*judged, refuted)
        judged.append(replace(each, is_refuted=winner == 0))
    return best, tuple(judged)


def simpler_laws(law: Law, measuring: Measuring, rng: np.random.Generator) -> list[Law]:
    """The law with its weakest terms left out, one after the other, each fitted anew.

    Deviations are those on fresh data.
    """
    data, fresh = (measuring.fresh(STATES, rng) for _ in range(2))
    simpler: list[Law] = []
    expression = normal_form(law.expression)
    while len(terms(expression)) > 1 and len(simpler) < BEST:
        rest = fit(without_weakest(expression, data)[0], data)
        expression = rest.expression
        simpler.append(Law(expression, rest.constants, fresh.deviation(expression)))
    return simpler


def _alternative(case: Case, law: Law, simpler: Law, rng: np.random.Generator) -> Alternative:
    """A simpler law; if it is as good, with the experiment that would tell."""
    oracle, experiment = case.oracle, None
    if case.agreement.no_worse(simpler.deviation, law.deviation):
        error = float(np.median(case.measuring.fresh(STATES, rng).sample.errors))
        laws = (law.expression, simpler.expression)
        experiment = telling_experiment(laws, oracle.names, oracle.box, error, rng)
    return Alternative(simpler.expression, simpler.deviation, experiment)
