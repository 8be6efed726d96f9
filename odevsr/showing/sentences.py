"""What a search left on record, each thing in its sentence; tables for trials."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from odevsr.discovery.result import Discovery
from odevsr.language.number import known_value, number_text, rounded
from odevsr.showing.meanings import called, left_side, read
from odevsr.showing.prose import Formula, Heading, Part, formula, said, table
from odevsr.showing.words import counted, listed, plural
from odevsr.vertical.asking.story import (
    Conclusion,
    Place,
    Round,
    Screening,
    TrialConstant,
    WayToLaw,
)
from odevsr.vertical.equation import Equation, Status

MOST_TRIALS = 8
"""Trials that a table shows."""
MOST_COLUMNS = 8
"""Variables and constants that a table of trials shows."""
FOLLOWED = "explains all runs to their noise, also what fits were not given, and no other law does"
"""What a law is that was identified from recordings."""
WATCHED = "agrees with fresh crossings to their error"
"""What one is that was identified from trajectories that only were watched."""
_PROPOSERS = {
    "catalogue": "the catalogue of families of functions",
    "readings": "forms read off the data by linear algebra",
    "prior": "sampling the grammar",
    "lstm": "the policy that learns which forms fit",
    "trained": "the policy that has seen functions before",
    "uniform": "sampling the grammar without learning",
    "genetic": "genetic programming",
    "melded": "genetic programming on what a policy draws",
    "tree": "Monte Carlo tree search",
}


def screening_told(screening: Screening, left: str, names: Sequence[str]) -> Part:
    """Which variables move a quantity, and how that was seen."""
    effects = screening.effects
    meant = dict(zip(effects, called(effects, screening.place.stands_for), strict=True))
    moving = [f"{meant[name]} (by {_size(effects[name])} errors)" for name in screening.relevant]
    still = [meant[name] for name in effects if name not in screening.relevant]
    unmoved = [name for name in names if name not in effects]
    words = f"What matters: each variable was moved alone while {left} was watched. "
    words += f"{listed(moving)} {'moves' if len(moving) == 1 else 'move'} it. " if moving else ""
    if still:
        words += (
            f"{listed(still)} {'does' if len(still) == 1 else 'do'} not: not by the "
            f"{screening.noticeable:g} errors from which on a change counts. "
        )
    if unmoved:
        words += f"First launches had shown already that it is blind to {listed(unmoved)}. "
    return said(words.rstrip())


def _size(effect: float) -> str:
    return f"{effect:,.0f}" if effect < 1e6 else f"{effect:.0e}"


def round_told(each: Round, left: str) -> Iterator[Part]:
    """What was freed and held, the form that explains it, and its constants trial by trial."""
    stands_for = each.place.stands_for
    free = listed(called(each.free or (each.variable,), stands_for))
    held = f"{listed(called(each.setting.held, stands_for))} held at "
    held += plural(each.trials, "setting")
    setting = f"{held}, {each.points} points in each" if each.setting.held else (
        f"nothing else left to hold, {plural(each.points, 'point')}"
    )  # fmt: skip
    yield Heading(f"Round: {free} free", 3)
    if each.proposer is None:
        yield said(
            f"With {free} free and {setting}, none of "
            f"{counted(each.candidates, 'candidate')} explains the trials. The nearest form is ",
            formula(each.numbered or each.form, left, stands_for), ".",
        )  # fmt: skip
        return
    yield said(
        f"With {free} free and {setting}, the form ",
        formula(each.numbered or each.form, left, stands_for),
        f" explains every trial, with a deviation of {each.deviation:.2g} where "
        f"{each.limit:.2g} is allowed. It was proposed by "
        f"{_PROPOSERS.get(each.proposer, each.proposer)}"
        + (f", among {each.candidates:,} candidates." if each.candidates > 1 else "."),
    )
    if each.constants:
        if each.setting.held:
            yield _trials(each)
        yield said(_kinds(each))


def _trials(each: Round) -> Part:
    """The constants trial by trial, beside what was held."""
    names = [constant.name for constant in each.constants]
    held = list(each.setting.held)[: max(1, MOST_COLUMNS - len(names))]
    chosen = names[: MOST_COLUMNS - len(held)]
    rows = []
    for trial, values in enumerate(each.setting.values[:MOST_TRIALS]):
        cells = [f"{value:.5g}" for value in values[: len(held)]]
        constants = each.constants[: len(chosen)]
        rows.append([str(trial + 1), *cells, *(_value(one, trial) for one in constants)])
    return table(["trial", *called(held, each.place.stands_for), *chosen], rows)


def _value(constant: TrialConstant, trial: int) -> str:
    value, error = constant.values[trial], constant.errors[trial]
    if not math.isfinite(value):
        return "-"
    shortest = max(error, abs(value) * 1e-6) if math.isfinite(error) else math.inf
    return number_text(known_value(value, shortest))


def _kinds(each: Round) -> str:
    """Which constants are numbers, and which stand for expressions."""
    pairs = [(constant.name, constant) for constant in each.constants]
    if not each.setting.held:
        values = [f"{name} = {_value(one, 0)}" for name, one in pairs]
        return f"Nothing was held, so that its constants are numbers: {listed(values)}."
    alone = [f"{name} = {_value(one, 0)}" for name, one in pairs if not one.is_summary]
    summary = [name for name, one in pairs if one.is_summary]
    sentences = []
    if alone:
        same = "is the same in all trials and stands" if len(alone) == 1 else (
            "are the same in all trials and stand"
        )  # fmt: skip
        sentences.append(f"{listed(alone)} {same} alone.")
    if summary:
        differ = "differs" if len(summary) == 1 else "differ"
        kind = "a summary constant" if len(summary) == 1 else "summary constants"
        sentences.append(
            f"{listed(summary)} {differ} from trial to trial: {kind}, "
            f"in {listed(called(each.setting.held, each.place.stands_for))}."
        )
    return " ".join(sentences)


def way_told(conclusion: Conclusion, left: str, inner: Place | None = None) -> Iterator[Part]:
    """How it went on from the forms of single variables; `inner` is what was studied instead."""
    stands_for = conclusion.place.stands_for
    names = listed(called(conclusion.variables, stands_for))
    match conclusion.strategy:
        case WayToLaw.TOGETHER:
            yield said(
                "How it went on: in every variable only coefficients differ, so that "
                f"{left} is a sum of products of the functions found. One least squares over "
                "states with nothing held settled which products there are, and how large."
            )
        case WayToLaw.FIRST_LOOK:
            yield said(
                "No rounds were needed: a short sum of products of the variables explains all that "
                "was measured at states with nothing held."
            )
        case WayToLaw.RECORDINGS:
            yield said(
                "No rounds were needed: a law that recordings suggest explains all that was "
                "measured at states with nothing held, once its numbers are fitted to them."
            )
        case WayToLaw.ALONE:
            yield said("How it went on: there is one variable, so that its form is the law.")
        case WayToLaw.PEELED | WayToLaw.FILLED:
            yield said(
                f"How it went on: the form in {names} was kept, ",
                formula(conclusion.form, left, stands_for),
                ". Each of its constants became a quantity of its own, measured by fitting this "
                "form wherever the other variables are set.",
            )  # fmt: skip
        case WayToLaw.COORDINATES | WayToLaw.OUTER if inner is not None:
            yield said(_instead(conclusion, left, inner))
        case WayToLaw.CONSTANT:
            yield said(f"Nothing moves it: {left} is ", formula(conclusion.law), ".")
        case other:
            yield said(f"How it went on: by the strategy {other.value}.")


def _instead(conclusion: Conclusion, left: str, inner: Place) -> str:
    """What was studied in place of a quantity, and why."""
    outer = conclusion.place.stands_for
    new = inner.stands_for[len(outer) :]
    studied = left_side(left, new)
    taken = listed(
        called(dict.fromkeys(name for name, text in new if read(text)), inner.stands_for)
    )
    if not taken:
        return f"How it went on: {studied} was studied, which is simpler."
    names = called(conclusion.variables, outer)
    acting = "were seen to act together" if len(names) > 1 else "acts more simply in another form"
    about = "" if studied == left else f" of {studied}"
    return (
        f"How it went on: {listed(names)} {acting}, so that the study{about} goes on over {taken}."
    )


def status_told(status: Status, found: Discovery) -> str:
    """The status in a sentence, which promises no more than was looked at."""
    if status is not Status.IDENTIFIED:
        return status.sentence
    if found.recorded:
        return FOLLOWED
    return WATCHED if found.settings.sampling == "crossings" else status.sentence


def finish_told(equation: Equation) -> Iterator[Part]:
    """The law as a whole: numbers fitted together, exact values taken."""
    words = "The whole: all numbers were fitted together, and terms the data do not need left out."
    if equation.constants and equation.status is Status.IDENTIFIED:
        exact = sum(each.exact is not None for each in equation.constants)
        words += f" {exact} of {counted(len(equation.constants), 'number')}: exact, for the error "
        words += "leaves room for one simple value only."
    yield said(words)


def check_told(equation: Equation, found: Discovery) -> Iterator[Part]:
    """How the law was doubted, and what came of it."""
    beyond = f"{100 * found.settings.limits.beyond:g} % beyond either end of each range"
    watched = found.settings.sampling == "crossings"
    where = "where trajectories go beyond the ranges" if watched else beyond
    yield said(
        f"How it was checked: on fresh {'crossings' if watched else 'states, with nothing held'}, "
        f"where it deviates by {_deviation(equation.deviation)} errors; {where}; "
        "where it is steep and near nought; and for terms that errors could hide. "
        f"It is {equation.status.value}: {status_told(equation.status, found)}."
        + (f" Said beside it: {equation.note}." if equation.note else "")
    )
    for each in equation.alternatives:
        yield said(
            "A simpler law, ", Formula(rounded(each.expression)),
            f", deviates by {_deviation(each.deviation)} errors.",
        )  # fmt: skip
    yield said(
        f"It took {equation.cost.experiments:,} experiments, {equation.cost.states:,} states, "
        f"{equation.cost.simulations:,} launches, {counted(equation.candidates, 'candidate')} and "
        f"{equation.elapsed_s:.2f} CPU seconds."
    )


def _deviation(value: float) -> str:
    return f"{value:.2g}" if math.isfinite(value) else "any number of"
