"""The story of each equation in words and formulas, for a reader who has never seen the method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from odevsr.discovery.result import Discovery
from odevsr.language.number import rounded
from odevsr.showing.prose import Formula, Heading, Part, as_text, formula, said
from odevsr.showing.sentences import check_told, finish_told, round_told, screening_told, way_told
from odevsr.showing.story_recorded import recorded_story, recordings_told
from odevsr.showing.way import Way, studied
from odevsr.showing.words import counted, plural
from odevsr.vertical.asking.story import Place, WayToLaw
from odevsr.vertical.equation import Equation

_METHOD = (
    "No equation was shown to the search, only a simulator to experiment on. Each equation was "
    "built one variable at a time: one variable is set free, the others are held at a few "
    "settings, and in each setting (a trial) the {} is measured at many values of the free "
    "one. A form is sought that explains every trial, with constants of its own in each. A "
    "constant that is the same in all trials stands alone: it is a number of the law. One that "
    "differs is a summary constant: it stands for an expression in what was held, which is found "
    "in the same way. How far a law is from what was measured is its deviation, in units of the "
    "measurement errors: about 1 at most if it is right, far more if it is not."
)

AT_ONCE = (WayToLaw.FIRST_LOOK, WayToLaw.RECORDINGS)
"""They need no rounds."""


def explain(found: Discovery) -> str:
    """The story of each equation of a discovery, as text."""
    return as_text(story(found))


def story(found: Discovery) -> Iterator[Part]:
    """The method in a few words, then how each equation was found."""
    yield Heading(f"How the equations of {found.target} were found")
    if found.recorded:
        yield from recordings_told(found)
    else:
        yield said(_METHOD.format(found.kind.value))
    if not found.equations:
        yield said("No equation has been found yet.")
    for equation in found.equations:
        yield from equation_story(equation, found)
    for each in found.unfinished:
        yield said(
            f"The search for d{each.variable}/dt was cut short after "
            f"{counted(each.candidates, 'candidate')}."
        )


def equation_story(equation: Equation, found: Discovery) -> Iterator[Part]:
    """What mattered, the rounds, how they led to the law, and how that was checked."""
    if found.recorded:
        yield from recorded_story(equation)
        return
    left = equation.left
    yield Heading(left, 2)
    yield said(f"Found, and {equation.status.value}: ", _law(equation), ".")
    if not (equation.rounds or equation.screenings or equation.conclusions):
        yield said("This run holds no record of how it was found.")
    else:
        yield from _Telling(equation, found.names).told()
    yield from finish_told(equation)
    yield from check_told(equation, found)


def _law(equation: Equation) -> Formula:
    return Formula(rounded(equation.expression, equation.errors), equation.left)


class _Telling:
    """What was recorded of one search, told along the way that led to the law."""

    def __init__(self, equation: Equation, names: Sequence[str]) -> None:
        self.equation, self.names, self.way = equation, names, Way(equation)

    def told(self) -> Iterator[Part]:
        """The attempt that led to the law, and in short what was tried in vain."""
        if self.way.attempt:
            yield said(
                f"{counted(self.way.attempt, 'attempt').capitalize()} before this one "
                "ended without a law that stands; each began from other settings."
            )
        yield from self._about(self.way.beginning, self.equation.left)
        yield from self._in_vain()

    def _about(self, place: Place, left: str) -> Iterator[Part]:
        """Screening, rounds and conclusion of one quantity, then of what it is made of."""
        screening = self.way.screening(place)
        if screening is not None:
            yield screening_told(screening, left, self._all_names(place))
        conclusion, rounds = self.way.conclusion(place), self.way.rounds(place)
        for each in rounds:
            yield from round_told(each, left)
        if conclusion is None:
            return
        inner = self.way.studied_instead(conclusion)
        held = any(each.setting.held for each in rounds)
        if held or conclusion.form or inner or conclusion.strategy in AT_ONCE:
            yield from way_told(conclusion, left, inner)
        other = left if inner is None else studied(left, place, inner)
        if inner is not None:
            yield from self._about(inner, other)
        for constant in self.way.constants(conclusion):
            yield from self._about(constant, constant.called)
        if conclusion.strategy is not WayToLaw.CONSTANT and (inner is None or other != left):
            yield said("So ", formula(conclusion.law, left, place.stands_for), ".")

    def _all_names(self, place: Place) -> Sequence[str]:
        """The variables of the whole, if a place is about that and in its own variables."""
        return () if "." in place.target or place.stands_for else self.names

    def _in_vain(self) -> Iterator[Part]:
        failed = [each for each in self.equation.rounds if each.proposer is None]
        if failed:
            tried = sum(each.candidates for each in failed)
            yield said(
                f"In all, {plural(len(failed), 'round')} ended without a form that explains its "
                f"trials ({counted(tried, 'candidate')}); other ways went on without them."
            )
