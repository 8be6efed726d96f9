"""Functions drawn from a grammar, and curves of them: what a network is trained on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from odevsr.arrays import BoolArray, FloatArray, IntArray
from odevsr.fitting.covariance import value_and_jacobian
from odevsr.fitting.program import Program, TooLargeError, compile_program
from odevsr.language.algebra.normal import is_invalid
from odevsr.language.drawing.forest import PADDING, Forest
from odevsr.language.drawing.grammar import Grammar
from odevsr.language.expression import Expression, variables
from odevsr.limits import SAME
from odevsr.search.policy.curves import features
from odevsr.search.policy.prior import PriorPolicy

VARIABLE = "x"


@dataclass(frozen=True, kw_only=True)
class Training:
    """The numbers of a training, and of the use of a trained network in a search.

    What they come to is what `odevsr bench train-policy` and `odevsr bench policy` measure.
    """

    width: int = 128
    """Of the recurrent state, and of what the encoder makes of a curve."""
    longest: int = 8
    """Most rules in a function."""
    draws: int = 1024
    """Sequences drawn at once."""
    frequency_power: float = 0.75
    """Common forms are shown more often, by this power, though not as often as they are drawn."""
    constant_spread: float = 0.7
    """Of the logarithms of constants."""
    shared_constants: float = 0.5
    """Share of the constants that are the same in all trials, as standalone ones are."""
    trials: tuple[int, ...] = (1, 3, 5)
    """Curves of a function: of a law in one variable, of a summary constant, of an equation."""
    points: tuple[int, ...] = (24, 40, 128)
    """States of a curve: of a summary constant, of an equation, of a closer look."""
    largest_peak: float = 12.0
    """A curve that is taller, relative to its spread, shows nothing of its function."""
    batch: int = 512
    """Functions shown in a step."""
    rate: float = 2e-3
    """Size of the first step of Adam."""
    held_out: int = 20
    """One function in so many is never shown in training,"""
    judged_curves: int = 1000
    """and so many curves of those are judged by."""
    reports: int = 20
    """How often the training says how far it is."""
    tuning_rate: float = 0.1
    """In a search, the step size of a trained network over that of one that was not."""
    batch_divisor: int = 4
    """In a search, batches are so many times smaller, and more: what it finds, it mostly finds
    among its first hundreds."""
    oversampling: int = 16
    """In a search, so many times more sequences are drawn than are proposed: the likeliest."""


TRAINING = Training()


@dataclass(frozen=True, eq=False)
class Examples:
    """Distinct normal forms: the shortest sequence drawn for each, and how often it was drawn."""

    grammar: Grammar
    sequences: IntArray
    programs: tuple[Program, ...]
    counts: IntArray

    @cached_property
    def shares(self) -> FloatArray:
        """How often each is shown."""
        weights = self.counts**TRAINING.frequency_power
        shares: FloatArray = weights / weights.sum()
        return shares

    def split(self, every: int) -> tuple[Examples, Examples]:
        """One example in so many, and the others."""
        chosen = np.arange(len(self.programs)) % every == 0
        one, other = (self._subset(np.flatnonzero(each)) for each in (chosen, ~chosen))
        return one, other

    def _subset(self, numbers: IntArray) -> Examples:
        programs = tuple(self.programs[number] for number in numbers)
        return Examples(self.grammar, self.sequences[numbers], programs, self.counts[numbers])

    def batch(
        self, count: int, trials: int, rng: np.random.Generator
    ) -> tuple[IntArray, FloatArray]:
        """Numbers of about `count` examples, and descriptions (B, trials, features) of curves."""
        chosen = rng.choice(len(self.programs), count, p=self.shares)
        points = _points(count, trials, int(rng.choice(TRAINING.points)), rng)
        pairs = zip(chosen, points, strict=True)
        values = np.stack([_values(self.programs[number], each, rng) for number, each in pairs])
        clear = is_clear(points, values)
        points, values = points[clear], values[clear]
        return chosen[clear], features(points, values, np.isfinite(values))


def draw_examples(grammar: Grammar, draws: int, rng: np.random.Generator) -> Examples:
    """The functions of few rules among so many draws of a prior over `VARIABLE`."""
    shorter = replace(grammar, longest=TRAINING.longest)
    forest, policy = Forest(grammar), PriorPolicy(shorter, rng)
    shortest: dict[Expression, IntArray] = {}
    counts: Counter[Expression] = Counter()
    for _ in range(-(-draws // TRAINING.draws)):
        sequences = policy.sample(TRAINING.draws)
        for form, row in zip(forest.plant(sequences), sequences, strict=True):
            counts[form] += 1
            shortest[form] = min(shortest.get(form, row), row, key=_length)
    made = {form: _program(form) for form in shortest}
    programs = {form: program for form, program in made.items() if program is not None}
    return Examples(
        grammar,
        np.array([shortest[form] for form in programs]),
        tuple(programs.values()),
        np.array([counts[form] for form in programs]),
    )


def _length(sequence: IntArray) -> int:
    return int(np.sum(sequence != PADDING))


def _program(form: Expression) -> Program | None:
    """The form as the machine runs it; None for what is no function."""
    if is_invalid(form) or not variables(form):
        return None
    try:
        return compile_program(form, [VARIABLE])
    except TooLargeError:
        return None


def _points(count: int, trials: int, number: int, rng: np.random.Generator) -> FloatArray:
    """Jittered nodes (count, trials, number) over ranges about nought or above it, some in logs."""
    shape = (count, 1, 1)
    width = np.exp(rng.normal(1.0, 0.5, shape))
    is_above = rng.random(shape) < 0.5
    low = width * np.where(is_above, rng.uniform(0.005, 0.5, shape), rng.uniform(-1, 0.2, shape))
    high = low + width
    nodes = (np.arange(number) + rng.random((count, trials, number))) / number
    logarithmic = (low > 0) & (rng.random(shape) < 0.25)
    positive = np.where(low > 0, low, high)
    return np.where(logarithmic, positive * (high / positive) ** nodes, low + (high - low) * nodes)


def _values(program: Program, points: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Values (trials, N) of a program, of whose constants some are the same in all trials."""
    constants = signed_constants(rng, (len(points), program.constants))
    common = rng.random(program.constants) < TRAINING.shared_constants
    constants[:, common] = constants[0, common]
    rows = zip(constants, points, strict=True)
    return np.stack([value_and_jacobian(program, each, row[None])[0] for each, row in rows])


def signed_constants(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
    """Constants of either sign, about one."""
    signs = rng.choice([-1.0, 1.0], shape)
    return signs * np.exp(TRAINING.constant_spread * rng.standard_normal(shape))


@np.errstate(all="ignore")  # What overflows is not clear.
def is_clear(points: FloatArray, values: FloatArray) -> BoolArray:
    """Examples all of whose curves show their function."""
    places = points - points.mean(axis=-1, keepdims=True)
    about = values - values.mean(axis=-1, keepdims=True)
    slope = np.sum(places * about, axis=-1) / np.sum(places**2, axis=-1)
    bend = about - slope[..., None] * places
    spread, size = np.std(bend, axis=-1), np.max(np.abs(values), axis=-1)
    is_low = np.max(np.abs(bend), axis=-1) < TRAINING.largest_peak * spread
    clear: BoolArray = np.all((spread > SAME * size) & is_low, axis=-1)
    return clear
