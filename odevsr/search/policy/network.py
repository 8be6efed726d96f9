"""The recurrent network that weighs the rules of a grammar, and the optimiser that trains it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import Tensor

from odevsr.arrays import IntArray
from odevsr.language.drawing.grammar import Grammar
from odevsr.language.expression import Apply, Constant, Expression, Hole, Number, Op, Variable, walk

State = tuple[Tensor, Tensor]
"""Hidden and cell state of every layer, each (layers, B, width)."""

_KINDS: tuple[object, ...] = (Hole, Number, Constant, Variable, *Op)


def start_tokens(grammar: Grammar) -> list[int]:
    """The start expression in preorder, as token numbers.

    A token is a rule where the grammar has one for the node, else the node's kind, numbered after
    the rules.

    >>> from odevsr.language.drawing.grammar import make_grammar
    >>> from odevsr.language.parse import parse
    >>> start = parse("A*x0 + C", ["x0"], open_symbols=True)
    >>> start_tokens(make_grammar(["x1"], operators=["+", "*"], start=start))
    [0, 1, 4, 7, 2]
    """
    rules = {_kind_or_leaf(rule.template): number for number, rule in enumerate(grammar.rules)}
    kinds = {kind: len(grammar.rules) + number for number, kind in enumerate(_KINDS)}
    return [rules.get(_kind_or_leaf(node), kinds[_kind(node)]) for node in walk(grammar.start)]


def _kind(node: Expression) -> object:
    return node.op if isinstance(node, Apply) else type(node)


def _kind_or_leaf(node: Expression) -> object:
    return node.op if isinstance(node, Apply) else node


class Network(torch.nn.Module):
    """Embeddings of the last rule, its parent and its sibling; an LSTM; a score for each rule.

    The scores are nought at first, whatever the input, so that the policy begins at its prior.
    """

    def __init__(self, grammar: Grammar, layers: int, width: int, rng: np.random.Generator) -> None:
        super().__init__()
        tokens = len(grammar.rules) + len(_KINDS) + 1
        self._start = torch.tensor(start_tokens(grammar))
        self.embeddings = torch.nn.Parameter(_normal((3, tokens, width), rng))
        self.recurrent = _Recurrent(width, width, layers, batch_first=True)
        for parameter in self.recurrent.parameters():
            parameter.data = _normal(tuple(parameter.shape), rng) / np.sqrt(3 * width)
        self.scores = torch.nn.Parameter(torch.zeros(len(grammar.rules), width))
        self.offsets = torch.nn.Parameter(torch.zeros(len(grammar.rules)))

    def start(self) -> State:
        """The state (B = 1) after reading the start expression."""
        _, state = self.recurrent(self.embeddings[0, self._start][None])
        result: State = state
        return result

    def forward(
        self, last: IntArray, parents: IntArray, siblings: IntArray, state: State
    ) -> tuple[Tensor, State]:
        """Scores (B, T, rules) of what comes next after T known steps (B, T), and the state then.

        Rule -1 is none; it stands for the last token.
        """
        inputs = sum(
            torch.nn.functional.embedding(torch.from_numpy(tokens % table.shape[0]), table)
            for table, tokens in zip(self.embeddings, (last, parents, siblings), strict=True)
        )
        outputs, after = self.recurrent(inputs, state)
        return torch.nn.functional.linear(outputs, self.scores, self.offsets), after


class _Recurrent(torch.nn.LSTM):
    """An LSTM that leaves torch's global random numbers alone."""

    def reset_parameters(self) -> None:
        """The network sets the parameters, from its own generator."""


def _normal(shape: tuple[int, ...], rng: np.random.Generator) -> Tensor:
    return torch.from_numpy(rng.standard_normal(shape, dtype=np.float32))


class Adam:
    """Adam with its usual constants, written out because importing torch's own costs a second."""

    def __init__(self, parameters: Iterable[torch.nn.Parameter], learning_rate: float) -> None:
        self._parameters = list(parameters)
        self._learning_rate = learning_rate
        self._means = [torch.zeros_like(parameter) for parameter in self._parameters]
        self._squares = [torch.zeros_like(parameter) for parameter in self._parameters]
        self._steps = 0

    @torch.no_grad()
    def step(self, share: float = 1.0) -> None:
        """Move every parameter against its gradient, by that share, and forget the gradient."""
        self._steps += 1
        rate = share * self._learning_rate / (1 - 0.9**self._steps)
        correction = (1 - 0.999**self._steps) ** 0.5
        for parameter, mean, square in zip(
            self._parameters, self._means, self._squares, strict=True
        ):
            gradient = parameter.grad
            if gradient is not None:
                mean.lerp_(gradient, 1 - 0.9)
                square.lerp_(gradient * gradient, 1 - 0.999)
                parameter.addcdiv_(mean, square.sqrt() / correction + 1e-8, value=-rate)
                parameter.grad = None
