"""Laws that recordings suggest of a system that can be experimented on: they are tried first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from odevsr.discovery.task import Event, Listener
from odevsr.errors import UsageError, nearest
from odevsr.fitting.warm import load_engine
from odevsr.language.expression import Expression, Number, rebuild, walk
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.world.recordings.runs import Recordings
from odevsr.world.studied import Studied

Guesses = Mapping[str, tuple[Expression, ...]]
"""Laws to try, by component, the likeliest first."""
MOST = 12
"""Laws of a component that are tried: they are all fitted to the same few launched states."""


def guesses_of(recordings: Recordings, studied: Studied, seed: int, on_event: Listener) -> Guesses:
    """The laws of recordings of the same variables, and their rivals."""
    _check(recordings, studied)
    load_engine(lambda said: on_event(Event(message=said)), "odevsr.recorded.discover")
    from odevsr.recorded.discover import discover_recordings

    found = discover_recordings(recordings, seed=seed)
    laws = {
        each.variable: (each.expression, *(rival.expression for rival in each.alternatives))[:MOST]
        for each in found.equations
    }
    return guesses_from_json(guesses_to_json(laws), studied.names)


def digest_of(recordings: Recordings) -> str:
    """What tells recordings from others: their names and all their numbers."""
    digest = hashlib.sha256(repr((recordings.names, recordings.inputs)).encode())
    for run in recordings.runs:
        for numbers in (run.times, run.states, run.inputs, run.derivatives):
            digest.update(b"" if numbers is None else np.ascontiguousarray(numbers).tobytes())
    return digest.hexdigest()


def guesses_to_json(guesses: Guesses) -> dict[str, list[str]]:
    """As a run's folder keeps them."""
    return {name: list(map(to_text, laws)) for name, laws in guesses.items()}


def guesses_from_json(values: Mapping[str, Iterable[str]], names: Sequence[str]) -> Guesses:
    """What a run's folder keeps; numbers that are not whole were fitted."""
    return {name: tuple(_parse_law(law, names) for law in laws) for name, laws in values.items()}


def _parse_law(text: str, names: Sequence[str]) -> Expression:
    law = parse(text, names)
    numbers = [node.value for node in walk(law) if isinstance(node, Number)]
    fitted = [Number(each if isinstance(each, int) else float(each)) for each in numbers]
    return rebuild(law, iter(fitted), Number)


def _check(recordings: Recordings, studied: Studied) -> None:
    """Refuse recordings of something else."""
    if not studied.kind.moves:
        raise UsageError("a prior is recordings of a motion, and this target has none; leave it")
    for name in (*recordings.names, *recordings.inputs):
        if name not in studied.names:
            raise UsageError(
                f"the prior records {name}, which is no variable of {studied.name}; "
                f"{nearest(name, studied.names)}"
            )
