"""Laws that break: one for each part of the ranges, found as the law of the whole would be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError
from odevsr.evidence.law import Law, errors_of
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.limits import SAME
from odevsr.vertical.asking.design import Design, Draw
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.asking.question import Attempt, Question
from odevsr.vertical.breaks import Breaks, Scattered, find_breaks
from odevsr.vertical.joined import joined_law
from odevsr.vertical.judging.doubt import Doubt, Weight
from odevsr.vertical.judging.finish import finish
from odevsr.vertical.judging.judge import doubts
from odevsr.vertical.laws.solve import solve
from odevsr.world.box import Box
from odevsr.world.experiments.oracle import Oracle, WrappingOracle
from odevsr.world.sample import Sample


class PartOracle(WrappingOracle):
    """An oracle for a part of the ranges."""

    def __init__(self, oracle: Oracle, box: Box) -> None:
        super().__init__(oracle)
        self.box = box

    def measure(self, states: FloatArray) -> Sample:
        """As the oracle does."""
        return self._oracle.measure(states)


@dataclass(frozen=True)
class Parts:
    """What to say where there is no law of the whole: where it breaks, what its parts are."""

    doubt: Doubt
    joined: Expression | None = None
    """The one law that it is, if the laws of all parts are known and meet."""

    @property
    def has_known_laws(self) -> bool:
        """True if the law breaks, and that of some part is known."""
        return self.doubt.weight is Weight.BREAKS


WHOLE = Parts(Doubt("no law explains the rounds"))
"""It breaks nowhere."""


def law_in_parts(oracle: Oracle, attempt: Attempt, design: Design) -> Parts:
    """Where the law breaks, with the laws of its parts as far as they are found at once."""
    found = find_breaks(oracle, design.rng(Draw.BREAKS))
    if found is None:
        return WHOLE
    if isinstance(found, Scattered):
        return Parts(Doubt(f"it breaks at {found.description(oracle.names)}"))
    laws = [
        _law_of(PartOracle(oracle, part), attempt, design.part(Draw.BREAKS, number))
        for number, part in enumerate(found.parts(oracle.box))
    ]
    known = [law.expression for law in laws if law is not None]
    sentence = breaks_sentence(oracle.names[found.variable], found, laws)
    if len(known) == len(laws) and _all_meet(known, found, oracle):
        return Parts(Doubt(sentence), joined_law(known, found, oracle.names, oracle.box))
    return Parts(Doubt(sentence, Weight.BREAKS if known else Weight.REFUTES))


def _all_meet(laws: Sequence[Expression], breaks: Breaks, oracle: Oracle) -> bool:
    """True if the law of each part goes on where the one before ends."""
    field = compile_field(laws, oracle.names)
    for place, (low, high) in enumerate(breaks.between):
        states = oracle.box.limits.T.repeat(2, axis=0)
        states[:, breaks.variable] = low, high, low, high
        before, after = field(states)[:, [place, place + 1]].T
        size = np.max(np.abs([before, after]))
        bends = np.abs(before[::2] - before[1::2]) + np.abs(after[::2] - after[1::2])
        if np.any(np.abs(before - after) > bends.max() + SAME * size):
            return False
    return True


def _law_of(part: PartOracle, attempt: Attempt, design: Design) -> Law | None:
    """The law of a part; None if none is found at once that nothing refutes."""
    question = Question(part, attempt, design, part.variable, is_brief=True)
    with suppress(SimulationError):
        law = solve(question)
        if law is None:
            return None
        rng, measuring = design.rng(Draw.FINISH), Measuring(part, attempt.agreement)
        finished, _ = finish(law, measuring, rng)
        if not any(each.refutes for each in doubts(finished, measuring, rng)):
            return finished
    return None


def breaks_sentence(name: str, breaks: Breaks, laws: Sequence[Law | None]) -> str:
    """Where the law breaks, and what it is in each part, if that is known.

    >>> from odevsr.language.expression import Variable
    >>> breaks_sentence("x", Breaks(0, ((0.69, 0.71),)), [Law(Variable("x"), (), 1.0), None])
    'it breaks at x = 0.7: fits x for x < 0.7; another law for x > 0.7'
    """
    places = breaks.places
    wheres = [
        f"{name} < {places[0]}",
        *(f"{low} < {name} < {high}" for low, high in pairwise(places)),
        f"{name} > {places[-1]}",
    ]
    parts = [
        f"{'another law' if law is None else f'fits {_text(law)}'} for {where}"
        for law, where in zip(laws, wheres, strict=True)
    ]
    return f"it breaks at {name} = {', '.join(places)}" + any(laws) * f": {'; '.join(parts)}"


def _text(law: Law) -> str:
    return to_text(rounded(law.expression, errors_of(law.constants)))
