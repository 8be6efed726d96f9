"""What learning adds: fits until the exact form is found, by policies and by the prior.

On functions that the catalogue has, from bare operators; and on compositions, of which it has few,
in the order of a round: catalogue, a few batches of the prior, then the policy that learns; or the
policy that has seen functions before, alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.result import BenchResult, Cell, at_least, at_most
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import Controlled, make_controlled
from odevsr.fitting.fit import Effort, start_multipliers
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, with_constants
from odevsr.language.parse import parse
from odevsr.search.loop import Found, search
from odevsr.search.proposer import REWARDS, Batches, PolicyProposer, Proposer
from odevsr.search.tiers import Proposers, make_policy
from odevsr.settings import Settings
from odevsr.world.sample import Sample

POINTS = 128
STARTS = 16
MEASUREMENT = 1e-10
"""Error of the values, relative to their typical size."""

PART = 16
"""Candidates of a composition that are fitted before one is looked for that explains it."""

POLICIES_SHOWN = ("lstm", "uniform", "trained")
BEYOND = 1e-5
"""Largest error of a law that was found, relative to its largest value, outside its range."""


@dataclass(frozen=True)
class Case:
    """A function to find over a range."""

    name: str
    law: str
    names: tuple[str, ...]
    low: float
    high: float


CASES = (
    Case("Hill, with offset", "2.5 - 13*x0/(1 + 3*x0**4)", ("x0",), 0.1, 2.0),
    Case("Hill, with decay", "1.7*x0/(0.6 + x0**4) - 1.3*x0", ("x0",), 0.1, 2.0),
    Case("entropy and square", "x0*(1.3*log(x0) - 0.8) + 2.2*x0**2", ("x0",), 0.2, 3.0),
    Case("Gaussian slope", "1.9*x0*exp(-0.7*x0**2) + 0.4", ("x0",), -3.0, 3.0),
    Case("two waves and drift", "1.3*sin(x0) + 2.1*cos(x0) - 0.7*x0", ("x0",), -4.0, 4.0),
    Case("damped wave", "1.6*exp(-0.8*x0)*sin(2*x0) + 0.3", ("x0",), 0.0, 4.0),
    Case("saturation", "3.1*x0*x1/(0.7 + x0) - 1.2*x1", ("x0", "x1"), 0.2, 3.0),
    Case("pendulum with drag", "-9.8*sin(x0) - 0.4*x1*x1 + 1.3*x1", ("x0", "x1"), -3.0, 3.0),
    Case("competition", "1.1*x0 - 0.7*x0*x1 - 0.3*x0**2 + 0.2", ("x0", "x1"), -2.0, 3.0),
    Case("encounters", "1.4*x0*x1/(x0 + x1) - 0.6*x0", ("x0", "x1"), 0.2, 3.0),
)


COMPOSITIONS = (
    Case("Gompertz growth", "2.3*exp(-1.7*exp(-0.9*x0))", ("x0",), -1.0, 4.0),
    Case("von Mises", "1.4*exp(1.2*cos(x0 - 0.5)) + 0.3", ("x0",), -3.0, 3.0),
    Case("wave that slows down", "1.5*sin(2.5*exp(-0.6*x0)) + 0.4", ("x0",), -1.0, 3.0),
    Case("frequency modulation", "1.7*sin(2*x0 + 0.8*sin(x0))", ("x0",), -4.0, 4.0),
    Case("log-normal", "1.8*exp(-0.7*(log(x0) - 0.3)**2)", ("x0",), 0.2, 4.0),
    Case("stretched exponential", "2.1*exp(-0.8*x0**0.6) + 0.5", ("x0",), 0.05, 5.0),
    Case("Richards growth", "2/(1 + 0.7*exp(-1.1*x0))**0.6", ("x0",), -4.0, 4.0),
    Case("saturated spring", "1.4*tanh(2*sin(x0)) - 0.3*x0", ("x0",), -4.0, 4.0),
    Case("speed of a pendulum", "1.6*sqrt(2.1 + cos(x0))", ("x0",), -4.0, 4.0),
    Case("log-periodic", "1.3*sqrt(x0)*cos(4*log(x0)) + 0.6", ("x0",), 0.3, 5.0),
    Case("Vogel-Fulcher", "1.7*exp(-1.9/(x0 + 0.8)) + 0.2", ("x0",), 0.2, 4.0),
    Case("quasi-particles", "1.5/(1 + exp(sqrt(x0**2 + 0.7)))", ("x0",), -4.0, 4.0),
    Case("diffraction", "2.4*(sin(1.5*x0)/x0)**2", ("x0",), 0.3, 6.0),
    Case("depletion", "1.2*sqrt(1.5 + exp(0.9*x0)) - 0.8", ("x0",), -3.0, 3.0),
    Case("Gamow peak", "3.1*exp(-1.3/sqrt(x0) - 0.5*x0)", ("x0",), 0.2, 6.0),
)


def bench_policy(seeds: int = 2, epochs: int = 32) -> BenchResult:
    """Both policies on both kinds of functions, with so many seeds.

    From bare operators each has at most `epochs` batches; a composition has a row for each seed.
    """
    rows = [_bare_row(case, seeds, epochs) for case in CASES]
    ratios = [float(row["lstm fits"] or 0) / float(row["uniform fits"] or 1) for row in rows]
    composed = [_composition_row(case, seed) for case in COMPOSITIONS for seed in range(seeds)]
    figures = (
        at_most("median ratio of fits, lstm to uniform, bare", float(np.median(ratios)), 0.5),
        *(
            at_least(
                f"compositions found by {name} and not by the catalogue, of 15",
                _new(composed, name) / seeds,
                least,
            )
            for name, least in (("lstm", 5), ("trained", 10))
        ),
        *(
            at_most(f"median ratio of fits, trained to {name}", _median_ratio(composed, name), most)
            for name, most in (("uniform", 0.25), ("lstm", 0.5))
        ),
    )
    return BenchResult("policy", figures, (*rows, *composed))


def _new(rows: Sequence[dict[str, Cell]], name: str) -> int:
    return sum(bool(row[f"{name} found"]) and not row["catalogue found"] for row in rows)


def _median_ratio(rows: Sequence[dict[str, Cell]], other: str) -> float:
    """Fits of the trained policy over another's, of the laws that either finds.

    It is without end where only the other finds the law; where only the trained policy does, the
    other's fits are all that it made in vain.
    """
    return median(
        float(row["trained fits"] or 0) / float(row[f"{other} fits"] or 1)
        if row["trained found"]
        else float("inf")
        for row in rows
        if row["trained found"] or row[f"{other} found"]
    )


def _bare_row(case: Case, seeds: int, epochs: int) -> dict[str, Cell]:
    """Medians over seeds; the catalogue is not asked."""
    tries = [(_controlled(case, seed), seed) for seed in range(seeds)]
    by_lstm, by_uniform = (
        [search(trials, [_bare(case, policy, trials, seed, epochs)]) for trials, seed in tries]
        for policy in ("lstm", "uniform")
    )
    return _row(case, "bare", None, lstm=by_lstm, uniform=by_uniform)


def _bare(case: Case, policy: str, controlled: Controlled, seed: int, epochs: int) -> Proposer:
    settings = Settings()
    grammar = make_grammar(case.names, operators=settings.operators, longest=settings.longest)
    return PolicyProposer(
        policy,
        lambda restarts: make_policy(policy, settings, grammar, seed + restarts, controlled),
        grammar,
        REWARDS[settings.reward],
        number=epochs,
        size=settings.batch,
    )


def _composition_row(case: Case, seed: int) -> dict[str, Cell]:
    """The catalogue alone; prior, then LSTM; prior, with as many batches; trained alone."""
    controlled, (name,) = _controlled(case, seed), case.names
    rng = np.random.default_rng(seed)
    cheap = Proposers(Settings(proposers=("readings", "catalogue")))
    tiers = [cheap.tier(number, name, controlled, rng) for number in cheap.tiers(sampling=False)]
    by_catalogue = search(controlled, [proposer for tier in tiers for proposer in tier])
    orders = (("prior", "lstm"), ("prior", "uniform"), ("trained",))
    makers = [Proposers(Settings(proposers=order)) for order in orders]
    by_policies = {
        order[-1]: [search(controlled, map(InParts, each.policies(name, controlled, rng)))]
        for order, each in zip(orders, makers, strict=True)
    }
    return _row(case, "composing", _is_law(case, by_catalogue), **by_policies)


@dataclass(frozen=True)
class InParts:
    """A proposer whose batches are fitted in small parts, so that a search ends in their midst.

    Until the right form only so many candidates count; it still learns from whole batches.
    """

    whole: Proposer

    @property
    def name(self) -> str:
        """Whose batches they are."""
        return self.whole.name

    @property
    def effort(self) -> Effort:
        """As for whole batches."""
        return self.whole.effort

    def batches(self) -> Batches:
        """The same expressions in the same order."""
        batches = self.whole.batches()
        batch = next(batches, None)
        while batch:
            for first in range(0, len(batch), PART):
                losses = yield batch[first : first + PART]
            try:
                batch = batches.send(losses)
            except StopIteration:
                return


def _row(
    case: Case, grammar: str, catalogue: bool | None, **searches: Sequence[Found]
) -> dict[str, Cell]:
    """How many searches found the law, and after how many fits (all of them if one did not)."""
    head = {"function": case.name, "law": case.law, "grammar": grammar}
    found = {
        f"{name} found": sum(_is_law(case, each) for each in searches[name])
        if name in searches
        else None
        for name in POLICIES_SHOWN
    }
    fits = {
        f"{name} fits": median(each.candidates for each in searches[name])
        if name in searches
        else None
        for name in POLICIES_SHOWN
    }
    return {**head, "catalogue found": catalogue, **found, **fits}


def _is_law(case: Case, found: Found) -> bool:
    """Whether a form was found that holds where nothing was measured, up to twice the range.

    Some rational functions keep within the errors of a law that they are not.
    """
    beyond = np.linspace(case.high, 2 * case.high - case.low, POINTS)
    states = np.stack([beyond] * len(case.names), axis=1)
    truth = _values(parse(case.law, case.names), case, states)
    laws = [with_constants(form.expression, form.constants[0].tolist()) for form in found.forms]
    errors = [np.abs(_values(law, case, states) - truth) for law in laws]
    return any(np.max(error) < BEYOND * np.max(np.abs(truth)) for error in errors)


def _values(law: Expression, case: Case, states: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        values: FloatArray = compile_field([law], case.names)(states)[..., 0]
    return values


def _controlled(case: Case, seed: int) -> Controlled:
    rng = np.random.default_rng(seed)
    states = rng.uniform(case.low, case.high, (1, POINTS, len(case.names)))
    values = _values(parse(case.law, case.names), case, states)
    errors = np.full_like(values, MEASUREMENT * np.sqrt(np.mean(values**2)))
    noisy = values + errors * rng.standard_normal(values.shape)
    starts = start_multipliers(STARTS, rng)
    controlled = make_controlled(case.names, Sample(states, noisy, errors), starts, Agreement())
    assert controlled is not None
    return controlled
