"""The end of a search: all numbers of a law fitted, idle terms dropped, written as people would."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from odevsr.arrays import BoolArray
from odevsr.evidence.data import Data
from odevsr.evidence.law import Law, fit
from odevsr.evidence.numbers import fitted_numbers
from odevsr.evidence.simplify import simplified, with_hidden_terms
from odevsr.evidence.straight import linearised
from odevsr.language.algebra.term import added, terms
from odevsr.language.expression import Expression
from odevsr.limits import HOPELESS, SAME
from odevsr.vertical.asking.measuring import Measuring
from odevsr.vertical.judging.writing import shortest_writing
from odevsr.world.sample import Sample


def finish(
    law: Expression, measuring: Measuring, rng: np.random.Generator, seen: Sample | None = None
) -> tuple[Law, Sample]:
    """The law at its best, and fresh data; its deviation is that from them.

    Where the data are noisy there are more of them, all that were `seen` are among them, and weak
    terms are looked for that it lacks. Else, what was seen is all that numbers are fitted to, if it
    is given, and the law must explain both that and fresh data.
    """
    if measuring.agreement.is_noisy:
        few = measuring.enough(rng)
        data = few if seen is None else measuring.with_more(few, seen)
        fitted = fit(with_hidden_terms(law, data, few), data)
    else:
        if seen is None:
            data = measuring.fresh(measuring.states, rng)
        else:
            data = measuring.data(seen.within(measuring.oracle.box))
        fitted = _without_idle_terms(fit(law, data), data)
    shortest = shortest_writing(fitted, data).expression
    fresh = measuring.fresh(measuring.fresh_states, rng)
    deviation = fresh.deviation(shortest)
    if seen is not None and not measuring.agreement.is_noisy:
        deviation = max(_strict_deviation(shortest, each) for each in (data, fresh))
    numbers = fitted_numbers(shortest, data)
    return Law(shortest, numbers, deviation, fresh.sample.blur), fresh.sample


def _strict_deviation(law: Expression, data: Data) -> float:
    """The deviation, or that of the worst state if this clearly contradicts the law."""
    size = np.abs(data.residuals(law))
    return float(np.max(size[contradicts(law, data)], initial=data.deviation(law)))


def contradicts(law: Expression, data: Data) -> BoolArray:
    """Which states (m,) clearly contradict the law, each by itself."""
    size, sample = np.abs(data.residuals(law)), data.sample
    clear = size * sample.honest_errors > SAME * np.sqrt(np.mean(sample.values**2))
    contradicting: BoolArray = clear & (size > HOPELESS)
    return contradicting


def _without_idle_terms(law: Law, data: Data) -> Law:
    """Leave out whole terms, and functions beyond straight lines, where data do not notice."""

    def smaller(law: Law) -> Iterator[Law]:
        yield from (fit(each, data) for each in linearised(law.expression, data))
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
