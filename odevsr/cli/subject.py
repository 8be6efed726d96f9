"""What a command line studies: a target, a program, a formula or recordings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odevsr.cli.chosen import chosen_formula, chosen_target, ranges, settings_of_model
from odevsr.errors import UsageError

if TYPE_CHECKING:
    from odevsr.world.systems.system import System


@dataclass(frozen=True)
class Changes:
    """What is changed of a target, as the command line has it."""

    folders: Sequence[Path] | None
    parameters: Sequence[str] | None
    varied: Sequence[str] | None
    ranged: Sequence[str] | None

    def __bool__(self) -> bool:
        return bool(self.folders or self.parameters or self.varied or self.ranged)


@dataclass(frozen=True)
class Subject:
    """What is studied: `asked` are arguments of `odevsr.discover`, `truth` its laws if known."""

    asked: dict[str, Any]
    truth: System | None = None


def target_subject(target: str, changes: Changes, resumed: Path | None) -> Subject:
    """A system, as changed or as the run that is resumed has it; a model; a simulator."""
    truth = None if resumed is None or changes else _recorded(target, resumed)
    fixed = changes.folders, changes.parameters, changes.varied, changes.ranged
    truth = truth or chosen_target(target, *fixed)
    return Subject(_asked(target, truth, changes), truth)


def command_subject(program: str, timeout: float, changes: Changes) -> Subject:
    """A program, with the names and ranges given of its variables and inputs, if any are."""
    from odevsr.world.simulators.command import command

    if changes.folders or changes.parameters:
        raise UsageError("a program has no --param or --systems; leave them")
    known, inputs = ranges("--range", changes.ranged), ranges("--vary", changes.varied)
    return Subject({"target": command(program, inputs=inputs, timeout=timeout, **known)})


def formula_subject(formula: str, scale: str, changes: Changes) -> Subject:
    """A formula, whose variables are those of --range."""
    if changes.folders or changes.parameters or changes.varied:
        raise UsageError("a formula has no --param, --vary or --systems; leave them")
    truth = chosen_formula(formula, changes.ranged, scale)
    return Subject({"target": truth}, truth)


def recordings_subject(files: Sequence[str], changes: Changes) -> Subject:
    """Files of recordings, of which nothing can be changed; who discovers says so."""
    given = {"params": changes.parameters, "vary": changes.varied, "ranges": changes.ranged}
    return Subject({"target": list(files), **given})


def _asked(target: str, truth: System | None, changes: Changes) -> dict[str, Any]:
    """What experiments are made on, and what is changed of it."""
    from odevsr.world.simulators.fmu.file import is_fmu
    from odevsr.world.simulators.sbml.file import is_sbml

    if is_sbml(target) or is_fmu(target):  # the model itself, not what its file says
        model = settings_of_model(changes.parameters, changes.varied, changes.ranged)
        return {"target": target, **model}
    if truth is None:
        return {"target": target, "ranges": ranges("--range", changes.ranged)}
    return {"target": truth}


def _recorded(target: str, run: Path) -> System | None:
    """The system that a run which is resumed was begun with."""
    from odevsr.discovery.folder import recorded_file
    from odevsr.world.studied import recorded_system

    return recorded_system(target, recorded_file(run))
