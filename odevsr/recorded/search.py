"""The search for laws behind smooth paths: candidates of every library, then the choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

import numpy as np

from odevsr.recorded.choosing.choose import choose
from odevsr.recorded.choosing.sweeps import Choice, dusted
from odevsr.recorded.detail import detail, longest
from odevsr.recorded.motions.contest import contest, distinct
from odevsr.recorded.motions.systems import FittedLaw
from odevsr.recorded.paths import Paths
from odevsr.recorded.proposing.candidates import Candidate, candidates
from odevsr.recorded.proposing.libraries import Library, libraries, wide_libraries
from odevsr.recorded.proposing.relaxing import relaxing
from odevsr.recorded.proposing.rows import Rows
from odevsr.recorded.proposing.spans import spanned
from odevsr.recorded.smoothing import ENOUGH, MOST

OF_A_LIBRARY, CONTESTANTS = 12, 40
"""Candidates kept of each library, and of all for the fits of motion; of noisy paths fewer, since
they are searched again along the motion that is found."""
FEWEST, REFUTED = 4, 1e4
"""Candidates that are followed in any case; others leave no more than so many times what the best
leaves, or errors do: those of slopes are known to a factor of ten, and this is a hundred. In ten
equations of clean runs the truth left at most 24 times as much."""
CERTAIN = 50
"""Numbers that describe a motion, for each constant of a law that explains its slopes, from which
on nothing else is looked for: so many runs leave no part of a function unseen. In ten equations of
single runs no wrong law that explains the slopes has more than 16."""
FITTED = 500
"""Samples that the motion of certain laws is fitted to, at least."""


@dataclass(frozen=True, eq=False)
class Proposed:
    """Laws that may be those of each equation, and the libraries they are from."""

    shortlists: tuple[list[FittedLaw], ...]
    libraries: tuple[Library, ...]

    def chosen(self, paths: Paths) -> Choice:
        """The best system of laws; its paths may be those of some runs."""
        return choose(_fitted(paths, self.shortlists), self.shortlists, self.libraries)

    def alone(self, equation: int, names: tuple[str, ...]) -> Proposed:
        """Those of one equation, for paths whose variables stand in this order."""
        own = tuple(replace(each, names=names) for each in self.libraries)
        return Proposed((self.shortlists[equation],), own)


def propose_laws(paths: Paths, on_event: Callable[[str], None] = lambda sentence: None) -> Proposed:
    """The laws of each equation whose motion, beside those of others, is to be followed."""
    paths = _searched(paths)
    found, shortlists = tuple(libraries(paths)), []
    wide = cache(lambda: tuple(wide_libraries(paths)))
    for equation in range(paths.variables):
        shortlists.append(_shortlist(paths, equation, found, wide))
        on_event(f"{paths.names[equation]}: {len(shortlists[-1])} candidates")
    return Proposed(tuple(shortlists), found)


def _fitted(paths: Paths, shortlists: Sequence[Sequence[FittedLaw]]) -> Paths:
    """The runs that motions are fitted to: the first few if laws are certain, and others judge."""
    if not paths.clean.all() or any(len(each) > 1 for each in shortlists):
        return _searched(paths)
    return _first(paths, FITTED)


def _searched(paths: Paths) -> Paths:
    """The runs that laws are looked for in: of noisy ones so many that some were left out, half."""
    is_plenty = not paths.clean.all() and len(paths.times) >= MOST
    return _first(paths, ENOUGH) if is_plenty else paths


def _first(paths: Paths, samples: int) -> Paths:
    """The first runs, with at least so many samples if there are."""
    enough = int(np.searchsorted(paths.bounds, samples))
    return paths.runs(range(min(enough, len(paths.bounds) - 1)))


def _shortlist(
    paths: Paths,
    equation: int,
    libraries: Sequence[Library],
    wide: Callable[[], Sequence[Library]],
) -> list[FittedLaw]:
    """The laws of one equation, best first; of wide libraries where no other law explains."""
    noisy = not paths.clean.all()
    found: list[Candidate] = []
    told = 0 if noisy else detail(paths, equation)
    for some in _proposed(paths, equation, libraries):
        found = sorted([*found, *some], key=attrgetter("score"))
        if found and found[0].chi2 <= len(paths.times) and found[0].constants <= told / CERTAIN:
            return [dusted(paths, law, equation) for law in distinct(found[:1], 1, 0)]
    if noisy:
        return contest(paths, equation, distinct(found, CONTESTANTS // paths.variables, 1))
    rows = Rows(paths, equation, integral=False)
    if not _explains(rows, found, longest(paths, told)):
        found = sorted([*found, *spanned(rows, wide())], key=attrgetter("score"))
    return contest(paths, equation, distinct(_plausible(paths, found), CONTESTANTS, 2))


def _explains(rows: Rows, found: Sequence[Candidate], most: float) -> bool:
    """Whether a candidate of so many constants leaves about as much as the errors of slopes."""
    return any(each.chi2 <= rows.explained and each.constants <= most for each in found)


def _proposed(
    paths: Paths, equation: int, libraries: Sequence[Library]
) -> Iterator[list[Candidate]]:
    """The best of each library, simplest first; quotients are read off slopes, noisy or not."""
    by_slopes = Rows(paths, equation, integral=False)
    rows = by_slopes if paths.clean.all() else Rows(paths, equation, integral=True)
    yield _best(rows, libraries[0])
    if paths.clean.all():
        yield list(spanned(rows, [each for each in libraries if each.atom is not None]))
    else:
        yield list(relaxing(paths, equation, libraries[0]))
    for library in libraries[1:]:
        yield _best(by_slopes if library.is_quotient else rows, library)


def _best(rows: Rows, library: Library) -> list[Candidate]:
    found = candidates(rows, library, rows.columns_of(library))
    return sorted(found, key=attrgetter("score"))[:OF_A_LIBRARY]


def _plausible(paths: Paths, found: Sequence[Candidate]) -> list[Candidate]:
    """Those whose motion is worth following: slopes without noise refute what is far from them."""
    most = REFUTED * max(found[0].chi2, len(paths.times)) if found else 0.0
    return [each for place, each in enumerate(found) if place < FEWEST or each.chi2 <= most]
