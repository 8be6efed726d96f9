"""Candidates for one law of a system that follows the samples already, from its own motion.

That motion is nearer to the truth than any smooth path. Each term's response takes the place of its
integral: rows are the samples, and starts and the constants of all other laws are free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import Field
from odevsr.recorded.motions.contest import distinct
from odevsr.recorded.motions.responses import Responses
from odevsr.recorded.motions.systems import Fitted, System, closed
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.candidates import Candidate, candidates
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.score import constants_cost, prior, reach

FORGIVEN = 50.0
"""Sum of squares that an atom may leave in excess as long as its constants are those of a scan; of
two functions that switch, the true ones left 25 and 42."""
OF_A_KIND = 40
"""Laws of one library and size that are listed, where there are several variables."""
SPARE = 2
"""Laws for each that is listed: some are the same, written otherwise."""


@dataclass(frozen=True, eq=False)
class AlongMotion(Rows):
    """Rows of responses, for the law of one equation in place of the one the system has."""

    system: System
    responses: Responses
    most: int
    is_last: bool

    @property
    def of_each_size(self) -> int:
        """All of one variable; of more, so few of each kind that every kind is among the listed."""
        return self.most if len(self.paths.names) == 1 else OF_A_KIND

    @property
    def with_atom(self) -> int:
        """The same of the three smallest sizes."""
        return 3 * self.of_each_size

    @property
    def moves(self) -> int:
        """From values nearby a few are enough, and each is dear."""
        return 4

    @property
    def samples(self) -> int:
        """As many as fits of motion count, one for each time."""
        return len(self.paths.times)

    @cached_property
    def least(self) -> float:
        """What the system leaves."""
        return float(np.sum(self.left**2))

    @property
    def forgiven(self) -> float:
        """Much where laws are listed to be named; not while better ones are looked for."""
        return FORGIVEN if self.is_last else 0.0

    @cached_property
    def score(self) -> float:
        """Of the law that the system has."""
        own = self.system.laws[self.equation]
        cost = constants_cost(len(own.theta), self.samples) + prior(own.law, len(self.paths.names))
        return self.least * len(self.left) / max(len(self.left) - len(own.theta), 1) + cost

    @cached_property
    def left(self) -> FloatArray:
        """What the system leaves of the samples."""
        return self._free(self.responses.left[:, None])[:, 0]

    @cached_property
    def target(self) -> FloatArray:
        """What the law's response is, less what the system leaves of the samples."""
        law = self.paths.field([closed(self.system.laws[self.equation])])
        return np.asarray(self.columns(law)[:, 0] - self.left)

    def columns(self, terms: Field, times_slope: int = 0) -> FloatArray:
        """Responses (rows, terms); quotients have none."""
        return self._free(np.nan_to_num(self.responses.to(self.equation, terms)))

    def _free(self, rows: FloatArray) -> FloatArray:
        """Less what the constants of other laws can make up for."""
        return np.asarray(rows - self._others @ (self._others.T @ rows))

    @cached_property
    def _others(self) -> FloatArray:
        sizes = [len(each.theta) for each in self.system.laws]
        theirs = np.repeat(np.arange(len(sizes)), sizes) != self.equation
        return np.linalg.qr(self.responses.own[:, theirs])[0]


def searched_again(
    paths: Paths,
    system: System,
    responses: Responses,
    equation: int,
    libraries: Sequence[Library],
    most: int,
    is_last: bool = False,
) -> list[Fitted]:
    """At most so many laws for one equation that may do about as well as the best, as foretold.

    The last time, when they are listed to be named, also those that may once they are fitted.
    """
    rows = AlongMotion(paths, equation, not paths.clean.all(), system, responses, most, is_last)
    behind = reach(len(paths.times))
    farthest = rows.score + behind
    found: list[Candidate] = []
    for library in libraries:
        if not library.is_quotient:
            found += [
                each for each in candidates(rows, library, farthest) if each.score <= farthest
            ]
            found = sorted(found, key=lambda each: each.score)[: SPARE * most]
            last = found[-1].score if len(found) == SPARE * most else farthest
            farthest = min(farthest, last, found[0].score + behind) if found else farthest
    near = [each for each in found if each.score <= farthest]
    return distinct(near, most, 0)
