"""A recording in pieces, put together run by run; what is too long for memory is thinned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from odevsr.arrays import FloatArray, IntArray
from odevsr.errors import DataFileError
from odevsr.world.recordings.roles import Roles

MOST_SAMPLES = 200_000
"""Of all runs together: what a search of some seconds can use, and little memory."""

ROW = "{place}, row {line}"
"""How a sentence names where a sample of a table stands."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Some samples: `numbers` has a row a sample and a column a heading.

    `labels` are the runs they are of, None where there is one run; `lines` where they stand.
    """

    numbers: FloatArray
    labels: Sequence[str] | None
    lines: IntArray

    def rows(self, chosen: IntArray) -> Piece:
        """The samples chosen, of one run."""
        return Piece(self.numbers[chosen], None, self.lines[chosen])


@dataclass(frozen=True, eq=False)
class Source:
    """A recording as it is read: what its columns are, and its samples in pieces."""

    roles: Roles
    pieces: Iterable[Piece]
    spot: str = ROW
    """How a sentence names where a sample stands."""
    notes: tuple[str, ...] = ()
    """What was made of what the recording has beside numbers."""

    def where(self, line: int) -> str:
        """A sample's place, for sentences."""
        return self.spot.format(place=self.roles.place, line=line)


@dataclass(frozen=True, eq=False)
class Gathered:
    """All samples kept: for each run a row a sample and a column a heading."""

    roles: Roles
    runs: dict[str, FloatArray]
    notes: tuple[str, ...]


@dataclass(eq=False)
class _Growing:
    """A run while it is read: every `stride`th sample of those seen."""

    pieces: list[FloatArray] = field(default_factory=list)
    seen: int = 0
    kept: int = 0
    stride: int = 1
    last: float = -np.inf

    def add(self, numbers: FloatArray, last: float) -> None:
        """Samples that follow those seen, the last of them at that time."""
        chosen = numbers[-self.seen % self.stride :: self.stride]
        self.pieces.append(chosen)
        self.seen += len(numbers)
        self.kept += len(chosen)
        self.last = last

    def thin(self) -> None:
        """Keep every second of what is kept."""
        self.pieces = [np.concatenate(self.pieces)[::2]]
        self.stride *= 2
        self.kept = len(self.pieces[0])


def gather(source: Source, name: str, most: int = MOST_SAMPLES) -> Gathered:
    """All samples, or of long runs so many that no more than `most` are held at any time.

    `name` is that of the run where the recording names none. Times that decrease are refused.
    """
    growing: dict[str, _Growing] = {}
    untimed = 0
    for piece in source.pieces:
        timed = np.flatnonzero(np.isfinite(piece.numbers[:, source.roles.time]))
        untimed += len(piece.lines) - len(timed)
        for label, rows in _by_run(piece, timed, name):
            if not label:
                raise DataFileError(
                    f"{source.where(int(piece.lines[rows[0]]))}: the sample has no run; name the "
                    "run of each in the column run, or remove that"
                )
            run = growing.setdefault(label, _Growing())
            part = piece.rows(rows)
            _check_order(source, label, run.last, part)
            run.add(part.numbers, float(part.numbers[-1, source.roles.time]))
            _keep_within(most, growing, source.roles.place)
    runs = {label: np.concatenate(run.pieces) for label, run in growing.items()}
    said = (*source.roles.notes, *source.notes, *_notes(source, growing, untimed))
    return Gathered(source.roles, runs, said)


def _by_run(piece: Piece, timed: IntArray, name: str) -> list[tuple[str, IntArray]]:
    """The runs in a piece and their samples, in order."""
    if not len(timed):
        return []
    if piece.labels is None:
        return [(name, timed)]
    labels = np.asarray(piece.labels)[timed]
    known, firsts, which = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(which, kind="stable")
    groups = np.split(timed[order], np.cumsum(np.bincount(which))[:-1])
    return [(str(known[index]), groups[index]) for index in np.argsort(firsts)]


def _check_order(source: Source, label: str, last: float, piece: Piece) -> None:
    times = np.append(last, piece.numbers[:, source.roles.time])
    back = np.flatnonzero(np.diff(times) < 0)
    if len(back):
        row = int(back[0])
        raise DataFileError(
            f"{source.where(int(piece.lines[row]))}: the time {times[row + 1]:g} comes after "
            f"{times[row]:g} in run {label}; sort the samples by time, or name the run of each in "
            "a column run"
        )


def _keep_within(most: int, growing: dict[str, _Growing], place: str) -> None:
    """Thin the longest runs until no more than `most` samples are kept."""
    while sum(run.kept for run in growing.values()) > most:
        longest = max(run.kept for run in growing.values())
        if longest == 1:
            raise DataFileError(f"{place} has more than {most:,} runs; give a part of them")
        for run in growing.values():
            if 2 * run.kept > longest:
                run.thin()


def _notes(source: Source, growing: dict[str, _Growing], untimed: int) -> list[str]:
    place, notes = source.roles.place, []
    if untimed:
        notes.append(f"{place}: samples without a time are left out: {untimed:,}")
    thinned = [run for run in growing.values() if run.stride > 1]
    if thinned:
        seen, kept = (
            sum(getattr(run, each) for run in growing.values()) for each in ("seen", "kept")
        )
        stride = max(run.stride for run in thinned)
        notes.append(
            f"{place}: of {seen:,} samples {kept:,} are kept, of long runs every {stride}th"
        )
    return notes
