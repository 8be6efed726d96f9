"""What a command line studies: a target, a program, a formula or recordings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odevsr.cli.chosen import chosen_formula, chosen_target, only, ranges, settings_of_model
from odevsr.errors import UsageError
from odevsr.world.recordings.kinds import is_recording

if TYPE_CHECKING:
    from odevsr.world.systems.system import System


@dataclass(frozen=True)
class Changes:
    """What is changed of a target, as the command line has it."""

    folders: Sequence[Path] | None
    parameters: Sequence[str] | None
    varied: Sequence[str] | None
    ranged: Sequence[str] | None
    resumed: Path | None = None
    """The run that goes on, which knows what its target was."""
    timeout: float = 0.0
    """Seconds that a program may take for each state."""

    def __bool__(self) -> bool:
        return bool(self.folders or self.parameters or self.varied or self.ranged)


@dataclass(frozen=True)
class Subject:
    """What is studied: `asked` are arguments of `odevsr.discover`, `truth` its laws if known."""

    asked: dict[str, Any]
    truth: System | None = None


def chosen_subject(
    targets: Sequence[str],
    program: str | None,
    formula: str | None,
    scale: str | None,
    changes: Changes,
) -> Subject:
    """What the command line asks to study."""
    if sum(given is not None for given in (targets or None, program, formula)) != 1:
        raise UsageError("one thing is studied: a TARGET, a --command or a --formula; give one")
    if scale is not None and formula is None:
        raise UsageError("--scale is that of a --formula; write --range NAME=LOW,HIGH,log instead")
    if program is not None:
        return _command_subject(program, changes)
    if formula is not None:
        return _formula_subject(formula, scale or "", changes)
    if all(map(is_recording, targets)):
        return _recordings_subject(targets, changes)
    return _target_subject(only(targets), changes)


def _target_subject(target: str, changes: Changes) -> Subject:
    """A system, as changed or as the run that is resumed has it; a model; a simulator."""
    resumed = changes.resumed
    truth = None if resumed is None or changes else _recorded(target, resumed)
    fixed = changes.folders, changes.parameters, changes.varied, changes.ranged
    truth = truth or chosen_target(target, *fixed)
    return Subject(_asked(target, truth, changes), truth)


def _command_subject(program: str, changes: Changes) -> Subject:
    """A program, with the names and ranges given of its variables and inputs, if any are."""
    from odevsr.world.simulators.command import command

    if changes.folders or changes.parameters:
        raise UsageError("a program has no --param or --systems; leave them")
    known, inputs = ranges("--range", changes.ranged), ranges("--vary", changes.varied)
    return Subject({"target": command(program, inputs=inputs, timeout=changes.timeout, **known)})


def _formula_subject(formula: str, scale: str, changes: Changes) -> Subject:
    """A formula, whose variables are those of --range."""
    if changes.folders or changes.parameters or changes.varied:
        raise UsageError("a formula has no --param, --vary or --systems; leave them")
    truth = chosen_formula(formula, changes.ranged, scale)
    return Subject({"target": truth}, truth)


def _recordings_subject(files: Sequence[str], changes: Changes) -> Subject:
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
    from odevsr.discovery.folder import header_if_begun
    from odevsr.world.studied import recorded_system

    return recorded_system(target, header_if_begun(run).get("system_file", ""))
