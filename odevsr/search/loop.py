"""The one search loop: proposers take turns, batches are fitted, losses go back to who proposed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from odevsr.evidence.form import Form, Problem, accepted_forms, fit_expressions
from odevsr.fitting.fit import Effort
from odevsr.language.expression import Expression
from odevsr.language.text import to_text

FloatArray = NDArray[np.float64]


class Proposer(Protocol):
    """Who proposes expressions: families, the grammar's prior, a policy that learns."""

    @property
    def name(self) -> str:
        """Who it is, for the record."""
        ...

    @property
    def effort(self) -> Effort:
        """How hard its expressions are to be fitted."""
        ...

    def batches(self) -> Iterator[list[Expression]]:
        """Batches of normal forms; an empty batch is skipped, the end means nothing is left."""
        ...

    def learn(self, losses: Mapping[Expression, float]) -> None:
        """Normalised losses of all expressions so far, those of the last batch among them."""
        ...


@dataclass(frozen=True)
class Epoch:
    """One batch of a search: who proposed, how many were new, and the best so far."""

    proposer: str
    candidates: int
    best_loss: float
    best: str
    variable: str = ""
    """What the round has freed."""


@dataclass(frozen=True, eq=False)
class Found:
    """The outcome of a search: forms that explain the problem, best first; what came nearest."""

    forms: tuple[Form, ...]
    nearest: Expression | None
    epochs: tuple[Epoch, ...]

    @property
    def candidates(self) -> int:
        """How many expressions were fitted."""
        return sum(epoch.candidates for epoch in self.epochs)


def search(
    problem: Problem,
    proposers: Iterable[Proposer],
    *,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
    check_budget: Callable[[], None] = lambda: None,
) -> Found:
    """Fit batch after batch until one holds a form that explains every trial.

    `check_budget` is called before every batch and raises when there is no more to spend.
    """
    losses: dict[Expression, float] = {}
    nearest: Expression | None = None
    best_loss = np.inf
    epochs: list[Epoch] = []
    for proposer in proposers:
        for batch in proposer.batches():
            check_budget()
            new = [expression for expression in dict.fromkeys(batch) if expression not in losses]
            expressions, programs, fitted = fit_expressions(new, problem, proposer.effort)
            losses.update(dict.fromkeys(new, np.inf))
            losses.update(zip(expressions, _worst(fitted.losses), strict=True))
            proposer.learn(losses)
            forms = accepted_forms(
                expressions, programs, fitted, problem, proposer.effort, proposer.name
            )
            tried = expressions if nearest is None else [nearest, *expressions]
            nearest = min(tried, key=losses.__getitem__, default=None)
            best_loss = np.inf if nearest is None else losses[nearest]
            best = "" if nearest is None else to_text(nearest)
            epochs.append(Epoch(proposer.name, len(new), best_loss, best))
            on_epoch(epochs[-1])
            if forms:
                return Found(tuple(forms), nearest, tuple(epochs))
    return Found((), nearest, tuple(epochs))


def _worst(losses: FloatArray) -> FloatArray:
    """The greatest loss of each expression over the trials it was fitted to; inf if to none.

    A form given up after its first trials still tells a policy how near it came.
    """
    fitted = ~np.isnan(losses)
    worst = np.max(np.where(fitted, losses, 0.0), axis=1, initial=0.0)
    return np.where(fitted.any(axis=1), worst, np.inf)
