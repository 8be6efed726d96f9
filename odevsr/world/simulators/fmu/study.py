"""An FMU as something to experiment on.

Its continuous states are the state; its inputs and parameters may be inputs, and so is time where
its rates depend on it. Names are those of the FMU, as far as our language can write them.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from odevsr.errors import ExpressionError, SystemFileError, UsageError, nearest
from odevsr.language.expression import Real
from odevsr.language.parse import parse_number
from odevsr.world.box import box_of
from odevsr.world.ranges import Range, RangeLike, checked_range
from odevsr.world.simulators.fmu.file import Signal, Unit, read_unit
from odevsr.world.simulators.fmu.runner import Runner
from odevsr.world.simulators.fmu.stepped import Stepped
from odevsr.world.simulators.free_run import observed, sizes_of, usual_size, widened
from odevsr.world.simulators.given import input_variable, state_variable, with_ranges
from odevsr.world.simulators.launch import Launch, field_launcher, telling
from odevsr.world.systems.checks import TIME, check_names
from odevsr.world.systems.system import StateVariable

ROUNDED = 1e-6
"""Share of the rates by which those of what moves by itself may differ without a reason."""
TIMES = (0.0, 0.618, 2.718, 31.4)
"""Times at which rates are compared to see whether they depend on it."""


@dataclass(frozen=True)
class OpenedUnit:
    """An FMU, its variables, of which `inputs` are the last, and what is set of it otherwise."""

    unit: Unit
    variables: tuple[StateVariable, ...]
    inputs: tuple[Signal | None, ...]
    """The signals of the inputs; None for time."""
    fixed: Mapping[int, float]
    """Values that differ from its own, by reference."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, in order."""
        return tuple(each.name for each in self.variables)

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the variables that have a law."""
        return self.names[: len(self.unit.states)]

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides how it moves, in hex."""
        said = repr((sorted(self.fixed.items()), self.variables)).encode()
        return hashlib.sha256(self.unit.path.read_bytes() + said).hexdigest()

    def launcher(self) -> Launch:
        """Launches of the FMU."""
        runner = _runner(self.unit, self.fixed, self.inputs)
        if isinstance(runner, Stepped):
            return runner.launch
        return field_launcher(runner.rates, box_of(each.range for each in self.variables).width)

    @property
    def tells(self) -> bool:
        """True if it tells its rates."""
        return bool(self.unit.exchange)

    def teller(self) -> Launch:
        """Its rates, as it tells them."""
        return telling(_runner(self.unit, self.fixed, self.inputs).rates)


def open_unit(
    path: str | Path,
    params: Mapping[str, Real | str] | None = None,
    vary: Mapping[str, RangeLike] | None = None,
    ranges: Mapping[str, RangeLike] | None = None,
) -> OpenedUnit:
    """The FMU in a file, with other values of its parameters, or with inputs in their place."""
    unit = read_unit(path)
    names, settable = list(_named(unit.states, unit)), _named(unit.settable, unit)
    fixed = {
        _known(name, settable, unit).reference: _value(name, value)
        for name, value in (params or {}).items()
    }
    chosen = {plain(name): checked_range(name, given) for name, given in (vary or {}).items()}
    signals = {name: _known(name, settable, unit) for name in chosen if name != TIME}
    with_time = _needs_time(_runner(unit, fixed, (*signals.values(), None)))
    if TIME in chosen and not with_time:
        raise UsageError(f"{path} does not depend on {TIME}; leave it")
    inputs: dict[str, Signal | None] = {**({TIME: None} if with_time else {}), **signals}
    check_names(names, (), list(inputs))
    runner = _runner(unit, fixed, tuple(inputs.values()))
    starts = dict(zip(inputs, runner.state()[runner.count :].tolist(), strict=True))
    own, duration = _states(unit, names, runner)
    limits = {TIME: Range(0.0, duration, domain=(0.0, math.inf)), **chosen}
    held = [input_variable(name, limits[name], starts[name]) for name in inputs]
    variables = with_ranges((*own, *held), ranges or {}, str(path))
    return OpenedUnit(unit, variables, tuple(inputs.values()), fixed)


def _runner(
    unit: Unit, fixed: Mapping[int, float], inputs: Sequence[Signal | None]
) -> Runner | Stepped:
    """Who runs the FMU: by the rates it tells, or else by its own steps."""
    return (Runner if unit.exchange else Stepped)(unit, fixed, inputs)


def plain(name: str) -> str:
    """A name as our language can write it.

    >>> plain("body.joint[1].phi"), plain("x")
    ('body_joint_1_phi', 'x')
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


def _named(signals: Sequence[Signal], unit: Unit) -> dict[str, Signal]:
    """Signals by their plain names, if these differ."""
    found: dict[str, Signal] = {}
    for each in signals:
        other = found.setdefault(plain(each.name), each)
        if other is not each:
            raise SystemFileError(
                f"{unit.path}: {other.name} and {each.name} are both {plain(each.name)} in "
                "odevsr's language; rename one of them"
            )
    return found


def _known(name: str, settable: Mapping[str, Signal], unit: Unit) -> Signal:
    if plain(name) not in settable:
        raise UsageError(
            f"{unit.path} has no input or parameter {name!r}; {nearest(name, settable)}"
        )
    return settable[plain(name)]


def _value(name: str, value: Real | str) -> float:
    try:
        return float(parse_number(value))
    except ExpressionError as error:
        raise UsageError(f"parameter {name}: {error}") from None


def _needs_time(runner: Runner | Stepped) -> bool:
    """True if rates at the start differ with the time, which is the last of the inputs.

    What moves by itself is started at whole numbers of short times, and told by what it rounds.
    """
    rows = np.tile(runner.state(), (len(TIMES), 1))
    rows[:, -1] = TIMES
    if runner.short:
        rows[:, -1] = np.rint(rows[:, -1] / runner.short) * runner.short
    rates = runner.rates(rows)[:, : runner.count]
    size = float(np.max(np.abs(np.nan_to_num(rates)), initial=0.0))
    allowed = ROUNDED * size if runner.short else 0.0
    return not np.allclose(rates, rates[0], rtol=0.0, atol=allowed, equal_nan=True)


def _states(
    unit: Unit, names: Sequence[str], runner: Runner | Stepped
) -> tuple[list[StateVariable], float]:
    """The states with their declared ranges or those of a free run, and how long that took."""
    start = runner.state()[: runner.count]
    lows, highs, duration = observed(runner)
    usual = usual_size(sizes_of(lows, highs))
    rows = zip(names, unit.states, start.tolist(), lows.tolist(), highs.tolist(), strict=True)
    found = [
        state_variable(name, _range(signal, low, high, usual), first, signal.meaning)
        for name, signal, first, low, high in rows
    ]
    return found, duration


def _range(signal: Signal, low: float, high: float, usual: float) -> Range:
    if signal.is_bounded:
        return Range(signal.low, signal.high, domain=(signal.low, signal.high))
    seen = widened(low, high, usual, is_level=signal.low >= 0)
    return Range(max(seen.low, signal.low), min(seen.high, signal.high), domain=seen.domain)
