"""Functions of one variable or two that policies are to find: known ones, and forms never shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from odevsr.bench.train_policy import DRAWS, SEED
from odevsr.language.drawing.forest import PADDING, Forest
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Constant, Expression, count, with_constants
from odevsr.language.parse import parse
from odevsr.language.text import to_text
from odevsr.search.catalogue import RICH_ATOMS, SIMPLE_ATOMS
from odevsr.search.policy.examples import (
    TRAINING,
    VARIABLE,
    draw_examples,
    is_clear,
    signed_constants,
)
from odevsr.search.policy.rules import composing_grammar
from odevsr.settings import DEFAULT_OPERATORS, Settings

LONGEST = 5
"""Rules in a form that is drawn: of as many are the compositions."""
LOW, HIGH = 0.3, 3.3
"""Its range, and what lies beyond it up to twice as far must have values, too."""


@dataclass(frozen=True)
class FunctionCase:
    """A function to find over a range."""

    name: str
    law: str
    names: tuple[str, ...]
    low: float
    high: float


CASES = (
    FunctionCase("Hill, with offset", "2.5 - 13*x0/(1 + 3*x0**4)", ("x0",), 0.1, 2.0),
    FunctionCase("Hill, with decay", "1.7*x0/(0.6 + x0**4) - 1.3*x0", ("x0",), 0.1, 2.0),
    FunctionCase("entropy and square", "x0*(1.3*log(x0) - 0.8) + 2.2*x0**2", ("x0",), 0.2, 3.0),
    FunctionCase("Gaussian slope", "1.9*x0*exp(-0.7*x0**2) + 0.4", ("x0",), -3.0, 3.0),
    FunctionCase("two waves and drift", "1.3*sin(x0) + 2.1*cos(x0) - 0.7*x0", ("x0",), -4.0, 4.0),
    FunctionCase("damped wave", "1.6*exp(-0.8*x0)*sin(2*x0) + 0.3", ("x0",), 0.0, 4.0),
    FunctionCase("saturation", "3.1*x0*x1/(0.7 + x0) - 1.2*x1", ("x0", "x1"), 0.2, 3.0),
    FunctionCase(
        "pendulum with drag", "-9.8*sin(x0) - 0.4*x1*x1 + 1.3*x1", ("x0", "x1"), -3.0, 3.0
    ),
    FunctionCase("competition", "1.1*x0 - 0.7*x0*x1 - 0.3*x0**2 + 0.2", ("x0", "x1"), -2.0, 3.0),
    FunctionCase("encounters", "1.4*x0*x1/(x0 + x1) - 0.6*x0", ("x0", "x1"), 0.2, 3.0),
)


COMPOSITIONS = (
    FunctionCase("Gompertz growth", "2.3*exp(-1.7*exp(-0.9*x0))", ("x0",), -1.0, 4.0),
    FunctionCase("von Mises", "1.4*exp(1.2*cos(x0 - 0.5)) + 0.3", ("x0",), -3.0, 3.0),
    FunctionCase("wave that slows down", "1.5*sin(2.5*exp(-0.6*x0)) + 0.4", ("x0",), -1.0, 3.0),
    FunctionCase("frequency modulation", "1.7*sin(2*x0 + 0.8*sin(x0))", ("x0",), -4.0, 4.0),
    FunctionCase("log-normal", "1.8*exp(-0.7*(log(x0) - 0.3)**2)", ("x0",), 0.2, 4.0),
    FunctionCase("stretched exponential", "2.1*exp(-0.8*x0**0.6) + 0.5", ("x0",), 0.05, 5.0),
    FunctionCase("Richards growth", "2/(1 + 0.7*exp(-1.1*x0))**0.6", ("x0",), -4.0, 4.0),
    FunctionCase("saturated spring", "1.4*tanh(2*sin(x0)) - 0.3*x0", ("x0",), -4.0, 4.0),
    FunctionCase("speed of a pendulum", "1.6*sqrt(2.1 + cos(x0))", ("x0",), -4.0, 4.0),
    FunctionCase("log-periodic", "1.3*sqrt(x0)*cos(4*log(x0)) + 0.6", ("x0",), 0.3, 5.0),
    FunctionCase("Vogel-Fulcher", "1.7*exp(-1.9/(x0 + 0.8)) + 0.2", ("x0",), 0.2, 4.0),
    FunctionCase("quasi-particles", "1.5/(1 + exp(sqrt(x0**2 + 0.7)))", ("x0",), -4.0, 4.0),
    FunctionCase("diffraction", "2.4*(sin(1.5*x0)/x0)**2", ("x0",), 0.3, 6.0),
    FunctionCase("depletion", "1.2*sqrt(1.5 + exp(0.9*x0)) - 0.8", ("x0",), -3.0, 3.0),
    FunctionCase("Gamow peak", "3.1*exp(-1.3/sqrt(x0) - 0.5*x0)", ("x0",), 0.2, 6.0),
)


def unseen(number: int) -> tuple[FunctionCase, ...]:
    """So many functions, constants at random, whose forms the trained policy was never shown."""
    return tuple(islice(_with_constants(_held_out(), np.random.default_rng(SEED)), number))


def families() -> tuple[FunctionCase, ...]:
    """The catalogue's atoms, constants at random, of those that have values all over the range."""
    texts = [*SIMPLE_ATOMS, *RICH_ATOMS]
    forms = (parse(text, [VARIABLE], open_symbols=True) for text in texts)
    return tuple(_with_constants(forms, np.random.default_rng(SEED)))


def _held_out() -> Iterator[Expression]:
    """Forms that the training, which draws them in the same way, holds out, in any order."""
    rng = np.random.default_rng(SEED)
    grammar = composing_grammar(VARIABLE, DEFAULT_OPERATORS, (), Settings().longest)
    examples, _ = draw_examples(grammar, DRAWS, rng).split(TRAINING.held_out)
    short = np.flatnonzero(np.sum(examples.sequences != PADDING, axis=1) <= LONGEST)
    yield from Forest(grammar).plant(examples.sequences[rng.permutation(short)])


def _with_constants(
    forms: Iterable[Expression], rng: np.random.Generator
) -> Iterator[FunctionCase]:
    """Functions of the forms that show something in their range, and have values beyond it."""
    points = np.linspace(LOW, 2 * HIGH - LOW, 100)
    for form in forms:
        law = with_constants(form, signed_constants(rng, (1, count(form, Constant)))[0].tolist())
        with np.errstate(all="ignore"):
            values = compile_field([law], [VARIABLE])(points[:, None])[:, 0]
        if is_clear(points[None, None], values[None, None])[0]:
            yield FunctionCase(to_text(form), to_text(law), (VARIABLE,), LOW, HIGH)
