"""What is studied, whatever it is: a registered system, a file, a simulator of the user's own.

Behind this door only names, ranges and a way to launch are left; equations, if there are any, stay
outside. The door can be sent to another process and be opened there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from odevsr.errors import UsageError, nearest
from odevsr.kind import Kind
from odevsr.language.expression import Real
from odevsr.world.box import Box, box_of
from odevsr.world.experiments.oracle import World
from odevsr.world.ranges import Range, RangeLike, Ranges, checked_range
from odevsr.world.simulators.command import Command
from odevsr.world.simulators.fmu.file import is_fmu
from odevsr.world.simulators.fmu.study import OpenedUnit, open_unit
from odevsr.world.simulators.guard import TIME_LIMIT, asked_for_rates, guarded
from odevsr.world.simulators.launch import Launch, make_launcher
from odevsr.world.simulators.lifted import lift, with_ranges
from odevsr.world.simulators.sbml.file import is_sbml
from odevsr.world.simulators.sbml.study import Opened, open_model
from odevsr.world.simulators.simulator import (
    Simulator,
    check_arguments,
    form_of,
    import_simulator,
    inputs_of,
    name_of,
    outputs_of,
    qualified_name,
    ranges_of,
)
from odevsr.world.systems.file import parse_system
from odevsr.world.systems.registry import get_system, is_path
from odevsr.world.systems.system import System

Target = str | Path | System | Simulator


@dataclass(frozen=True)
class Studied:
    """A target: its variables, of which `components` have a law, and how to make its launcher."""

    name: str
    names: tuple[str, ...]
    components: tuple[str, ...]
    box: Box
    make_launch: Callable[[], Launch]
    digest: str
    """What a run must agree in to be resumed."""
    operators: tuple[str, ...] | None = None
    """Operators that its file asks to search with."""
    system_file: str = ""
    """The text of its file, for the record of a run; a simulator has none."""
    kind: Kind = Kind.ODE
    """What its laws are of."""
    make_rates: Callable[[], Launch] | None = None
    """How to make who tells its rates, of what does not only move."""

    @property
    def tells(self) -> bool:
        """True if it says itself what its laws are of, so that no differences need be taken."""
        return not self.kind.moves or self.make_rates is not None

    def world(self) -> World:
        """What an experimenter may know of it who launches."""
        return self._world(self.make_launch())

    def told(self) -> World:
        """The same for who asks what it tells itself: rates, values, next states."""
        return self._world((self.make_rates or self.make_launch)())

    def _world(self, launch: Launch) -> World:
        outputs = self.components if self.kind is Kind.FUNCTION else ()
        return World(self.names, self.box, launch, self.kind, outputs)


def study(
    target: Target,
    *,
    params: Mapping[str, Real | str] | None = None,
    vary: Mapping[str, RangeLike] | None = None,
    ranges: Mapping[str, RangeLike] | None = None,
    timeout: float = TIME_LIMIT,
) -> Studied:
    """The target as something to experiment on.

    A name or path gives a system, a model in SBML (.xml) or an FMU (.fmu), with other values of its
    parameters (`params`) or with some of them as inputs (`vary`); `package.module:function`, or a
    function, a simulator (see `simulator`), which may take `timeout` seconds for each state.
    `ranges` are other ones than those it comes with.
    """
    if not (timeout > 0):
        raise UsageError(f"a time limit of {timeout} seconds is too short; give more than 0")
    if is_sbml(target):
        opened = open_model(target, params, vary, ranges)
        return _model(opened, opened.model.states, str(target))
    if is_fmu(target):
        unit = open_unit(target, params, vary, ranges)
        return _model(unit, unit.components, str(target))
    reference = isinstance(target, str) and is_reference(target)
    if isinstance(target, System | str | Path) and not reference:
        system = lift(get_system(target).with_parameters(params or {}), vary or {})
        return _system(with_ranges(system, ranges or {}))
    if params or vary:
        raise UsageError("a simulator of your own has no parameters to change or vary; leave them")
    if isinstance(target, str):
        return _simulator(import_simulator(target), target, timeout, ranges or {})
    if callable(target):
        return _simulator(target, target, timeout, ranges or {})
    raise UsageError(
        f"a {type(target).__name__} cannot be studied; give a system, its name or file, or a "
        "function marked with @odevsr.simulator, @odevsr.rhs, @odevsr.stepper, @odevsr.function or "
        "@odevsr.map"
    )


def is_reference(target: str) -> bool:
    """True for `package.module:function`, whose function may be that of an object there.

    >>> is_reference("models.rotor:spin"), is_reference("lorenz"), is_reference("C:/a.toml")
    (True, False, False)
    """
    module, colon, function = target.partition(":")
    names = [*module.split("."), *function.split(".")]
    return bool(colon) and not is_path(target) and all(name.isidentifier() for name in names)


def recorded_system(target: Target, system_file: str) -> System | None:
    """The system in the record of a run, if there is one and the target names it."""
    if not (system_file and isinstance(target, str | Path)):
        return None
    system = parse_system(system_file, "the run's system")
    name = Path(target).stem if is_path(target) else target
    return system if name == system.name else None


def _system(system: System) -> Studied:
    return Studied(
        name=system.name,
        names=system.names,
        components=system.components,
        box=system.box,
        make_launch=partial(make_launcher, system),
        digest=system.digest,
        operators=system.operators,
        system_file=system.text,
        kind=system.kind,
    )


def _model(opened: Opened | OpenedUnit, components: tuple[str, ...], name: str) -> Studied:
    return Studied(
        name=name,
        names=opened.names,
        components=components,
        box=box_of(each.range for each in opened.variables),
        make_launch=opened.launcher,
        digest=opened.digest,
        make_rates=opened.teller if opened.tells else None,
    )


def _simulator(
    function: Simulator, source: Simulator | str, timeout: float, changes: Mapping[str, RangeLike]
) -> Studied:
    ranges, inputs = ranges_of(function), inputs_of(function)
    check_arguments(function)
    for name, given in changes.items():
        own = ranges if name in ranges else inputs
        if name not in own:
            known = nearest(name, (*ranges, *inputs))
            raise UsageError(f"{name_of(function)} has no variable {name!r}; {known}")
        own[name] = checked_range(name, own[name].changed(checked_range(name, given)))
    name = source if isinstance(source, str) else _name(function)
    return Studied(
        name=name,
        names=(*ranges, *inputs),
        components=outputs_of(function) or tuple(ranges),
        box=box_of((*ranges.values(), *inputs.values())),
        make_launch=partial(guarded, source, timeout),
        digest=hashlib.sha256(repr((name, _said(ranges), _said(inputs))).encode()).hexdigest(),
        kind=form_of(function).kind,
        make_rates=partial(asked_for_rates, source, timeout) if form_of(function).rates else None,
    )


def _name(function: Simulator) -> str:
    """What a run calls a simulator: the command that starts it, or where it is from."""
    return function.text if isinstance(function, Command) else qualified_name(function)


def _said(ranges: Ranges) -> dict[str, RangeLike]:
    """The ranges, as pairs where nobody says more of them."""
    return {
        name: (each.low, each.high) if each == Range(each.low, each.high) else each
        for name, each in ranges.items()
    }
