"""The end of a search: all numbers of a law fitted, idle terms dropped, written as people would."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from odevsr.arrays import BoolArray
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.data import Data
from odevsr.evidence.law import Law, fit
from odevsr.evidence.numbers import fitted_numbers
from odevsr.evidence.simplify import simplified, with_hidden_terms
from odevsr.evidence.straight import straightened
from odevsr.language.algebra.term import added, terms
from odevsr.language.expression import Expression
from odevsr.limits import HOPELESS, LIKELY, Limits
from odevsr.vertical.writing import written
from odevsr.world.box import Box
from odevsr.world.experiments.mesh import random_states
from odevsr.world.experiments.oracle import Oracle
from odevsr.world.sample import TINY, Sample

FIT_STATES, FRESH_STATES = 120, 80
FEW_FRESH = 60
"""Where states are dear. They are spread evenly, and with those seen before they rarely miss what
a law lacks in a fortieth of a range; there, a single state decides."""
MORE_WITH_NOISE = 5
"""So many times more states where single measurements say little."""
MOST_STATES = 4000
"""Measurements that are worth it to see whether noise hides terms."""


def measured(oracle: Oracle, box: Box, count: int, rng: np.random.Generator) -> Sample:
    """Measurements spread over a box, no variable held."""
    return oracle.measure(random_states(box, count, rng)).measured()


def noise_share(sample: Sample) -> float:
    """Noise of one measurement over their size, each counted for as much as it tells."""
    size = float(np.sqrt(np.mean(sample.values**2)))
    return float(np.mean(sample.honest_errors**-2.0) ** -0.5) / max(size, TINY)


def wanted_states(sample: Sample, limits: Limits) -> int:
    """Measurements like these that show what a law may not lack."""
    wanted = ((limits.significant + LIKELY) * noise_share(sample) / limits.lacking) ** 2
    return math.ceil(min(wanted, 1e9))


def enough_to_see(oracle: Oracle, least: int, limits: Limits, rng: np.random.Generator) -> Sample:
    """Noisy measurements, as many as it takes to see what a law may not lack, within reason."""
    sample = measured(oracle, oracle.box, least, rng)
    wanted = wanted_states(sample, limits)
    return measured(oracle, oracle.box, wanted, rng) if least < wanted <= MOST_STATES else sample


def finish(
    law: Expression,
    oracle: Oracle,
    agreement: Agreement,
    rng: np.random.Generator,
    seen: Sample | None = None,
) -> tuple[Law, Sample]:
    """The law at its best, and fresh data; its deviation is that from them.

    Where the data are noisy there are more of them, and weak terms are looked for that it lacks.
    Where states are dear, numbers are fitted to what was `seen`, fresh data are fewer, and the law
    must explain both.
    """
    more = MORE_WITH_NOISE if agreement.is_noisy else 1
    if agreement.is_noisy:
        sample = enough_to_see(oracle, more * FIT_STATES, agreement.limits, rng)
    elif seen is not None:
        sample = seen.within(oracle.box)
    else:
        sample = measured(oracle, oracle.box, FIT_STATES, rng)
    data = Data(oracle.names, sample, agreement)
    if agreement.is_noisy:
        fitted = fit(with_hidden_terms(law, data), data)
    else:
        fitted = _without_idle_terms(fit(law, data), data)
    shortest = written(fitted, data).expression
    count = more * FRESH_STATES if seen is None else FEW_FRESH
    fresh = Data(oracle.names, measured(oracle, oracle.box, count, rng), agreement)
    deviation = fresh.deviation(shortest)
    if seen is not None:
        deviation = max(_strict_deviation(shortest, each) for each in (data, fresh))
    numbers = fitted_numbers(shortest, data)
    return Law(shortest, numbers, deviation, fresh.sample.blur), fresh.sample


def _strict_deviation(law: Expression, data: Data) -> float:
    """The deviation, or that of the worst state if this clearly contradicts the law."""
    size = np.abs(data.residuals(law))
    return float(np.max(size[contradicting(law, data)], initial=data.deviation(law)))


def contradicting(law: Expression, data: Data) -> BoolArray:
    """Which states (m,) clearly contradict the law, each by itself."""
    size, sample, limits = np.abs(data.residuals(law)), data.sample, data.agreement.limits
    clear = size * sample.honest_errors > limits.clear * np.sqrt(np.mean(sample.values**2))
    contradicting: BoolArray = clear & (size > limits.contradicted)
    return contradicting


def _without_idle_terms(law: Law, data: Data) -> Law:
    """Leave out whole terms, and functions beyond straight lines, where data do not notice."""

    def smaller(law: Law) -> Iterator[Law]:
        yield from (fit(each, data) for each in straightened(law.expression, data))
        if len(terms(law.expression)) > 1:
            rest, size = without_weakest(law.expression, data)
            if size <= HOPELESS:
                yield fit(rest, data)

    return simplified(law, smaller, data.agreement)


def without_weakest(expression: Expression, data: Data) -> tuple[Expression, float]:
    """A sum less the term that stays smallest everywhere, and how many errors that reaches."""
    summands = terms(expression)
    sizes = np.max(np.abs(data.columns(summands)), axis=0)
    weakest = int(np.argmin(sizes))
    return added(summands[:weakest] + summands[weakest + 1 :]), float(sizes[weakest])
