"""What learning adds: fits until the exact form is found, by policies and by the prior.

On functions that the catalogue has, from bare operators; on compositions, of which it has few; and
on functions of forms that the trained policy was never shown. The latter two in the order of a
round: catalogue, a few batches of the prior, then the policy that learns; or the policy that has
seen functions before, alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.bench.functions import CASES, COMPOSITIONS, FunctionCase, families, unseen
from odevsr.bench.paper.algebraic import STORED
from odevsr.bench.result import BenchResult, Cell, Figure, at_least, at_most
from odevsr.evidence.agreement import Agreement
from odevsr.evidence.controlled import Controlled, make_controlled
from odevsr.fitting.fit import CAREFUL, Effort, start_multipliers
from odevsr.language.drawing.grammar import make_grammar
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression, with_constants
from odevsr.language.parse import parse
from odevsr.search.loop import Found, search
from odevsr.search.proposer import REWARDS, Batches, Losses, PolicyProposer, Proposer
from odevsr.search.tiers import Proposers, make_policy
from odevsr.settings import Settings, changed
from odevsr.world.sample import Sample

POINTS = 128
STARTS = 16
MEASUREMENT = 1e-10
"""Error of the values, relative to their typical size."""

EPOCHS = 32
"""Batches of a policy over bare operators."""
PART = 4
"""Candidates that are fitted before one is looked for that explains the function."""
UNSEEN = 15
"""Functions of forms that the trained policy was never shown."""
FIRST = 256
"""Sequences of the trained policy in which an atom of the catalogue is looked for."""
BEYOND = 1e-5
"""Largest error of a law that was found, relative to its largest value, outside its range."""
CATALOGUE, LSTM, PRIOR, TRAINED = "catalogue", "lstm", "uniform", "trained"
ORDERS = {TRAINED: ("trained",), PRIOR: ("prior", "uniform"), LSTM: ("prior", "lstm")}
HEAD = ("kind", "function", "law", "seed")
CELLS = [f"{name} {what}" for name in (CATALOGUE, *ORDERS) for what in ("found", "fits")]
BARE, COMPOSED, NEW, FAMILY = "bare", "composed", "never shown", "family"

Row = dict[str, Cell]


@dataclass(frozen=True)
class PolicyTask:
    """One function for one searcher."""

    kind: str
    case: FunctionCase
    seed: int
    searcher: str

    @property
    def head(self) -> Row:
        """What its row says of the function."""
        return dict(zip(HEAD, (self.kind, self.case.name, self.case.law, self.seed), strict=True))

    def found(self) -> Found:
        """The outcome of its search."""
        controlled = _controlled(self.case, self.seed)
        search_by = _bare if self.kind == BARE else _composing
        return search(controlled, search_by(self, controlled))


def bench_policy(seeds: int = 2, full: bool = False, folder: Path = STORED) -> BenchResult:
    """The kept results; `full` measures all that lack, with so many seeds."""
    path = folder / "policy.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for task in _tasks(seeds) if full else ():
        key = json.dumps([*task.head.values(), task.searcher])
        if key not in known:
            found = task.found()
            known[key] = [_is_law(task.case, found), found.candidates]
            path.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
            print(f"{key}: {known[key]}", file=sys.stderr, flush=True)
    rows = _rows(known)
    return BenchResult("policy", tuple(_figures(rows)), tuple(rows))


def _rows(known: Mapping[str, Sequence[Cell]]) -> list[Row]:
    """A row for each function and seed, with all that is known of it."""
    rows: dict[str, Row] = {}
    for key, outcome in known.items():
        *head, searcher = json.loads(key)
        row = dict(zip(HEAD, head, strict=True)) | dict.fromkeys(CELLS)
        row = rows.setdefault(str(head), row)
        row |= zip((f"{searcher} found", f"{searcher} fits"), outcome, strict=True)
    return sorted(rows.values(), key=lambda row: str(row["kind"]))


def _tasks(seeds: int) -> Iterator[PolicyTask]:
    """The catalogue, which draws nothing, is asked once."""
    yield from (PolicyTask(FAMILY, case, 0, TRAINED) for case in families())
    yield from (PolicyTask(NEW, case, 0, name) for case in unseen(UNSEEN) for name in ORDERS)
    yield from (PolicyTask(COMPOSED, case, 0, CATALOGUE) for case in COMPOSITIONS)
    for seed in range(seeds):
        yield from (
            PolicyTask(COMPOSED, case, seed, name) for case in COMPOSITIONS for name in ORDERS
        )
        yield from (PolicyTask(BARE, case, seed, name) for case in CASES for name in (LSTM, PRIOR))


def _figures(rows: Sequence[Row]) -> Iterator[Figure]:
    bare, composed, new, family = (
        [row for row in rows if row["kind"] == kind] for kind in (BARE, COMPOSED, NEW, FAMILY)
    )
    if bare:
        yield at_most("bare: median ratio of fits, lstm to uniform", _ratio(bare, LSTM, PRIOR), 0.5)
    known = {row["function"] for row in composed if row["catalogue found"]}
    for name, least in ((LSTM, 5), (TRAINED, 10)):
        found = [row["function"] not in known and row[f"{name} found"] for row in composed]
        which = f"composed: found by {name} and not by the catalogue, of {len(COMPOSITIONS)}"
        yield at_least(which, len(COMPOSITIONS) * _share(found), least)
    share = 100 * _share([row["trained found"] for row in family])
    yield at_least(f"families found in the first {FIRST} sequences, %", share, 100)
    for kind, some in ((COMPOSED, composed), (NEW, new)):
        for name, most in ((PRIOR, 0.25), (LSTM, 0.5)) if some else ():
            which = f"{kind}: median ratio of fits, trained to {name}"
            yield at_most(which, _ratio(some, TRAINED, name), most)


def _share(found: Sequence[Cell]) -> float:
    """Of those that were measured."""
    return float(np.mean([bool(each) for each in found if each is not None] or [False]))


def _ratio(rows: Sequence[Row], one: str, other: str) -> float:
    """The median ratio of one searcher's fits to another's, of the laws that either finds.

    It is without end where only the other finds the law; where only the one does, the other's fits
    are all that it made in vain.
    """
    ratios = [
        float(row[f"{one} fits"] or 0) / float(row[f"{other} fits"] or 1)
        if row[f"{one} found"]
        else float("inf")
        for row in rows
        if None not in (row[f"{one} found"], row[f"{other} found"])
        and (row[f"{one} found"] or row[f"{other} found"])
    ]
    return median(ratios) if ratios else float("inf")


def _bare(task: PolicyTask, controlled: Controlled) -> list[Proposer]:
    """A policy over bare operators."""
    settings, names = Settings(), task.case.names
    grammar = make_grammar(names, operators=settings.operators, longest=settings.longest)
    make = partial(make_policy, task.searcher, settings, grammar, controlled=controlled)
    return [
        PolicyProposer(
            task.searcher,
            lambda restarts: make(seed=task.seed + restarts),
            grammar,
            REWARDS[settings.reward],
            number=EPOCHS,
            size=settings.batch,
        )
    ]


def _composing(task: PolicyTask, controlled: Controlled) -> list[Proposer]:
    """The catalogue; prior, then LSTM; prior, with as many batches; or trained alone."""
    (name,), rng = task.case.names, np.random.default_rng(task.seed)
    if task.searcher == CATALOGUE:
        cheap = Proposers(Settings(proposers=("readings", "catalogue")))
        tiers = cheap.tiers(sampling=False)
        return [each for tier in tiers for each in cheap.tier(tier, name, controlled, rng)]
    few = {"epochs": 1, "batch": FIRST} if task.kind == FAMILY else {}
    makers = Proposers(changed(Settings(proposers=ORDERS[task.searcher]), few))
    return [InParts(each) for each in makers.policies(name, controlled, rng)]


@dataclass(frozen=True)
class InParts:
    """A proposer whose batches are fitted in small parts, so that a search ends in their midst.

    Until the right form only so many candidates count; it still learns from whole batches. All are
    fitted alike, whoever proposes: what counts is who proposes the right one, not who fits it.
    """

    whole: Proposer

    @property
    def name(self) -> str:
        """Whose batches they are."""
        return self.whole.name

    @property
    def effort(self) -> Effort:
        """With fewer starts many a fit of a right composition fails."""
        return CAREFUL

    def batches(self, losses: Losses) -> Batches:
        """The same expressions in the same order."""
        for batch in self.whole.batches(losses):
            for first in range(0, len(batch), PART):
                yield batch[first : first + PART]


def _is_law(case: FunctionCase, found: Found) -> bool:
    """Whether a form was found that holds where nothing was measured, up to twice the range.

    Some rational functions keep within the errors of a law that they are not.
    """
    beyond = np.linspace(case.high, 2 * case.high - case.low, POINTS)
    states = np.stack([beyond] * len(case.names), axis=1)
    truth = _values(parse(case.law, case.names), case, states)
    laws = [with_constants(form.expression, form.constants[0].tolist()) for form in found.forms]
    errors = [np.abs(_values(law, case, states) - truth) for law in laws]
    return any(np.max(error) < BEYOND * np.max(np.abs(truth)) for error in errors)


def _values(law: Expression, case: FunctionCase, states: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        values: FloatArray = compile_field([law], case.names)(states)[..., 0]
    return values


def _controlled(case: FunctionCase, seed: int) -> Controlled:
    rng = np.random.default_rng(seed)
    states = rng.uniform(case.low, case.high, (1, POINTS, len(case.names)))
    values = _values(parse(case.law, case.names), case, states)
    errors = np.full_like(values, MEASUREMENT * np.sqrt(np.mean(values**2)))
    noisy = values + errors * rng.standard_normal(values.shape)
    starts = start_multipliers(STARTS, rng)
    sample = Sample(states, noisy, errors)
    controlled = make_controlled(case.names, sample, Agreement(), starts=starts)
    assert controlled is not None
    return controlled
