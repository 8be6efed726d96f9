"""Even powers of variables: each may have the sign of the variable, as a drag has.

Where something in its law keeps the variable from crossing 0 this decides nothing; where its own
motion can lead it there, the law and the one with that sign are rivals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Expression, Number, Op, Variable, walk
from odevsr.language.text import to_text
from odevsr.recorded.choosing.sweeps import Choice, in_place
from odevsr.recorded.judging.held import follows
from odevsr.recorded.judging.rivals import Rival, behind_by, deviation_of, told_apart, wider
from odevsr.recorded.motions.systems import (
    MANY_STEPS,
    FittedSystem,
    closed,
    fit_system,
    freed,
    with_law,
)
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import NEAR, prior
from odevsr.vertical.judging.rivals import Alternative


@dataclass(frozen=True)
class OneSided:
    """A variable or input that was never visibly beyond 0, though no law keeps it from there."""

    name: str
    side: str

    @property
    def where(self) -> str:
        """Where nothing was seen."""
        return f"{self.name} {self.side} 0"


def one_sided(paths: Paths, laws: Sequence[Expression]) -> Iterator[OneSided]:
    """Those of the variables, by laws in normal form, and of the inputs."""
    for k, name in enumerate(paths.names):
        sign = _side(paths, k)
        least = max(0.0, -float(np.min(sign * paths.states[:, k])))
        if least**2 <= paths.blur * float(np.max(np.abs(paths.states[:, k]))) ** 2:
            rates = _rates_at_nought(paths, laws, k)
            if rates is None or rates.any():
                yield OneSided(name, "<" if sign > 0 else ">")


def sign_rivals(
    choice: Choice,
    equation: int,
    deviation: float,
    judges: Sequence[Paths],
    rng: np.random.Generator,
) -> Iterator[Rival]:
    """The law with the sign of a variable in its even powers, if no run tells which is right.

    `deviation` is that of the law. With the rival comes the run from the other side that would
    decide.
    """
    paths, laws = choice.paths, [closed(each) for each in choice.system.laws]
    for k, name in enumerate(paths.names):
        if not (even_powers(laws[equation], name) and _is_led(paths, laws, k)):
            continue
        other = _with_sign(choice, equation, k)
        law = in_place(other, equation)
        is_near = behind_by(choice, law) <= NEAR + _price(choice, equation, other)
        if is_near and all(follows(paths, other, each) for each in judges):
            low, high = wider(paths)
            low[k], high[k] = -high[k], -low[k]
            chi = deviation_of(choice, law, deviation)
            rival = Rival(Alternative(closed(law), chi), "", is_near)
            yield told_apart(choice, equation, rival, rng, (low, high))


def even_powers(law: Expression, name: str) -> set[str]:
    """Those of a variable that a law has."""
    return {to_text(node) for node in walk(law) if _is_even(node, name)}


def _side(paths: Paths, k: int) -> int:
    """The sign that a variable has where it is largest."""
    return 1 if paths.high[k] >= -paths.low[k] else -1


def _rates_at_nought(paths: Paths, laws: Sequence[Expression], k: int) -> FloatArray | None:
    """Those of a variable if it were 0, the others as they were; None where nobody knows its law.

    Without such as are no numbers.
    """
    if k >= len(laws):
        return None
    states = paths.states.copy()
    states[:, k] = 0.0
    with np.errstate(all="ignore"):
        rates = compile_field(laws, paths.names)(states)[:, k]
    return np.asarray(rates[np.isfinite(rates)])


def _is_led(paths: Paths, laws: Sequence[Expression], k: int) -> bool:
    """Whether a variable's own motion leads beyond 0, be it from where nobody has been.

    Nobody knows of one whose law is not known; what is set from outside is not led anywhere.
    """
    rates = _rates_at_nought(paths, laws, k)
    if rates is None:
        return k < len(paths.names) - paths.inputs
    return bool((_side(paths, k) * rates < 0).any())


def _with_sign(choice: Choice, equation: int, k: int) -> FittedSystem:
    """The system with the sign of a variable in the even powers of one of its laws, fitted."""
    paths, system = choice.paths, choice.system
    signed = _signed(closed(system.laws[equation]), paths.names[k], _side(paths, k))
    laws = with_law(system.laws, equation, freed(signed))
    return fit_system(paths, laws, system.segments, MANY_STEPS, system)


def _price(choice: Choice, equation: int, other: FittedSystem) -> float:
    """What it costs to say that there is a sign, which is no evidence that there is none."""
    signed, own = (each.laws[equation].law for each in (other, choice.system))
    return prior(signed, len(choice.paths.names)) - prior(own, len(choice.paths.names))


def _is_even(node: Expression, name: str) -> bool:
    match node:
        case Apply(Op.POW, (Variable(variable), Number(power))):
            return variable == name and power > 0 and power % 2 == 0
    return False


def _signed(node: Expression, name: str, sign: int) -> Expression:
    """The law with each even power of a variable times its sign, as it is where that sign is."""
    match node:
        case Apply(Op.POW, (base, Number(power))) if _is_even(node, name):
            size = Apply(Op.ABS, (base,))
            return Apply(Op.MUL, (Number(sign), Apply(Op.POW, (base, Number(power - 1))), size))
        case Apply(op, args):
            return Apply(op, tuple(_signed(each, name, sign) for each in args))
    return node
