"""Candidates for one law of a system that follows the samples already, from its own motion.

That motion is nearer to the truth than any smooth path. Each term's response takes the place of its
integral: rows are the samples, and starts and the constants of all other laws are free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.expression import Expression
from odevsr.recorded.motions.contest import distinct
from odevsr.recorded.motions.responses import Responses
from odevsr.recorded.motions.systems import Fitted, System, closed
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.candidates import candidates
from odevsr.recorded.proposing.libraries import Library
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.score import reach

MOST = 300
"""Laws of one variable that are listed, which is nearly all; of more variables fits are dearer."""


@dataclass(frozen=True, eq=False)
class AlongMotion(Rows):
    """Rows of responses, for the law of one equation in place of the one the system has."""

    of_each_size: ClassVar[int] = 64
    with_atom: ClassVar[int] = 64
    system: System
    responses: Responses

    @property
    def moves(self) -> int:
        """From values nearby a few are enough, and each is dear."""
        return 4

    @property
    def reach(self) -> float:
        """As far as laws are named."""
        return reach(len(self.paths.times))

    @cached_property
    def target(self) -> FloatArray:
        """What the law's response is, less what the system leaves of the samples."""
        law = self._responses([closed(self.system.laws[self.equation])])[:, 0]
        return np.asarray(law - self._free(self.responses.left[:, None])[:, 0])

    def columns(self, terms: Sequence[Expression], times_slope: int = 0) -> FloatArray:
        """Responses (rows, terms); quotients have none."""
        return self._responses(terms)

    def _responses(self, terms: Sequence[Expression]) -> FloatArray:
        with np.errstate(all="ignore"):
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
) -> list[Fitted]:
    """The laws for one equation that may do about as well as the best, best first as foretold."""
    rows = AlongMotion(paths, equation, not paths.clean.all(), system, responses)
    sums = [library for library in libraries if not library.is_quotient]
    found = [each for library in sums for each in candidates(rows, library)]
    farthest = min((each.score for each in found), default=0.0) + rows.reach
    near = [each for each in found if each.score <= farthest]
    return distinct(near, MOST // paths.variables**2, 0)
