"""Our systems and our data beside pysindy's own definitions, variable by variable.

Right-hand sides are compared at random states, trajectories over short stretches. Known differences
are added to pysindy's side: what then is left must be rounding, so they cannot hide others.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import DataFileError, UsageError, nearest
from odevsr.language.evaluate import Field, compile_field
from odevsr.language.expression import ZERO, Apply, Expression, Op
from odevsr.language.parse import parse
from odevsr.verdict.references.counterparts import COUNTERPARTS, Counterpart
from odevsr.verdict.references.motion import STEPS, departure, stretches
from odevsr.world.systems.source import builtin_folder
from odevsr.world.systems.system import System
from odevsr.world.trajectories.simulate import simulate
from odevsr.world.trajectories.trajectory import Trajectory

STATES = 1_000
"""Random states at which right-hand sides are compared."""
FIELD_TOLERANCE = 1e-12
"""Of right-hand sides: their rounding errors are below 1e-15."""
TRAJECTORY_TOLERANCE = 1e-9
"""Of states: the errors of both solvers together are below 1e-10."""


class ReferenceAgreement(Enum):
    """How ours and pysindy's compare, from best to worst; the value is the word people see."""

    AGREES = "agrees"
    KNOWN = "known"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The largest difference from pysindy's own definition, and what known differences leave of it.

    Rates are relative to the largest rate of the variable, states to the width of its range.
    """

    difference: float
    left: float
    tolerance: float

    @property
    def agreement(self) -> ReferenceAgreement:
        """A difference that is no number is no agreement."""
        if self.difference <= self.tolerance:
            return ReferenceAgreement.AGREES
        return (
            ReferenceAgreement.KNOWN if self.left <= self.tolerance else ReferenceAgreement.DIFFERS
        )


@dataclass(frozen=True, slots=True)
class VariableCheck:
    """One variable: its right-hand side, our trajectory and, where there is one, our data file."""

    variable: str
    field: Comparison
    trajectory: Comparison
    data: Comparison | None

    @property
    def agreement(self) -> ReferenceAgreement:
        """The worst of the three."""
        comparisons = [each for each in (self.field, self.trajectory, self.data) if each]
        return worst(each.agreement for each in comparisons)


@dataclass(frozen=True, slots=True)
class SystemCheck:
    """One system beside its counterpart."""

    counterpart: Counterpart
    variables: tuple[VariableCheck, ...]

    @property
    def agreement(self) -> ReferenceAgreement:
        """The worst of its variables."""
        return worst(each.agreement for each in self.variables)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All systems asked for; `has_data` is false where there is no folder of data files."""

    checks: tuple[SystemCheck, ...]
    has_data: bool

    @property
    def agreement(self) -> ReferenceAgreement:
        """The worst of its systems."""
        return worst(each.agreement for each in self.checks)


@dataclass(frozen=True, slots=True)
class _Sides:
    """What is compared: our field, pysindy's, and pysindy's with the known differences added."""

    ours: Field
    theirs: Field
    mended: Field


def worst(agreements: Iterable[ReferenceAgreement]) -> ReferenceAgreement:
    """The worst of some agreements; of none, that all agree."""
    order = list(ReferenceAgreement)
    return order[max((order.index(each) for each in agreements), default=0)]


def check_systems(systems: Sequence[System], data: Path | None, seed: int = 0) -> CheckReport:
    """Each system, and its file in the folder `data` if there is one, beside pysindy's."""
    checks = tuple(
        compare_with_pysindy(system, _recorded(system, data), np.random.default_rng(seed))
        for system in systems
    )
    return CheckReport(checks, has_data=data is not None)


def data_folder() -> Path | None:
    """The folder of reference trajectories, which stands beside the systems in a checkout."""
    folder = builtin_folder().parent / "data"
    return folder if folder.is_dir() else None


def comparable_names() -> tuple[str, ...]:
    """Names of our systems that pysindy has too."""
    return tuple(each.system for each in COUNTERPARTS)


def counterpart_of(system: System) -> Counterpart:
    """The function of pysindy that describes the same system, variable for variable."""
    known = {each.system: each for each in COUNTERPARTS}
    if system.name not in known:
        raise UsageError(
            f"{system.name} has no counterpart in pysindy; {nearest(system.name, known)}"
        )
    counterpart = known[system.name]
    wanted, passed = sorted(counterpart.variables), counterpart.passed
    if sorted(system.names) != wanted or not set(passed) <= set(system.parameters):
        raise UsageError(
            f"{system.name} cannot be compared with pysindy's {counterpart.function}, which has "
            f"the variables {', '.join(wanted)}"
            + (f" and takes {', '.join(passed)} from our parameters" if passed else "")
            + "; name them so, or give the system another name"
        )
    return counterpart


