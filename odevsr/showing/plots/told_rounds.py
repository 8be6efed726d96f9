"""The rounds of a discovery that pictures show, and what was measured in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.showing.plots.subject import Subject
from odevsr.showing.words import listed
from odevsr.vertical.equation import Equation
from odevsr.vertical.story import Round


@dataclass(frozen=True, eq=False)
class Shown:
    """A round of an equation with its trials: states (points, n) and values (points,) of each."""

    equation: Equation
    round: Round
    trials: tuple[tuple[FloatArray, FloatArray], ...]

    @property
    def caption(self) -> str:
        """What was free and what was held."""
        held = ", ".join(self.round.setting.held)
        words = f"{self.equation.left}: {self.round.variable} free"
        return f"{words}, {held} held" if held else words


def shown_rounds(subject: Subject) -> Iterator[Shown]:
    """Rounds about the derivatives themselves, for each free variable the last one."""
    for equation in subject.discovery().equations:
        for each in _own(equation):
            yield Shown(equation, each, tuple(_trials(subject, equation, each)))


def _own(equation: Equation) -> list[Round]:
    """Rounds of the equation itself in its own variables, the last over each."""
    own = [each for each in equation.rounds
           if each.place.target == equation.variable and not each.place.stands_for]  # fmt: skip
    return list({each.free or (each.variable,): each for each in own}.values())


def undrawn(subject: Subject) -> str:
    """Which laws have no rounds to draw, and why; empty if all have some."""
    found = subject.discovery()
    if found.recorded:
        return "The laws come from recordings: nothing was held, and there are no rounds."
    reasons = {each.left: _reason(each) for each in found.equations if not _own(each)}
    return " ".join(
        f"No round is drawn of {listed([left for left in reasons if reasons[left] == why])}, {why}."
        for why in dict.fromkeys(reasons.values())
    )


def _reason(equation: Equation) -> str:
    """Why there is no round of an equation to draw."""
    if equation.rounds:
        return "found in combinations of the variables (its symmetries were seen first)"
    return "found before any round" if equation.screenings else "of which nothing else is on record"


def _trials(
    subject: Subject, equation: Equation, each: Round
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """What was measured in each trial; nothing where no measurements are kept."""
    first, end = each.setting.experiments
    experiments = subject.measured(equation)[first:end]
    if not experiments:
        return
    states = np.concatenate([one.states for one in experiments])
    values = np.concatenate([one.values for one in experiments])
    columns = [subject.names.index(name) for name in each.setting.held]
    for held in each.setting.values or ((),):
        rows = np.all(states[:, columns] == np.array(held), axis=1)
        yield states[rows], values[rows]
