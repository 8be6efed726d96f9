"""The rounds of a discovery that pictures show, and what was measured in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Variable
from odevsr.showing.meanings import called, is_of_variables, written_out
from odevsr.showing.plots.subject import Subject
from odevsr.showing.way import Way
from odevsr.showing.words import listed
from odevsr.vertical.asking.story import Round
from odevsr.vertical.equation import Equation

NEAR = 1e-9
"""What rounding leaves of a coordinate that was held, relative to its largest value."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A round on the way to an equation, with its trials.

    `about` is the quantity that was studied. `trials` are the states (points, n) that were launched
    from and what was measured there (points,); `curves` are what was studied, over the free
    variable (points,) each.
    """

    equation: Equation
    round: Round
    about: str
    names: tuple[str, ...]
    trials: tuple[tuple[FloatArray, FloatArray], ...] = ()

    @property
    def free(self) -> str:
        """What was free."""
        return called([self.round.variable], self.round.place.stands_for)[0]

    @property
    def held(self) -> list[str]:
        """What was held."""
        return called(self.round.setting.held, self.round.place.stands_for)

    @property
    def quantity(self) -> str:
        """What was studied, and of which law."""
        within = self.round.place.within
        return f"{self.about} of {self.equation.left}" if within else self.about

    @property
    def caption(self) -> str:
        """What was studied, what was free and what was held."""
        words = f"{self.quantity}: {self.free} free"
        return f"{words}, {', '.join(self.held)} held" if self.held else words

    @property
    def curves(self) -> list[tuple[FloatArray, FloatArray]]:
        """What was studied in each trial, over the free variable."""
        if self.round.seen:
            return [(np.array(each.over), np.array(each.values)) for each in self.round.seen]
        return [
            (self.coordinate(self.round.variable, states), values) for states, values in self.trials
        ]

    def coordinate(self, name: str, states: FloatArray) -> FloatArray:
        """What goes by a name in the round, at these states."""
        law = written_out(Variable(name), self.round.place.stands_for)
        values: FloatArray = compile_field([law], self.names)(states)[:, 0]
        return values


def shown_rounds(subject: Subject) -> Iterator[Shown]:
    """The rounds on the way to each law, for all that was free the last one."""
    for equation in subject.discovery().equations:
        for about, each in _drawable(equation):
            shown = Shown(equation, each, about, subject.names)
            yield replace(shown, trials=tuple(_trials(subject, shown)))


def _drawable(equation: Equation) -> list[tuple[str, Round]]:
    """Rounds whose values are on record: they were measured, or kept with the round."""
    return [
        (about, each)
        for about, each in Way(equation).told_rounds()
        if each.seen or (not each.place.within and is_of_variables(each.place.stands_for))
    ]


def undrawn(subject: Subject) -> str:
    """Which laws have no rounds to draw, and why; empty if all have some."""
    found = subject.discovery()
    if found.recorded:
        return "The laws come from recordings: nothing was held, and there are no rounds."
    reasons = {each.left: _reason(each) for each in found.equations if not _drawable(each)}
    return " ".join(
        f"No round is drawn of {listed([left for left in reasons if reasons[left] == why])}, {why}."
        for why in dict.fromkeys(reasons.values())
    )


def _reason(equation: Equation) -> str:
    """Why there is no round of an equation to draw."""
    if equation.rounds:
        return "whose rounds are about quantities that this run has not kept"
    return "found before any round" if equation.screenings else "of which nothing else is on record"


def _trials(subject: Subject, shown: Shown) -> Iterator[tuple[FloatArray, FloatArray]]:
    """What was measured in each trial; nothing where no measurements are kept."""
    setting = shown.round.setting
    first, end = setting.experiments
    experiments = subject.measured(shown.equation)[first:end]
    if not experiments:
        return
    states = np.concatenate([one.states for one in experiments])
    values = np.concatenate([one.values for one in experiments])
    held = [shown.coordinate(name, states) for name in setting.held]
    for row in setting.values or ((),):
        rows = np.ones(len(states), bool)
        for coordinate, value in zip(held, row, strict=True):
            rows &= np.isclose(coordinate, value, NEAR, NEAR * np.max(np.abs(coordinate)))
        yield states[rows], values[rows]
