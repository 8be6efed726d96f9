"""A network that has seen functions before: it weighs rules by what a round's curves look like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from odevsr.arrays import FloatArray
from odevsr.errors import UsageError
from odevsr.evidence.controlled import Controlled
from odevsr.language.drawing.grammar import Grammar, Rule
from odevsr.language.expression import Variable
from odevsr.language.text import to_text
from odevsr.limits import SAME
from odevsr.search.policy.curves import FEATURES, features
from odevsr.search.policy.examples import TRAINING
from odevsr.search.policy.network import Network, State

SHIPPED = Path(__file__).with_name("trained.npz")
LEAF = "x"
"""What the variable, and whatever else was learnt about it, is called in the file of weights."""


class CurveNetwork(Network):
    """The network whose first state is what a set encoder makes of the curves of a round.

    Each curve is encoded alone; of all of them the mean and the largest count.
    """

    def __init__(self, grammar: Grammar, rng: np.random.Generator) -> None:
        width = TRAINING.width
        super().__init__(grammar, 1, width, rng)
        sizes = [(width, FEATURES), (width, width), (2 * width, 2 * width)]
        self.encoders = torch.nn.ParameterList(
            torch.from_numpy(rng.standard_normal(size, dtype=np.float32)) * (2 / size[1]) ** 0.5
            for size in sizes
        )
        self.shifts = torch.nn.ParameterList(torch.zeros(size[0]) for size in sizes)
        self._curves = torch.zeros(1, 1, FEATURES)

    def look_at(self, controlled: Controlled) -> None:
        """Remember the curves of a round."""
        trials = controlled.trials
        usable = trials.weights > SAME * np.max(trials.weights)
        seen = features(trials.points[:, 0], trials.targets, usable)
        self._curves = torch.from_numpy(seen[None].astype(np.float32))

    def start(self) -> State:
        """The state (B = 1) after a look at the curves."""
        return self.encoded(self._curves)

    def encoded(self, curves: Tensor) -> State:
        """States of rounds whose curves (B, K, features) are described."""
        code = curves
        for weights, shift in zip(self.encoders[:2], self.shifts[:2], strict=True):
            code = torch.relu(torch.nn.functional.linear(code, weights, shift))
        pooled = torch.cat([code.mean(dim=1), code.amax(dim=1)], dim=1)
        hidden, cell = torch.nn.functional.linear(pooled, self.encoders[2], self.shifts[2]).chunk(
            2, dim=1
        )
        return torch.tanh(hidden)[None].contiguous(), cell[None].contiguous()


def save_network(network: CurveNetwork, grammar: Grammar, path: Path) -> None:
    """Write the weights in half precision, and which rule each row of them is about."""
    arrays: dict[str, Any] = {
        name: each.detach().numpy().astype(np.float16) for name, each in network.named_parameters()
    }
    np.savez_compressed(path, rules=[_name(rule) for rule in grammar.rules], **arrays)


def load_network(grammar: Grammar, controlled: Controlled, path: Path = SHIPPED) -> Network:
    """The trained network for a grammar, after a look at a round.

    A rule that it was not trained with is weighed as the prior does.
    """
    network = CurveNetwork(grammar, np.random.default_rng(0))
    arrays = _arrays(path)
    known = {name: row for row, name in enumerate(arrays.pop("rules").tolist())}
    rows = [known.get(_name(rule), len(known)) for rule in grammar.rules]
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            values = torch.from_numpy(arrays[name].astype(np.float32))
            parameter.copy_(_by_rule(name, values, rows, len(known), parameter))
    network.look_at(controlled)
    return network


def _by_rule(name: str, values: Tensor, rows: list[int], known: int, parameter: Tensor) -> Tensor:
    """Weights with a row for each rule, of which the file knows others, in another order.

    Of the embeddings the last stands for no rule; those between are of start expressions, which
    this network does not read.
    """
    if name == "embeddings":
        unknown = torch.zeros_like(values[:, :1])
        ruled = torch.cat([values[:, :known], unknown], dim=1)[:, rows]
        return torch.cat([ruled, parameter[:, len(rows) : -1], values[:, -1:]], dim=1)
    if name in ("scores", "offsets"):
        return torch.cat([values, torch.zeros_like(values[:1])])[rows]
    return values


def _arrays(path: Path) -> dict[str, FloatArray]:
    if not path.exists():
        raise UsageError(f"{path}: no such file; odevsr bench train-policy FILE.npz writes one")
    with np.load(path, allow_pickle=False) as stored:
        return dict(stored)


def _name(rule: Rule) -> str:
    """How a rule is called in the file: any variable, and what was learnt about it, alike."""
    is_leaf = rule.arity == 0 and (isinstance(rule.template, Variable) or rule.op is not None)
    return LEAF if is_leaf else to_text(rule.template)
