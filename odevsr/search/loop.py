"""The one search loop: proposers take turns, their batches are fitted, and they see the losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.controlled import Controlled, fit_expressions
from odevsr.evidence.form import Form, accepted_forms
from odevsr.language.expression import Expression
from odevsr.language.text import to_text
from odevsr.search.proposer import REWARDS, Losses, Proposer

PIECE = 128
"""Expressions that are fitted before the budget is looked at again: some tenths of a second."""


@dataclass(frozen=True)
class Epoch:
    """One batch of a search: its proposer, how many were new, and the best so far."""

    proposer: str
    candidates: int
    best_loss: float
    best: str
    proposed: int = 0
    """Size of the batch, with what had been proposed before."""
    variable: str = ""
    """What the round has freed."""
    target: str = ""
    """What the round is about: the equation, or a constant of a form of it."""
    reward: float = 0.0
    """Mean of 1/(1 + root of the loss) over the batch: 1 if everything fits perfectly."""

    @property
    def new(self) -> float:
        """The share of the batch that had not been proposed before."""
        return self.candidates / self.proposed if self.proposed else 0.0


@dataclass(frozen=True, eq=False)
class Found:
    """The outcome of a search: forms that explain the trials, best first; what came nearest."""

    forms: tuple[Form, ...] = ()
    nearest: Expression | None = None
    epochs: tuple[Epoch, ...] = ()

    @property
    def candidates(self) -> int:
        """How many expressions were fitted."""
        return sum(epoch.candidates for epoch in self.epochs)


def search(
    controlled: Controlled,
    proposers: Iterable[Proposer],
    *,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
    check_budget: Callable[[], None] = lambda: None,
) -> Found:
    """Fit batch after batch until one holds a form that explains every trial.

    `check_budget` is called before every piece of a batch and raises when there is no more to
    spend.
    """
    losses: Losses = {}
    epochs: list[Epoch] = []
    for proposer in proposers:
        for batch in proposer.batches(losses):
            new = [each for each in dict.fromkeys(batch) if each not in losses]
            forms: list[Form] = []
            for first in range(0, max(len(new), 1), PIECE):
                check_budget()
                forms += _fit_piece(new[first : first + PIECE], controlled, proposer, losses)
            epochs.append(_epoch(proposer.name, batch, len(new), losses))
            on_epoch(epochs[-1])
            if forms:
                ranked = sorted(forms, key=lambda form: form.rank)
                return Found(tuple(ranked), _nearest(losses), tuple(epochs))
    return Found((), _nearest(losses), tuple(epochs))


def _nearest(losses: Losses) -> Expression | None:
    return min(losses, key=losses.__getitem__, default=None)


def _fit_piece(
    expressions: list[Expression], controlled: Controlled, proposer: Proposer, losses: Losses
) -> list[Form]:
    """Forms among the expressions that explain every trial; all get their losses."""
    runnable, programs, fitted = fit_expressions(expressions, controlled, proposer.effort)
    losses.update(dict.fromkeys(expressions, np.inf))
    losses.update(zip(runnable, _worst_losses(fitted.losses).tolist(), strict=True))
    return accepted_forms(runnable, programs, fitted, controlled, proposer.effort, proposer.name)


def _epoch(proposer: str, batch: Sequence[Expression], new: int, losses: Losses) -> Epoch:
    nearest = _nearest(losses)
    rewards = [REWARDS["nrmse"](losses[each]) for each in batch]
    return Epoch(
        proposer,
        candidates=new,
        best_loss=np.inf if nearest is None else losses[nearest],
        best="" if nearest is None else to_text(nearest),
        proposed=len(batch),
        reward=float(np.mean(rewards or [0.0])),
    )


def _worst_losses(losses: FloatArray) -> FloatArray:
    """The greatest loss of each expression over the trials it was fitted to; inf if to none.

    A form given up after its first trials still tells a policy how near it came.
    """
    fitted = ~np.isnan(losses)
    worst = np.max(np.where(fitted, losses, 0.0), axis=1, initial=0.0)
    return np.where(fitted.any(axis=1), worst, np.inf)
