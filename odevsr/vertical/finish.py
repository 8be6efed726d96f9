"""The end of an equation: all numbers fitted, idle terms dropped, exact values, fresh data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from odevsr.errors import SimulationError
from odevsr.language.angles import contracted, with_phases
from odevsr.language.evaluate import compile_field
from odevsr.language.expand import expanded
from odevsr.language.expression import (
    ONE,
    ZERO,
    Expression,
    Number,
    rebuild,
    variables,
    walk,
)
from odevsr.language.fold import folded
from odevsr.language.normal import is_invalid, normal_form
from odevsr.language.size import length
from odevsr.language.term import added, factors_of, multiplied, terms
from odevsr.language.tidy import tidy
from odevsr.language.writings import TOLERANCE, writings
from odevsr.search.problem import honest_errors
from odevsr.vertical.complete import completed
from odevsr.vertical.numbers import fitted_numbers
from odevsr.vertical.refine import Data, Refined, deviation, refine, with_exact_numbers
from odevsr.world.oracle import Oracle, random_states

FloatArray = NDArray[np.float64]
MOST_SIMPLER = 3
FIT_STATES, FRESH_STATES, STATES_A_SIDE = 120, 80, 8
MARGIN = 0.1
MORE_WITH_NOISE = 5
AGREES, AGREES_WITH_NOISE = 3.0, 1.25
"""A law agrees with fresh data up to this deviation, in units of the errors.

