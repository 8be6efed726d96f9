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
from odevsr.recorded.candidates import candidates
from odevsr.recorded.contest import distinct
from odevsr.recorded.libraries import Library
from odevsr.recorded.paths import Paths
from odevsr.recorded.responses import Responses
from odevsr.recorded.rows import Rows
from odevsr.recorded.systems import Fitted, System, closed

REACH = 15.0
"""How far behind the best score laws may be, as the responses foretell it,"""
MOST = 100
"""and how many of them there may be in all equations."""


@dataclass(frozen=True, eq=False)
class AlongMotion(Rows):
    """Rows of responses, for the law of one equation in place of the one the system has."""

    of_each_size: ClassVar[int] = 64
    reach: ClassVar[float] = REACH
    system: System
    responses: Responses

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
    """The laws for one equation of the system that may do about as well as the best, best first."""
    rows = AlongMotion(paths, equation, not paths.clean.all(), system, responses)
    sums = [library for library in libraries if not library.is_quotient]
    found = [each for library in sums for each in candidates(rows, library)]
    reach = min((each.score for each in found), default=0.0) + REACH
    near = [each for each in found if each.score <= reach]
    return distinct(near, MOST // paths.variables, 0)
