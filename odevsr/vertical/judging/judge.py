"""Is the law all that the data allow? Each check gives a doubt in words, or none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from odevsr.errors import SimulationError
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.data import Data
from odevsr.evidence.imitation import is_balanced, is_determined, may_be_one_function, may_imitate
from odevsr.evidence.law import Law
from odevsr.language.expression import Expression, variables
from odevsr.limits import ASKED, FEWEST, LIKELY, SAME, Limits
from odevsr.vertical.asking.measuring import STATES, Measuring
from odevsr.vertical.equation import Status
from odevsr.vertical.judging.doubt import Doubt, Weight
from odevsr.vertical.judging.finish import contradicts
from odevsr.vertical.judging.hidden import hidden_by_errors, hidden_terms
from odevsr.vertical.judging.steep import steep_states
from odevsr.world.box import Box
from odevsr.world.experiments.oracle import Oracle
from odevsr.world.sample import Sample

CLOSE = 0.99
"""R2 from which on a law that is not identified is called approximate: what that word means."""
STRAY = 0.01
"""Share of the measurements that may contradict a law by chance: what has changed is off more
often."""
DECADES = -round(math.log10(SAME))
"""Powers of ten by which values smaller than a range are looked at."""


def doubts(
    law: Law, measuring: Measuring, rng: np.random.Generator, seen: Sample | None = None
) -> Iterator[Doubt]:
    """All that speaks against the law, cheap checks first; `seen` is what was measured before."""
    oracle, agreement = measuring.oracle, measuring.agreement
    if not variables(law.expression):
        yield from _unmeasurable(measuring, rng)
    if not agreement.explains(law.deviation, measuring.fresh_states):
        yield Doubt(f"fresh measurements deviate from it by {law.deviation:.2g} errors")
    if seen is not None and not agreement.is_noisy:
        yield from _fails_somewhere(law, measuring, seen)
    if not is_determined(law):
        yield Doubt("some of its numbers might as well be others")
    yield from _imitates(law, agreement)
    if is_balanced(law):
        yield Doubt("its numbers balance one another, as those of an imitation do")
    steep, zero, outside, unseen = rng.spawn(4)  # so that no check moves the states of another
    yield from _hardly_varied(law, oracle)
    yield from _fails_where_steep(law, measuring, steep)
    yield from _fails_near_zero(law, measuring, zero)
    yield from _fails_outside(law, measuring, outside)
    yield from hidden_terms(law, measuring, unseen, seen)
    yield from _unasked(law, oracle, agreement.limits)


def _fails_somewhere(law: Law, measuring: Measuring, seen: Sample) -> Iterator[Doubt]:
    """The one place, of all that were ever measured, at which the law is off beyond any error.

    A narrow pulse, or another law in a small corner, moves no quantile.
    """
    oracle, inside = measuring.oracle, seen.within(measuring.oracle.box)
    places = inside.states[contradicts(law.expression, measuring.data(inside))]
    stray = len(places)
    if 0 < stray <= STRAY * len(inside.states):
        for _ in range(ASKED):
            if len(places):
                again = measuring.data(oracle.measure(places))
                agrees = again.sample.usable & ~contradicts(law.expression, again)
                places = places[~agrees]
    if len(places):
        where = zip(oracle.names, places[0], strict=True)
        yield Doubt("it fails at " + ", ".join(f"{name} = {value:.4g}" for name, value in where))
    elif stray:
        yield Doubt(
            f"{stray} of {len(inside.states)} measurements were wild, and agree when asked again",
            Weight.TOLD,
        )


def _imitates(law: Law, agreement: Agreement) -> Iterator[Doubt]:
    """A law that could follow any smooth function; fewer numbers do so within errors."""
    limits = agreement.limits
    if may_imitate(law, limits):
        yield Doubt("with so many odd numbers it could follow any smooth function")
        return
    within_noise = agreement.is_noisy and may_imitate(law, replace(limits, many=limits.few))
    is_blurred = agreement.is_noisy or law.blur > SAME
    if within_noise or (is_blurred and may_be_one_function(law.expression, limits)):
        yield Doubt(
            "within the errors, so many odd numbers could follow any smooth function",
            Weight.LEAVES_OPEN,
        )


def _fails_outside(law: Law, measuring: Measuring, rng: np.random.Generator) -> Iterator[Doubt]:
    """Sides of the ranges, somewhat beyond either end of each variable, where the law fails.

    Where the simulator does not go or the domain ends, nothing is asked.
    """
    oracle, limits = measuring.oracle, measuring.limits
    limit = LIKELY * max(limits.estimated, measuring.agreement.limit(FEWEST))
    own = rng.spawn(len(oracle.names))
    for variable in sorted(variables(law.expression)):
        index = oracle.names.index(variable)
        low, high = oracle.box.limits[index]
        wheres = f"below {low:.6g}", f"above {high:.6g}"
        for where, side in zip(wheres, oracle.box.beyond(index, limits.beyond), strict=True):
            if side is None:
                continue
            outside = _fresh_if_possible(measuring, side, own[index])
            if outside is None:
                yield Doubt(
                    f"not checked for {variable} {where}: nothing is measured there", Weight.TOLD
                )
            elif not outside.deviation(law.expression) <= limit:
                yield Doubt(f"it fails for {variable} {where}")
                return


def _fresh_if_possible(measuring: Measuring, box: Box, rng: np.random.Generator) -> Data | None:
    """A few measurements in a box; None if the simulator does not go there."""
    try:
        data = measuring.fresh(FEWEST, rng, box)
    except SimulationError:
        return None
    return data if len(data) else None


def _unasked(law: Law, oracle: Oracle, limits: Limits) -> Iterator[Doubt]:
    """Ends of the law's variables, near their ranges, beyond which nothing was asked."""
    box = oracle.box
    for name in sorted(variables(law.expression)):
        variable = oracle.names.index(name)
        least, most = box.domain[variable]
        lowest, highest = box.stretched(variable, limits.beyond)
        if lowest < least:
            yield Doubt(f"not checked below {name} = {least:.6g}", Weight.TOLD)
        if highest > most:
            yield Doubt(f"not checked above {name} = {most:.6g}", Weight.TOLD)


