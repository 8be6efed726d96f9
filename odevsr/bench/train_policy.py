"""The policy that has seen functions before, trained again from nothing, and what it has learnt."""

from __future__ import annotations

import sys
from pathlib import Path

from odevsr.bench.result import BenchResult, Cell, at_least
from odevsr.errors import UsageError
from odevsr.search.policy.trained import save_network
from odevsr.search.policy.training import Progress, train

STEPS, DRAWS, SEED = 3000, 100_000, 0
"""With these the weights in the package were made."""


def bench_train_policy(folder: Path, count: int = STEPS, seed: int = SEED) -> BenchResult:
    """Train in `count` steps, write the weights to a new file, and judge them.

    They are judged by functions that were not shown: how much likelier, in logarithms, their rules
    have become than the prior has them.
    """
    if folder.suffix != ".npz" or folder.exists():
        raise UsageError(f"{folder}: name a new file for the weights that ends in .npz")
    rows: list[dict[str, Cell]] = []

    def told(progress: Progress) -> None:
        rows.append({"step": progress.step, "log-likelihood": progress.likelihood})
        print(f"step {progress.step}: {progress.likelihood:.3f}", file=sys.stderr, flush=True)

    trained = train(count, min(DRAWS, 1000 * count), seed, told)
    save_network(trained.network, trained.grammar, folder)
    gain = trained.likelihood - trained.prior
    figure = at_least("log-likelihood of functions not shown, above the prior's", gain, 2.5)
    return BenchResult("train-policy", (figure,), tuple(rows))