def compare_with_pysindy(
    system: System, recorded: Sequence[Trajectory], rng: np.random.Generator
) -> SystemCheck:
    """Our definition, a short simulation of it, and recorded trajectories beside pysindy's."""
    counterpart = counterpart_of(system)
    sides = _sides(system, counterpart)
    count = len(system.names)
    fields = _compare_fields(sides, system.box.at(rng.random((STATES, count))))
    step = system.simulation.step
    simulated = simulate(system, duration=STEPS * step, step=step)
    trajectories = _compare_motion(system, sides, [simulated])
    data = _compare_motion(system, sides, recorded) if recorded else [None] * count
    rows = zip(system.names, fields, trajectories, data, strict=True)
    return SystemCheck(counterpart, tuple(VariableCheck(*row) for row in rows))


def _recorded(system: System, data: Path | None) -> Sequence[Trajectory]:
    path = data / f"{system.name}.h5" if data else None
    if path is None or not path.is_file():
        return ()
    from odevsr.world.trajectories.store import load_trajectories

    recording = load_trajectories(path)
    if recording.system.names != system.names:
        raise DataFileError(
            f"{path}: holds {', '.join(recording.system.names)} where {system.name} has "
            f"{', '.join(system.names)}; make it again with `odevsr simulate`"
        )
    return recording.trajectories


def _sides(system: System, counterpart: Counterpart) -> _Sides:
    ours = compile_field(system.closed_equations(), system.names)
    theirs = _pysindy_field(system, counterpart)
    if not counterpart.known:
        return _Sides(ours, theirs, theirs)
    correction = compile_field(_corrections(system, counterpart), system.names)
    return _Sides(ours, theirs, lambda states: theirs(states) + correction(states))


def _corrections(system: System, counterpart: Counterpart) -> list[Expression]:
    """What is known to be added in our equation of each variable."""
    sums: dict[str, Expression] = dict.fromkeys(system.names, ZERO)
    for known in counterpart.known:
        difference = parse(known.difference, system.names)
        sums[known.variable] = Apply(Op.ADD, (sums[known.variable], difference))
    return list(sums.values())


def _pysindy_field(system: System, counterpart: Counterpart) -> Field:
    """The function of pysindy as a field over our states (..., n), in our order of variables."""
    function = _pysindy_function(counterpart.function)
    arguments = {name: float(system.parameters[name]) for name in counterpart.passed}
    order = [system.names.index(name) for name in counterpart.variables]

    def field(states: FloatArray) -> FloatArray:
        rates = np.empty_like(states)
        with np.errstate(all="ignore"):
            values = function(0.0, np.moveaxis(states, -1, 0)[order], **arguments)
        for place, value in zip(order, values, strict=True):
            rates[..., place] = value
        return rates

    return field


def _pysindy_function(name: str) -> Callable[..., Sequence[Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what its own dependencies deprecate is not ours to tell
        from pysindy.utils import odes
    function: Callable[..., Sequence[Any]] | None = getattr(odes, name, None)
    if function is None:
        raise UsageError(f"this pysindy has no function {name}; install pysindy 2.0 or 2.1")
    return function


def _compare_fields(sides: _Sides, states: FloatArray) -> list[Comparison]:
    ours = sides.ours(states)
    largest = np.abs(ours).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    theirs = np.abs(sides.theirs(states) - ours).max(axis=0) / scale
    mended = np.abs(sides.mended(states) - ours).max(axis=0) / scale
    return _comparisons(theirs, mended, FIELD_TOLERANCE)


def _compare_motion(
    system: System, sides: _Sides, trajectories: Sequence[Trajectory]
) -> list[Comparison]:
    parts = [part for trajectory in trajectories for part in stretches(trajectory)]
    width = system.box.width
    theirs, mended = (departure(field, parts, width) for field in (sides.theirs, sides.mended))
    return _comparisons(theirs, mended, TRAJECTORY_TOLERANCE)


def _comparisons(difference: FloatArray, left: FloatArray, tolerance: float) -> list[Comparison]:
    pairs = zip(difference.tolist(), left.tolist(), strict=True)
    return [Comparison(raw, rest, tolerance) for raw, rest in pairs]