def _hardly_varied(law: Law, oracle: Oracle) -> Iterator[Doubt]:
    """Variables that the law lacks, and that were not varied enough to tell."""
    for name, share in oracle.box.narrow(oracle.names).items():
        if name not in variables(law.expression):
            yield Doubt(
                f"{name} was varied by only {share} of its value: a dependence on it is not "
                "excluded",
                Weight.LEAVES_OPEN,
            )


def _unmeasurable(measuring: Measuring, rng: np.random.Generator) -> Iterator[Doubt]:
    """What errors could hide of a law without variables: all of it, or a dependence on some."""
    oracle = measuring.oracle
    sample = measuring.fresh(STATES, rng).sample
    error, size = float(np.median(sample.errors)), float(np.sqrt(np.mean(sample.values**2)))
    harmless = SAME * oracle.box.width[oracle.component] if oracle.kind.moves else 0.0
    what = oracle.kind.value
    if error <= harmless:
        return
    if error > size / 3:
        yield Doubt(
            f"the {what} cannot be measured: errors of {error:.2g} hide its size, {size:.2g}"
        )
    elif not oracle.is_noisy:
        yield from hidden_by_errors(error / size, measuring)


def _fails_where_steep(law: Law, measuring: Measuring, rng: np.random.Generator) -> Iterator[Doubt]:
    """A law that is steeper somewhere than states lie close must hold there, too."""
    oracle, names = measuring.oracle, measuring.oracle.names
    for variable in sorted(variables(law.expression)):
        index = names.index(variable)
        states = steep_states(law.expression, names, oracle.box, index, rng)
        if states is None:
            continue
        data = measuring.data(oracle.measure(states).measured())
        limit = LIKELY * measuring.agreement.limit(len(states))
        if len(data) and not data.deviation(law.expression) <= limit:
            where = float(np.median(states[:, index]))
            yield Doubt(f"it fails about {variable} = {where:.4g}, where it is steep")


def _fails_near_zero(law: Law, measuring: Measuring, rng: np.random.Generator) -> Iterator[Doubt]:
    """Values far smaller than a range is wide are hardly ever drawn, and may be ruled otherwise.

    One that is not small is among them, for what a law rounds off is small beside that. Where its
    own domain ends at zero, what moves would leave it while it is measured.
    """
    oracle, box, names = measuring.oracle, measuring.oracle.box, measuring.oracle.names
    small = list(_small_together(law, oracle))
    if not small:
        return
    states = np.repeat(box.at(rng.random((1, DECADES, len(names)))), len(small), axis=0)
    for row, together in zip(states, small, strict=True):
        row[:, together] = np.outer(np.logspace(0, -DECADES, DECADES), box.farthest[together])
    try:
        sample = oracle.measure(states)
    except SimulationError:
        return
    limit = LIKELY * measuring.agreement.limit(DECADES)
    rows = zip(small, sample.states, sample.values, sample.errors, strict=True)
    for together, *row in rows:
        near = measuring.data(Sample(*row).measured())
        if len(near) and not near.deviation(law.expression) <= limit:
            ends = dict.fromkeys((names[together[0]], names[together[-1]]))
            yield Doubt(f"it fails for small {' to '.join(ends)}")
            return


def _small_together(law: Law, oracle: Oracle) -> Iterator[list[int]]:
    """Variables that may be zero, those of the law one by one, of many others some at once."""
    box = oracle.box
    around = (box.low <= 0) & (box.high >= 0)
    if oracle.kind.moves and box.domain[oracle.component, 0] == 0:
        around[oracle.component] = False
    own = np.isin(oracle.names, list(variables(law.expression)))
    yield from ([index] for index in np.flatnonzero(around & own).tolist())
    others = np.array_split(np.flatnonzero(around & ~own), FEWEST)
    yield from (some.tolist() for some in others if some.size)


def status_of(doubts: Sequence[Doubt], nmse: float, fresh: Sample) -> Status:
    """How sure we are of a law with these doubts and this error on fresh measurements."""
    weights = {each.weight for each in doubts}
    if Weight.BREAKS in weights:
        return Status.NOT_IDENTIFIED
    if weights <= {Weight.TOLD}:
        return Status.IDENTIFIED
    if Weight.REFUTES not in weights:
        return Status.UNDECIDED
    close = 1 - nmse >= CLOSE and varies(fresh)
    return Status.APPROXIMATE if close else Status.NOT_IDENTIFIED


def nmse_of(law: Expression, data: Data) -> float:
    """Mean square residual over the variance; of values that do not vary, zero if explained."""
    fresh = data.sample
    if not varies(fresh):
        return 0.0 if data.explained(data.deviation(law)) else math.inf
    residual = data.values([law])[:, 0] - fresh.values
    return float(np.mean(residual**2) / np.var(fresh.values))


def varies(fresh: Sample) -> bool:
    """True if the values differ by more than two measurements of the same would."""
    return bool(np.var(fresh.values) > 2 * np.mean(fresh.errors**2))
