"""Candidates for one law of a system that follows the samples already, from its own motion.

That motion is nearer to the truth than any smooth path. Each term's response takes the place of its
integral: rows are the samples, and starts and the constants of all other laws are free.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import Field
from odevsr.recorded.motions.responses import Along, Responses, responses_of
from odevsr.recorded.motions.systems import FittedSystem, closed
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

    system: FittedSystem
    responses: Responses
    most: int
    forgiving: bool

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
        """Much where all laws are listed; not where the few that promise most are."""
        return FORGIVEN if self.forgiving else 0.0

    @cached_property
    def score(self) -> float:
        """Of the law that the system has."""
        own = self.system.laws[self.equation]
        cost = constants_cost(len(own.theta), self.samples) + prior(own.law, len(self.paths.names))
        return self.least + cost

    def expected(self, left: float, constants: int) -> float:
        """What they leave of these: scores of motions count no more, and constants cost enough."""
        return left

    @cached_property
    def left(self) -> FloatArray:
        """What the system leaves of the samples."""
        return self._free(self.responses.left[:, None])[:, 0]

    @cached_property
    def target(self) -> FloatArray:
        """What the law's response is, less what the system leaves of the samples."""
        law = self.paths.field([closed(self.system.laws[self.equation])])
        return np.asarray(self.columns(law)[:, 0] - self.left)

    def columns(self, terms: Field) -> FloatArray:
        """Responses (rows, terms)."""
        return self.responses_to(self.responses.along(terms))

    def responses_to(self, terms: Along) -> FloatArray:
        """The same of terms whose values along the motion are known."""
        return self._free(np.nan_to_num(self.responses.to(self.equation, terms)))

    def _free(self, rows: FloatArray) -> FloatArray:
        """Less what the constants of other laws can make up for."""
        return np.asarray(rows - self._others @ (self._others.T @ rows))

    @cached_property
    def _others(self) -> FloatArray:
        return self.responses.others((self.equation,))


def foretold(
    paths: Paths,
    system: FittedSystem,
    equations: Sequence[int],
    libraries: Sequence[Library],
    most: int,
    forgiving: bool = False,
) -> list[list[Candidate]]:
    """For each equation laws that may do about as well as the best, enough for so many forms.

    If forgiving, also those that may once their constants are fitted. The most hopeful come first.
    """
    noisy, responses = not paths.clean.all(), responses_of(paths, system)
    rows = [AlongMotion(paths, k, noisy, system, responses, most, forgiving) for k in equations]
    found: list[list[Candidate]] = [[] for _ in rows]
    for library in libraries:
        if not library.is_quotient:
            terms = responses.along(library.field)
            found = [
                _with_more(each, its, library, terms) for each, its in zip(rows, found, strict=True)
            ]
    return [
        [each for each in its if each.hoped <= _farthest(of_law, its)]
        for of_law, its in zip(rows, found, strict=True)
    ]


def _with_more(
    rows: AlongMotion, found: Sequence[Candidate], library: Library, terms: Along
) -> list[Candidate]:
    """The most hopeful candidates with those of one more library."""
    farthest = _farthest(rows, found)
    more = candidates(rows, library, rows.responses_to(terms), farthest)
    near = [*found, *(each for each in more if each.hoped <= farthest)]
    return sorted(near, key=attrgetter("hoped"))[: SPARE * rows.most]


def _farthest(rows: AlongMotion, found: Sequence[Candidate]) -> float:
    """What a candidate may cost beside those that are found, the most hopeful first."""
    best = min([rows.score, *(each.hoped for each in found[:1])])
    last = found[-1].hoped if len(found) == SPARE * rows.most else math.inf
    return min(best + reach(len(rows.paths.times)), last)
