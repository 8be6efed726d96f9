"""The search for laws behind smooth paths: candidates of every library, then the choice."""

from __future__ import annotations

from collections.abc import Callable

from odevsr.recorded.candidates import Candidate, Rows, candidates
from odevsr.recorded.choose import Choice, choose
from odevsr.recorded.contest import contest, distinct
from odevsr.recorded.libraries import libraries
from odevsr.recorded.paths import Paths

OF_A_LIBRARY, CONTESTANTS = 12, 40
"""Candidates kept of each library, and of all for the fits of motion; of noisy paths fewer, since
they are searched again along the motion that is found."""


def search_laws(paths: Paths, on_event: Callable[[str], None] = lambda sentence: None) -> Choice:
    """The best system of laws, and what it was chosen from."""
    noisy = not paths.clean.all()
    most, of_each_size = (CONTESTANTS // paths.variables, 1) if noisy else (CONTESTANTS, 2)
    shortlists = []
    for equation in range(paths.variables):
        found = _proposed(paths, equation)
        shortlists.append(contest(paths, equation, distinct(found, most, of_each_size)))
        on_event(f"{paths.names[equation]}: {len(found)} candidates")
    return choose(paths, shortlists, list(libraries(paths)))


def _proposed(paths: Paths, equation: int) -> list[Candidate]:
    """The best of each library; quotients are read off slopes even where there is noise."""
    by_slopes = Rows(paths, equation, integral=False)
    rows = by_slopes if paths.clean.all() else Rows(paths, equation, integral=True)
    found: list[Candidate] = []
    for library in libraries(paths):
        own = candidates(by_slopes if library.is_quotient else rows, library)
        found += sorted(own, key=lambda each: each.score)[:OF_A_LIBRARY]
    return found
