"""What learning adds: fits until the exact form is found, by the LSTM policy and by the prior."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from odevsr.bench.result import BenchResult, Cell, at_most
from odevsr.fitting.fit import start_multipliers
from odevsr.language.evaluate import compile_field
from odevsr.language.grammar import make_grammar
from odevsr.language.parse import parse
from odevsr.search.problem import Problem, make_problem
from odevsr.search.proposers import REWARDS, PolicyProposer, make_policy
from odevsr.search.train import Found, search
from odevsr.settings import Settings

POINTS = 128
MEASUREMENT = 1e-10
"""Error of the values, relative to their typical size."""


@dataclass(frozen=True)
class Case:
    """A function to find by sampling the grammar, no family being proposed."""

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


def bench_policy(seeds: int = 2, epochs: int = 16) -> BenchResult:
    """Both policies on ten functions, with at most `epochs` batches of 1,024 sequences each."""
    rows: list[dict[str, Cell]] = []
    for case in CASES:
        fits = {
            policy: [_fits(case, policy, seed, epochs) for seed in range(seeds)]
            for policy in ("lstm", "uniform")
        }
        rows.append(
            {"function": case.name, "law": case.law}
            | {f"{policy} found": sum(ok for ok, _ in each) for policy, each in fits.items()}
            | {f"{policy} fits": median(n for _, n in each) for policy, each in fits.items()}
        )
    ratios = [float(row["lstm fits"] or 0) / float(row["uniform fits"] or 1) for row in rows]
    figure = at_most("median ratio of fits, lstm to uniform", float(np.median(ratios)), 0.5)
    return BenchResult("policy", (figure,), tuple(rows))


def _fits(case: Case, policy: str, seed: int, epochs: int) -> tuple[bool, int]:
    """Whether the form was found, and after how many fits (all of them if it was not)."""
    found = _search(case, _problem(case, seed), policy, seed, epochs)
    return bool(found.forms), found.candidates


def _search(case: Case, problem: Problem, policy: str, seed: int, epochs: int) -> Found:
    settings = replace(Settings(), policy=policy)
    grammar = make_grammar(case.names, operators=settings.operators, longest=settings.longest)
    proposer = PolicyProposer(
        lambda: make_policy(settings, grammar, seed),
        grammar,
        REWARDS[settings.reward],
        name=policy,
        batches=epochs,
        batch=settings.batch,
    )
    return search(problem, [proposer])


def _problem(case: Case, seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    states = rng.uniform(case.low, case.high, (1, POINTS, len(case.names)))
    values = compile_field([parse(case.law, case.names)], case.names)(states)[..., 0]
    errors = np.full_like(values, MEASUREMENT * np.sqrt(np.mean(values**2)))
    noisy = values + errors * rng.standard_normal(values.shape)
    return make_problem(case.names, states, noisy, errors, start_multipliers(6, rng))
