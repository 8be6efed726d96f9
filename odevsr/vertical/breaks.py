"""Where a law is not smooth: values of a variable at which it becomes another.

Along a line of states, fourth differences of what is measured are small and change slowly; a jump,
a kink or a join of two curves stands out in the few of them that reach across it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import added, multiplied
from odevsr.language.expression import Number, Variable
from odevsr.language.text import to_text
from odevsr.limits import FEWEST, READABLE, SAME, SPARE, SURELY
from odevsr.vertical.asking.states import line, lines
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Oracle

NODES = READABLE * FEWEST
"""States on each line: as many breaks as anybody reads have enough between them to be told."""
FOURTH = np.array([1.0, -4.0, 6.0, -4.0, 1.0])
STANDS_OUT = 30.0
"""A break is so many times larger than what is usual on its line: from 10 to 100 times the same 19
of 25 kinked simulators break, and none of 287 smooth laws; from 5 on, three of these."""
NEARBY = 10
"""Differences on either side of one, out of its reach, that tell what is usual: of as many, less
than half belong to the next of ten kinks."""
FLAT = len(FOURTH) / NODES
"""Places lie in a plane if they leave it by this share of their spread: as far as one difference
reaches along a line."""


@dataclass(frozen=True)
class Breaks:
    """Between which values (k, 2) of a variable the law breaks, in order."""

    variable: int
    between: tuple[tuple[float, float], ...]

    @property
    def places(self) -> list[str]:
        """The values themselves, as text."""
        return [f"{(low + high) / 2:.4g}" for low, high in self.between]

    def parts(self, box: Box) -> Iterator[Box]:
        """The boxes between the breaks, beyond which nothing is to be asked."""
        before, after = zip(*self.between, strict=True)
        low, high = box.limits[self.variable]
        least, most = box.domain[self.variable]
        limits = zip((low, *after), (*before, high), strict=True)
        for ends, reach in zip(
            limits, zip((least, *after), (*before, most), strict=True), strict=True
        ):
            domain = box.domain.copy()
            domain[self.variable] = reach
            yield replace(box.with_limits(self.variable, *ends), domain=domain)


@dataclass(frozen=True, eq=False)
class Scattered:
    """Places (k, n) at which a law breaks, no variable having the same value at all of them."""

    places: FloatArray

    def description(self, names: Sequence[str]) -> str:
        """The plane they lie in, if they lie in one; else where one of them is."""
        size = np.ptp(self.places, axis=0)
        centre = np.mean(self.places, axis=0)
        _, spread, axes = np.linalg.svd((self.places - centre) / size)
        if len(self.places) <= len(names) or spread[-1] > FLAT * spread[0]:
            where = zip(names, self.places[0], strict=True)
            return ", ".join(f"{name} = {value:.2g}" for name, value in where) + " and elsewhere"
        normal = axes[-1] / size
        matters = np.abs(normal * size) > FLAT
        normal = np.where(matters, normal, 0.0) / normal[int(np.argmax(matters))]
        rounded = [Number(float(f"{each:.2g}")) for each in normal]
        pairs = zip(rounded, map(Variable, names), strict=True)
        plane = normal_form(added([multiplied(pair) for pair in pairs]))
        return f"about {to_text(plane)} = {normal @ centre:.2g}"


def find_breaks(oracle: Oracle, rng: np.random.Generator) -> Breaks | Scattered | None:
    """The variable along which the law breaks in most places, the same from wherever one looks.

    If there is no such variable, the places at which it breaks; None if there are none.
    """
    box = oracle.box
    bases = random_states(box, SPARE, rng)
    states = lines(box, bases, np.linspace(0.0, 1.0, NODES))
    sample = oracle.measure(states)
    on_lines = [
        list(map(breaks_on_line, values, errors))
        for values, errors in zip(sample.values, sample.errors, strict=True)
    ]
    found = [_shared_breaks(each) for each in on_lines]
    variable = int(np.argmax([-1 if places is None else len(places) for places in found]))
    places = found[variable]
    if not places:
        return _scattered(on_lines, states)
    nodes = states[variable, 0, :, variable]
    closer = [_narrowed(oracle, variable, bases, nodes[list(place)]) for place in places]
    between = tuple(each for each in closer if each is not None)
    return Breaks(variable, between) if between else None


def _scattered(
    lines: Sequence[Sequence[list[tuple[int, int]] | None]], states: FloatArray
) -> Scattered | None:
    """The middles of all breaks on lines of states (n, bases, nodes, n); None if most have none."""
    places = [
        np.mean(nodes[list(place)], axis=0)
        for some, along in zip(lines, states, strict=True)
        for line, nodes in zip(some, along, strict=True)
        for place in line or ()
    ]
    return Scattered(np.array(places)) if len(places) >= SPARE else None


def breaks_on_line(values: FloatArray, errors: FloatArray) -> list[tuple[int, int]] | None:
    """Neighbouring nodes between which evenly spread values (K,) break; None if all is rough.

    It is rough, not broken, if there are more breaks than anybody reads. Where the line ends, two
    nodes on either side tell nothing.

    >>> nodes = np.linspace(-1.0, 1.0, 20)
    >>> breaks_on_line(np.abs(nodes), np.full(20, 1e-12))
    [(9, 10)]
    """
    if not np.all(np.isfinite(errors)):
        return None
    size = np.abs(np.convolve(values, FOURTH, mode="valid"))
    blur = np.convolve(_typical_errors(errors), np.abs(FOURTH), mode="valid")
    stands_out = np.flatnonzero(size > STANDS_OUT * _typical_sizes(size) + SURELY * blur)
    groups = np.split(stands_out, np.flatnonzero(np.diff(stands_out) > 1) + 1)
    if not stands_out.size or len(groups) > READABLE:
        return [] if not stands_out.size else None
    if any(group[-1] - group[0] >= len(FOURTH) for group in groups):
        return None
    found = [_nodes_across(int(group[0]), int(group[-1])) for group in groups]
    reach = len(FOURTH) // 2
    return [(low, high) for low, high in found if low >= reach and high < len(values) - reach]


def _typical_errors(errors: FloatArray) -> FloatArray:
    """Errors (K,) as neighbours share them; one alone is of launches that cross a break."""
    from scipy.ndimage import median_filter

    return np.asarray(median_filter(errors, len(FOURTH), mode="nearest"))


def _typical_sizes(size: FloatArray) -> FloatArray:
    """The typical size (k,) on that side of each, out of its reach, where it is larger."""
    reach = NEARBY + len(FOURTH) - 1
    padded = np.pad(size, reach, constant_values=np.nan)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)
    with warnings.catch_warnings(action="ignore"):  # at the ends there is one side only
        sides = [np.nanmedian(each, axis=1) for each in (windows[:, :NEARBY], windows[:, -NEARBY:])]
    usual: FloatArray = np.fmax(*sides)
    return usual


def _nodes_across(first: int, last: int) -> tuple[int, int]:
    """The nodes that all differences from the first to the last, which stand out, reach across."""
    low, high = sorted((last, first + len(FOURTH) - 1))
    return (low, high) if low < high else (low - 1, high + 1)


def _shared_breaks(lines: Sequence[list[tuple[int, int]] | None]) -> list[tuple[int, int]] | None:
    """Breaks that most lines share; None if they have some, but not the same."""
    usable = [line for line in lines if line is not None]
    places = sorted({place for line in usable for place in line})
    shared = [
        place
        for place in places
        if 2 * sum(any(_meet(place, other) for other in line) for line in usable) > len(lines)
    ]
    apart = [
        place
        for index, place in enumerate(shared)
        if not index or not _meet(place, shared[index - 1])
    ]
    return apart if apart or not places else None


def _meet(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] <= second[1] + 1 and second[0] <= first[1] + 1


def _narrowed(
    oracle: Oracle, variable: int, bases: FloatArray, between: FloatArray
) -> tuple[float, float] | None:
    """The same break from nearer by, with a quarter of the states; None if there it is none.

    One goes nearer still as long as it lies in less than half of what was between.
    """
    low, high = between
    margin, box = (high - low) / 2, oracle.box
    first, last = max(low - margin, box.low[variable]), min(high + margin, box.high[variable])
    nodes = np.linspace(first, last, NODES // 4)
    sample = oracle.measure(line(bases, variable, nodes))
    on_lines = map(breaks_on_line, sample.values, sample.errors)
    seen = [each[0] for each in on_lines if each is not None and len(each) == 1]
    if not seen:
        return None
    places = [min(place[0] for place in seen), max(place[1] for place in seen)]
    low, high = nodes[places].tolist()
    if not SAME * box.width[variable] < high - low < margin:
        return low, high
    return _narrowed(oracle, variable, bases, nodes[places]) or (low, high)
