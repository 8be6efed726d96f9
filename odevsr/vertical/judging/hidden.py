"""What errors and noise could hide of a law: terms that it lacks, and terms that are others."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from odevsr.evidence.data import Data
from odevsr.evidence.law import Law, errors_of
from odevsr.evidence.missed import all_series, look_alike, most_missed, series_begun, vague_term
from odevsr.language.expression import variables
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.limits import LIKELY, SAME
from odevsr.vertical.asking.measuring import STATES, Measuring, noise_share, wanted_states
from odevsr.vertical.judging.doubt import Doubt, Weight
from odevsr.world.sample import Sample


def hidden_terms(
    law: Law, measuring: Measuring, rng: np.random.Generator, seen: Sample | None
) -> Iterator[Doubt]:
    """Terms that the law lacks and measurements show, or that their errors could hide.

    Noise averages out over many states; errors of any other kind do not.
    """
    data = None if seen is None else measuring.data(seen)
    if measuring.agreement.is_noisy:
        if data is None or len(data) < wanted_states(data.sample, measuring.limits):
            fresh = measuring.enough(rng)
            data = max(fresh, data or fresh, key=len)
        yield from _hidden_by_noise(law, measuring, data)
        return
    if variables(law.expression):
        yield from hidden_by_errors(law.blur, measuring)
    if data is not None or any(all_series(law.expression)):
        yield from _other_functions(law, data or measuring.fresh(STATES, rng))


def hidden_by_errors(blur: float, measuring: Measuring) -> Iterator[Doubt]:
    """What may be hidden where errors, which do not average out, are this share of the values."""
    share = measuring.limits.estimated * blur
    if share > SAME:
        yield _could_hide("errors", share, measuring)


def _could_hide(cause: str, share: float, measuring: Measuring) -> Doubt:
    weight = Weight.LEAVES_OPEN if share > measuring.limits.lacking else Weight.TOLD
    hidden = f"{100 * share:.2g} % of the {measuring.oracle.kind.value}"
    return Doubt(f"{cause} could hide terms of up to {hidden}", weight)


def _hidden_by_noise(law: Law, measuring: Measuring, data: Data) -> Iterator[Doubt]:
    """Terms that the law lacks, or that might as well be others."""
    missed, significance = most_missed(law, data)
    if significance >= measuring.limits.sure:
        yield Doubt(f"measurements show a dependence on {to_text(missed)} that it lacks")
        return
    share = (significance + LIKELY) * noise_share(data.sample) / len(data) ** 0.5
    yield _could_hide("noise", share, measuring)
    pair = look_alike(law, data)
    if pair is not None:
        term, other = map(to_text, pair)
        yield Doubt(f"noise does not tell its {term} from {other}", Weight.LEAVES_OPEN)
    yield from _other_functions(law, data)
    yield from _alike(law, data)


def _other_functions(law: Law, data: Data) -> Iterator[Doubt]:
    """Terms of the law that might as well be the first of many, or other functions."""
    vague = vague_term(law, data)
    if vague is not None:
        term = to_text(rounded(vague, errors_of(law.constants)))
        yield Doubt(f"errors leave open which function its {term} is", Weight.LEAVES_OPEN)
    series = series_begun(law, data)
    if series is not None:
        first, second = map(to_text, (series.first, series.second))
        yield Doubt(
            f"errors could hide the rest of a series that begins with {first} and {second}",
            Weight.LEAVES_OPEN,
        )


def _alike(law: Law, data: Data) -> Iterator[Doubt]:
    """Noise that is alike from one measurement to the next: it averages out less than it should.

    Half of the neighbours are off to the same side where noise is independent.
    """
    is_above = data.residuals(law.expression) > 0
    same = is_above[1:] == is_above[:-1]
    if np.sum(same - 0.5) > data.agreement.limits.sure * math.sqrt(len(same)) / 2:
        yield Doubt(
            "noise is alike from one measurement to the next, and hides more than it seems to",
            Weight.LEAVES_OPEN,
        )
