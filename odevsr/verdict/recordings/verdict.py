"""Laws from recordings beside SINDy's, held against a part that no method has seen."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from odevsr.discovery.discover import discover
from odevsr.discovery.folder import load, run_header
from odevsr.discovery.recorded import SAMPLES, chosen_hold_out
from odevsr.discovery.result import Discovery
from odevsr.discovery.task import Event, Listener
from odevsr.errors import RunError
from odevsr.language.algebra.normal import normal_form
from odevsr.language.algebra.term import terms
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.recorded.discover import HoldOut, divided
from odevsr.settings import Settings
from odevsr.verdict.judgement import OURS
from odevsr.verdict.recordings.motion import motion_error
from odevsr.verdict.recordings.sindy import Smooth, sindy_laws, smoothed
from odevsr.vertical.equation import Status
from odevsr.world.recordings.files import read_recordings
from odevsr.world.recordings.given import Recorded, as_recordings
from odevsr.world.recordings.runs import Recordings

SINDY, WEAK = "SINDy", "weak SINDy"


@dataclass(frozen=True)
class RecordedMethod:
    """One method's laws, and how well their motion follows what was and was not searched.

    `reconstructs` and `follows` are R2, weighted by variance, of the motion from the (smoothed)
    first states on; minus infinity if it cannot be followed to the end.
    """

    name: str
    laws: tuple[tuple[str, Expression], ...]
    reconstructs: float
    follows: float
    elapsed_s: float

    @property
    def terms(self) -> int:
        """Of all laws together."""
        return sum(len(terms(normal_form(law))) for _, law in self.laws)


@dataclass(frozen=True)
class RecordedVerdict:
    """Methods side by side on the same recordings; `held` says what none of them was given."""

    target: str
    held: str
    methods: tuple[RecordedMethod, ...]
    statuses: tuple[Status, ...]
    """Of our laws."""
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """True if every law of ours is identified."""
        return all(each is Status.IDENTIFIED for each in self.statuses)

    def __str__(self) -> str:
        return "\n".join(
            f"{method.name}: d{name}/dt = {to_text(rounded(law))}"
            for method in self.methods
            for name, law in method.laws
        )

    def print(self) -> None:
        """Print every method's laws."""
        print(self)


def validate_recordings(
    what: Recorded,
    *,
    inputs: str | Sequence[str] = (),
    hold_out: str | float | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    on_event: Listener = lambda event: None,
) -> RecordedVerdict:
    """Laws from recordings judged by a part that is held out, and SINDy's laws beside them.

    What is judged is the folder of a run, or recordings as `discover` takes them, which are
    searched first; the last fifth of each run is held out unless `hold_out` says otherwise.
    """
    if isinstance(what, str | Path) and Path(what).is_dir():
        return _run_verdict(Path(what), on_event)
    recordings = as_recordings(what, inputs)
    asked = HoldOut().share if hold_out is None else hold_out
    found = discover(recordings, settings=settings, seed=seed, hold_out=asked, on_event=on_event)
    return _verdict(found, recordings, chosen_hold_out(asked, recordings), (), on_event)


def _run_verdict(run: Path, on_event: Listener) -> RecordedVerdict:
    """The discovery in a run folder, and SINDy on the samples that are kept there."""
    found, samples = load(run), run / "measurements" / SAMPLES
    if not samples.exists():
        raise RunError(f"the run in {run} holds no recordings; judge it by odevsr.validate")
    asked = run_header(run).get("asked", {})
    recordings = read_recordings(samples, inputs=asked.get("inputs", ()))
    held = asked.get("hold_out")
    if held is not None:
        return _verdict(found, recordings, chosen_hold_out(held, recordings), (), on_event)
    note = f"{OURS} was given all samples, also those that SINDy was not"
    return _verdict(found, recordings, HoldOut(), (note,), on_event)


def _verdict(
    found: Discovery,
    recordings: Recordings,
    hold_out: HoldOut,
    notes: tuple[str, ...],
    on_event: Listener,
) -> RecordedVerdict:
    given, held = divided(recordings, hold_out)
    assert held is not None  # as something is held out
    whole = {run.name: smoothed(run) for run in recordings.runs}
    court = _Court(
        names=(*recordings.names, *recordings.inputs),
        given=tuple(map(smoothed, given.runs)),
        held=tuple(whole[run.name].last(len(run.times)) for run in held.runs if len(run.times) > 1),
    )
    ours = tuple((each.variable, each.expression) for each in found.equations)
    methods = [court.judged(OURS, ours, found.elapsed_s)]
    for name in (SINDY, WEAK):
        on_event(Event(message=f"{name}: on the same samples"))
        began = time.perf_counter()
        laws = sindy_laws(given, court.given, [law for _, law in ours], weak=name == WEAK)
        pairs = tuple(zip(recordings.names, laws, strict=True))
        methods.append(court.judged(name, pairs, time.perf_counter() - began))
    return RecordedVerdict(
        target=found.target,
        held=_held_text(hold_out),
        methods=tuple(methods),
        statuses=tuple(each.status for each in found.equations),
        seed=found.seed,
        notes=(*recordings.notes, *notes),
    )


@dataclass(frozen=True, eq=False)
class _Court:
    """What all methods are held against."""

    names: tuple[str, ...]
    given: tuple[Smooth, ...]
    held: tuple[Smooth, ...]

    def judged(
        self, method: str, laws: tuple[tuple[str, Expression], ...], seconds: float
    ) -> RecordedMethod:
        """The laws with how well their motion follows what was given and what was held out."""
        return RecordedMethod(
            method, laws, self._r2(laws, self.given), self._r2(laws, self.held), seconds
        )

    def _r2(self, laws: tuple[tuple[str, Expression], ...], runs: tuple[Smooth, ...]) -> float:
        field = compile_field([law for _, law in laws], self.names)
        starts = [run.states[0] for run in runs]
        return 1 - motion_error(field, [run.run for run in runs], starts)


def _held_text(hold_out: HoldOut) -> str:
    if hold_out.run is not None:
        return f"run {hold_out.run}"
    return f"the last {hold_out.share:.3g} of each run"
