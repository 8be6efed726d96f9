"""Even powers of variables that never changed their sign: each may have that sign, as a drag has.

Where something in its law keeps the variable from crossing 0 this decides nothing; where its own
motion can lead it there, the law and the one with that sign are rivals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.language.algebra.normal import normal_form
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Expression, Number, Op, Variable, walk
from odevsr.language.text import to_text
from odevsr.recorded.choosing.sweeps import Choice
from odevsr.recorded.judging.rivals import Rival, told_apart, wider
from odevsr.recorded.motions.systems import closed
from odevsr.recorded.paths import Paths
from odevsr.vertical.judging.rivals import Alternative


@dataclass(frozen=True)
class OneSided:
    """A variable that was never beyond 0, though nothing in its law keeps it from there."""

    place: int
    name: str
    side: str
    is_led: bool
    """Whether its own motion leads beyond 0 from there, be it from where nobody has been."""

    @property
    def where(self) -> str:
        """Where nothing was seen."""
        return f"{self.name} {self.side} 0"


def one_sided(paths: Paths, laws: Sequence[Expression]) -> Iterator[OneSided]:
    """Those of the variables, by laws in normal form."""
    for k, name in enumerate(paths.names[: paths.variables]):
        sign = 1 if paths.low[k] >= 0 else -1 if paths.high[k] <= 0 else 0
        states = paths.states.copy()
        states[:, k] = 0.0
        rates = sign * compile_field(laws, paths.names)(states)[:, k]
        if rates.any():
            yield OneSided(k, name, "<" if sign > 0 else ">", bool(np.min(rates) < 0))


def even_powers(law: Expression, name: str) -> set[str]:
    """Those of a variable that a law has."""
    return {to_text(node) for node in walk(law) if _is_even(node, name)}


def sign_rivals(
    choice: Choice, equation: int, deviation: float, rng: np.random.Generator
) -> Iterator[Rival]:
    """The law with the sign of a variable in its even powers, which runs on one side cannot tell.

    With it comes the run from the other side that would decide.
    """
    paths, laws = choice.paths, [closed(each) for each in choice.system.laws]
    for each in one_sided(paths, laws):
        if each.is_led and even_powers(laws[equation], each.name):
            other = Alternative(normal_form(_signed(laws[equation], each.name)), deviation)
            low, high = wider(paths)
            k = each.place
            low[k], high[k] = -high[k], -low[k]
            yield told_apart(choice, equation, Rival(other, "", is_near=True), rng, (low, high))


def _is_even(node: Expression, name: str) -> bool:
    match node:
        case Apply(Op.POW, (Variable(variable), Number(power))):
            return variable == name and power > 0 and power % 2 == 0
    return False


def _signed(node: Expression, name: str) -> Expression:
    """The law with each even power of a variable times its sign."""
    match node:
        case Apply(Op.POW, (base, Number(power))) if _is_even(node, name):
            size = Apply(Op.ABS, (base,))
            return Apply(Op.MUL, (Apply(Op.POW, (base, Number(power - 1))), size))
        case Apply(op, args):
            return Apply(op, tuple(_signed(each, name) for each in args))
    return node