Estimates of numerical error may be too small here and there; those of noise are not.
"""
NOTHING = 1e-6
"""Errors of the derivative, as a share of the range per unit of time, that hide nothing."""
DUST = (1e-6, 1e-9)
"""Numbers below these are tried as nought."""
MANY = 6
"""Functions of one variable with which a law can follow nearly anything."""
DOUBT = 3.0
"""Standard errors by which numbers may differ that are taken for one."""
CLEARLY_NEEDED = 1e4
"""A term that reaches so many errors somewhere is not even tried to be left out."""


def finish(
    law: Expression, oracle: Oracle, rng: np.random.Generator, *, is_noisy: bool = False
) -> Refined:
    """The law at its best; its deviation is that on fresh data.

    Where the data are noisy there are more of them, and weak terms are looked for that it lacks.
    """
    more = MORE_WITH_NOISE if is_noisy else 1
    data = measured(oracle, oracle.box, more * FIT_STATES, rng)
    if is_noisy:
        refined = refine(completed(law, oracle.names, data), oracle.names, data)
    else:
        refined = _without_idle_terms(refine(law, oracle.names, data), oracle.names, data)
    exact = [
        with_exact_numbers(each, oracle.names, data)
        for each in _writings(refined, oracle.names, data)
    ]
    written = _tidied(min(exact, key=_length), oracle.names, data)
    written = _shortened(written, oracle.names, data, is_noisy=is_noisy)
    fresh = measured(oracle, oracle.box, more * FRESH_STATES, rng)
    numbers = fitted_numbers(written.expression, oracle.names, data)
    return Refined(written.expression, numbers, deviation(written.expression, oracle.names, fresh))


def simpler_laws(law: Refined, oracle: Oracle, rng: np.random.Generator) -> list[Refined]:
    """The law with its weakest terms left out, one after the other, each fitted anew.

    Together with the law: the front of complexity and error. Deviations are those on fresh data.
    """
    data = measured(oracle, oracle.box, FIT_STATES, rng)
    fresh = measured(oracle, oracle.box, FRESH_STATES, rng)
    simpler: list[Refined] = []
    expression = normal_form(law.expression)
    while len(summands := terms(expression)) > 1 and len(simpler) < MOST_SIMPLER:
        weakest, _ = _weakest(summands, oracle.names, data)
        rest = refine(added(summands[:weakest] + summands[weakest + 1 :]), oracle.names, data)
        expression = rest.expression
        simpler.append(
            Refined(expression, rest.constants, deviation(expression, oracle.names, fresh))
        )
    return simpler


def _writings(law: Refined, names: Sequence[str], data: Data) -> list[Refined]:
    """The law as found, and as a person would write it, with waves of sums for those of angles."""
    found = [law]
    whole = expanded(law.expression)
    clean = [each for dust in DUST if not is_invalid(each := _dusted(whole, dust))] or [whole]
    angles = contracted(clean[-1])
    for each in (*clean, angles, with_phases(angles)):
        written = tidy(each)
        if is_invalid(written):
            continue
        if written not in {normal_form(each.expression) for each in found}:
            refined = refine(written, names, data)
            if refined.deviation <= max(1.2 * law.deviation, 1.0):
                found.append(refined)
    return found


def _dusted(expression: Expression, dust: float) -> Expression:
    """The expression with nought for numbers that rounding may have left of it."""
    numbers = [node for node in walk(expression) if isinstance(node, Number)]
    kept = [ZERO if abs(float(number.value)) < dust else number for number in numbers]
    return normal_form(rebuild(expression, iter(kept), Number))


def _length(law: Refined) -> tuple[int, int]:
    """How many numbers of a law are inexact, and how long it is."""
    return sum(each.exact is None for each in law.constants), length(law.expression)


def _tidied(law: Refined, names: Sequence[str], data: Data) -> Refined:
    """The law written as a person would, if the data agree with that writing."""
    written = tidy(law.expression)
    agreement = deviation(written, names, data)
    if not agreement <= max(1.2 * law.deviation, 1.0):
        return law
    return Refined(written, law.constants, agreement)


def _shortened(law: Refined, names: Sequence[str], data: Data, *, is_noisy: bool) -> Refined:
    """The shortest of its writings, brackets and fractions put as a person would, that holds."""
    inexact = [each for each in law.constants if each.exact is None and each.value]
    errors = [abs(each.error / each.value) for each in inexact]
    found = []
    for candidate in writings(
        law.expression, max(TOLERANCE, DOUBT * float(np.median(errors or [0])))
    ):
        fitted = refine(candidate, names, data)
        if not _as_good(fitted, law, names, data, is_noisy=is_noisy):
            continue
        found.append(with_exact_numbers(fitted, names, data, folded))
        if not fitted.constants:
            break
    return min((*found, law), key=_length)


def _as_good(
    short: Refined, law: Refined, names: Sequence[str], data: Data, *, is_noisy: bool
) -> bool:
    """True if the data do not mind the shorter writing, which may hold fewer numbers."""
    if not short.deviation <= max(1.2 * law.deviation, 1.0):
        return False
    if not is_noisy:
        return True
    predicted = compile_field([short.expression, law.expression], names)(data.states)
    residuals = (predicted - data.values[:, None]) / honest_errors(data.values, data.errors)[
        :, None
    ]
    after, before = np.sum(residuals**2, axis=0)
    fewer = max(len(law.constants) - len(short.constants), 1)
    return bool(after - before <= DOUBT**2 * fewer * max(1.0, before / len(data.values)))


def measured(oracle: Oracle, box: FloatArray, count: int, rng: np.random.Generator) -> Data:
    """Measurements spread over a box, no variable held."""
    batch = oracle.measure(random_states(box, count, rng))
    return Data(batch.states, batch.values, batch.errors)


def is_determined(law: Refined) -> bool:
    """True if no number of the law might as well be another one altogether."""
    return all(each.exact is not None or each.error <= abs(each.value) for each in law.constants)


def unmeasurable(oracle: Oracle, rng: np.random.Generator) -> str:
    """Why nothing can be known: derivatives no larger than errors that could hide any; else ''."""
    data = measured(oracle, oracle.box, FRESH_STATES, rng)
    error, size = float(np.median(data.errors)), float(np.sqrt(np.mean(data.values**2)))
    low, high = oracle.box[oracle.component]
    if error <= size / 3 or error <= NOTHING * (high - low):
        return ""
    return f"the derivative cannot be measured: its error, {error:.2g}, hides its size, {size:.2g}"


def may_imitate(law: Refined) -> bool:
    """True for a law of many functions of one variable, and as many numbers that are not simple.

    With so many, polynomials and fractions follow any smooth function in a range, but not in
    simple numbers. Numbers are those of the law as it is written, functions those of its terms.
    """
    if sum(each.exact is None for each in law.constants) < MANY:
        return False
    functions: defaultdict[str, set[Expression]] = defaultdict(set)
    for term in terms(normal_form(law.expression)):
        for name in variables(term):
            own = [each for each in factors_of(term) if variables(each) == {name}]
            functions[name].add(multiplied([ONE, ONE, *own]))
    return any(len(each) >= MANY for each in functions.values())


def holds_outside(law: Refined, oracle: Oracle, rng: np.random.Generator) -> bool:
    """True if the law also holds a tenth beyond either end of each variable in it.

    Where the simulator does not go, nothing is asked; a side is few states, so it is judged mildly.
    """
    for variable in sorted(variables(law.expression)):
        for side in _sides(oracle.box, oracle.names.index(variable)):
            try:
                outside = measured(oracle, side, STATES_A_SIDE, rng)
            except SimulationError:
                continue
            if not deviation(law.expression, oracle.names, outside) <= 3 * AGREES:
                return False
    return True


def _sides(box: FloatArray, variable: int) -> tuple[FloatArray, FloatArray]:
    """The boxes just below and just above the range of a variable."""
    low, high = box[variable]
    margin = MARGIN * (high - low)
    below, above = box.copy(), box.copy()
    below[variable] = low - margin, low
    above[variable] = high, high + margin
    return below, above


def _without_idle_terms(law: Refined, names: Sequence[str], data: Data) -> Refined:
    """Leave out whole terms as long as the data do not notice."""
    while len(summands := terms(law.expression)) > 1:
        weakest, size = _weakest(summands, names, data)
        if not size <= CLEARLY_NEEDED:
            return law
        rest = summands[:weakest] + summands[weakest + 1 :]
        smaller = refine(added(rest), names, data)
        if not smaller.deviation <= max(1.2 * law.deviation, 1.0):
            return law
        law = smaller
    return law


def _weakest(summands: Sequence[Expression], names: Sequence[str], data: Data) -> tuple[int, float]:
    """The term that stays smallest everywhere, and how many errors it reaches."""
    values = np.abs(compile_field(summands, names)(data.states))
    errors = honest_errors(data.values, data.errors)
    sizes = np.max(values / errors[:, None], axis=0)
    weakest = int(np.argmin(sizes))
    return weakest, float(sizes[weakest])
