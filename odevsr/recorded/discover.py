"""The laws behind recordings of a system that nobody can experiment on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.errors import UsageError, nearest
from odevsr.language.algebra.normal import normal_form
from odevsr.recorded.judging.notes import notes_of
from odevsr.recorded.judging.status import Judged, judge
from odevsr.recorded.jumps import parted
from odevsr.recorded.paths import Paths
from odevsr.recorded.search import Proposed, propose_laws
from odevsr.recorded.smoothing import smooth_paths
from odevsr.vertical.equation import Equation
from odevsr.world.recordings.join import check_moving
from odevsr.world.recordings.runs import Recordings, Run

FEWEST = 2
"""Samples of a run that moves."""
SOME = "of {:,} samples {:,} were fitted and {:,} judged the laws: enough for a search"


@dataclass(frozen=True)
class HoldOut:
    """What is kept from the search to judge its laws: a run by its name, or the end of each."""

    run: str | None = None
    share: float = 0.2
    """Of each run's samples, the last ones, where no run is named."""


@dataclass(frozen=True)
class RecordedLaws:
    """What a room below `discovery` can say of recordings; `discovery` makes a Discovery of it.

    `names` are the variables and then the inputs, `ranges` what each was seen to visit; `equations`
    has one for each variable, `notes` a sentence for each thing people must know about all of them.
    """

    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]
    equations: tuple[Equation, ...]
    notes: tuple[str, ...]
    elapsed_s: float


def discover_recordings(
    recordings: Recordings,
    *,
    seed: int = 0,
    hold_out: HoldOut | None = None,
    on_event: Callable[[str], None] = lambda sentence: None,
) -> RecordedLaws:
    """The laws that explain the recordings; `on_event` gets a sentence now and then.

    What is held out takes no part in the search. Without `hold_out` all samples do, and the last
    fifth of each run is held out of one more fit of the laws found, which must follow it.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    # More threads only spin: the matrices are small. Wild candidates go anywhere.
    with threadpool_limits(1), np.errstate(all="ignore"):
        return _discovered(recordings, seed, hold_out, on_event)


def _discovered(
    recordings: Recordings,
    seed: int,
    hold_out: HoldOut | None,
    on_event: Callable[[str], None],
) -> RecordedLaws:
    began = time.process_time()
    given, held = divided(recordings, hold_out)
    given = parted(given)
    paths = smooth_paths(given)
    on_event(f"{len(paths.times)} samples smoothed, runs: {len(paths.bounds) - 1}")
    proposed = propose_laws(paths, on_event)
    choice = proposed.chosen(paths)
    later = None if held is None else smooth_paths(parted(held))
    confirming = hold_out is not None and hold_out.run is not None
    judged = judge(paths, choice, later, confirming, seed)
    if paths.clean.all() and paths.variables > 1:
        judged = tuple(
            each
            if each.is_explained
            else _alone(paths, k, proposed, later, confirming, seed) or each
            for k, each in enumerate(judged)
        )
    laws = [normal_form(each.equation.expression) for each in judged]
    hidden = [each.hidden for each in judged]
    some = _some(paths, choice.paths, sum(len(run.times) for run in given.runs))
    notes = (*given.notes, *some, *notes_of(paths, laws, hidden, choice.is_cut_short))
    elapsed = time.process_time() - began
    equations = tuple(
        replace(each.equation, elapsed_s=elapsed / paths.variables) for each in judged
    )
    pairs = zip(paths.low.tolist(), paths.high.tolist(), strict=True)
    return RecordedLaws(paths.names, tuple(pairs), equations, notes, elapsed)


def _some(paths: Paths, fitted: Paths, samples: int) -> Iterator[str]:
    """What was fitted of so many samples, if not all."""
    kept, few = len(paths.times), len(fitted.times)
    if few < kept and not paths.clean.all():
        yield SOME.format(samples, few, kept - few)
    elif kept < samples:
        how = "taken evenly" if paths.clean.all() else "each the mean of its neighbours"
        yield f"{kept:,} of {samples:,} samples decide, {how}; smooth paths go through all"


def _alone(
    paths: Paths, k: int, proposed: Proposed, held: Paths | None, confirming: bool, seed: int
) -> Judged | None:
    """One law beside others that are not found, which move as they were smoothed; if it explains.

    Without noise smooth paths are as good as the samples. How a run would go on that tells it from
    its rivals nobody knows.
    """
    own = paths.alone(k)
    choice = proposed.alone(k, own.names).chosen(own)
    later = None if held is None else held.alone(k)
    (judged,) = judge(own, choice, later, confirming, seed)
    return judged.without_deciding_run() if judged.is_explained else None


def divided(
    recordings: Recordings, hold_out: HoldOut | None
) -> tuple[Recordings, Recordings | None]:
    """What is searched with, in which every variable must move, and what is held out."""
    if hold_out is None:
        return recordings, None
    given, held = (
        _without_ends(recordings.runs, hold_out.share)
        if hold_out.run is None
        else _without_run(recordings.runs, hold_out.run)
    )
    left = replace(recordings, runs=given)
    check_moving(replace(left, source=f"{recordings.source} less what is held out"))
    return left, replace(recordings, runs=held)


def _without_ends(runs: Sequence[Run], share: float) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """Runs without their ends, and these; what was measured once alone is no end."""
    pairs = [(run, max(FEWEST, round((1 - share) * len(run.times)))) for run in runs]
    ends = tuple(run.part(slice(end, None)) for run, end in pairs)
    held = tuple(filter(_is_measured, ends))
    if not held:
        raise UsageError(
            f"the last {share:g} of each run has less than {FEWEST} samples of some variable; hold "
            "out a larger share, or a run by its name"
        )
    return tuple(run.part(slice(end)) for run, end in pairs), held


def _without_run(runs: Sequence[Run], name: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """All other runs, and that one."""
    kept = tuple(run for run in runs if run.name != name)
    held = tuple(run for run in runs if run.name == name)
    if not (kept and held):
        raise UsageError(
            f"run {name!r} cannot be held out: another must be left; "
            f"{nearest(name, [run.name for run in runs])}"
        )
    if not all(map(_is_measured, held)):
        raise UsageError(
            f"run {name!r} cannot be held out: it has less than {FEWEST} samples of some variable; "
            "name another"
        )
    return kept, held


def _is_measured(run: Run) -> bool:
    """Whether enough of every variable was."""
    return bool(np.all(np.isfinite(run.states).sum(axis=0) >= FEWEST))
