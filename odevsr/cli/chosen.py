"""The system that a command line asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odevsr.errors import UsageError

if TYPE_CHECKING:
    from odevsr.world.ranges import Ranges
    from odevsr.world.systems.registry import Registry
    from odevsr.world.systems.system import System


def registry(folders: Sequence[Path] | None) -> Registry:
    """The process's registry, with the folders given on the command line."""
    from odevsr.world.systems.registry import process_registry

    return process_registry().with_folders(folders or ())


def only(targets: Sequence[str]) -> str:
    """The one target that is not a recording, of which there may be several."""
    from odevsr.world.recordings.kinds import is_recording

    if len(targets) > 1:
        other = next(each for each in targets if not is_recording(each))
        raise UsageError(
            f"{other} is no recording, and only recordings are taken several at once; leave it, or "
            "leave the others"
        )
    return targets[0]


def chosen_system(
    target: str,
    folders: Sequence[Path] | None,
    parameters: Sequence[str] | None,
    varied: Sequence[str] | None,
    ranged: Sequence[str] | None = None,
) -> System:
    """The system asked for, with its parameters changed (--param) or made variables (--vary).

    Its variables may have other ranges (--range).
    """
    from odevsr.world.simulators.lifted import lift, with_ranges

    fixed, free = overrides(parameters), ranges("--vary", varied)
    _check_apart(fixed, free)
    system = lift(registry(folders).get(target).with_parameters(fixed), free)
    return with_ranges(system, ranges("--range", ranged))


def chosen_target(
    target: str,
    folders: Sequence[Path] | None,
    parameters: Sequence[str] | None,
    varied: Sequence[str] | None,
    ranged: Sequence[str] | None = None,
) -> System | None:
    """The system asked for; None of a simulator or an FMU, whose laws nobody knows.

    Nor are those of a model in SBML known here that our language has no words for.
    """
    from odevsr.world.simulators.fmu.file import is_fmu
    from odevsr.world.simulators.sbml.file import is_sbml
    from odevsr.world.studied import is_reference

    if is_fmu(target):
        return None
    if is_sbml(target):
        return _sbml_truth(target, parameters, varied, ranged)
    if not is_reference(target):
        return chosen_system(target, folders, parameters, varied, ranged)
    if parameters or varied or folders:
        raise UsageError("a simulator of your own has no --param, --vary or --systems; leave them")
    return None


def chosen_formula(text: str, ranged: Sequence[str] | None, scale: str) -> System:
    """A formula whose variables are those of --range."""
    from odevsr.world.simulators.algebraic import formula

    return formula(text, ranges("--range", ranged), scale=scale)


def _sbml_truth(
    target: str,
    parameters: Sequence[str] | None,
    varied: Sequence[str] | None,
    ranged: Sequence[str] | None,
) -> System | None:
    """What a model's file says its laws are, for who judges what was found."""
    from odevsr.world.simulators.sbml.study import open_model

    return open_model(target, **settings_of_model(parameters, varied, ranged)).truth()


def settings_of_model(
    parameters: Sequence[str] | None,
    varied: Sequence[str] | None,
    ranged: Sequence[str] | None = None,
) -> dict[str, Any]:
    """What is asked of a model in SBML or an FMU: its `params`, `vary` and `ranges`."""
    fixed, free = overrides(parameters), ranges("--vary", varied)
    _check_apart(fixed, free)
    return {"params": fixed, "vary": free, "ranges": ranges("--range", ranged)}


def _check_apart(fixed: Mapping[str, str], free: Ranges) -> None:
    for name in fixed.keys() & free.keys():
        raise UsageError(f"{name} is both fixed (--param) and varied (--vary); leave one of them")


def listed(option: str, text: str | None) -> list[str] | None:
    """What an option lists, separated by commas; None if it is not given.

    >>> listed("--components", "x0,x2")
    ['x0', 'x2']
    """
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UsageError(
            f"{option} {text!r} lacks a name; write names with commas, or leave it out"
        )
    return names


def overrides(parameters: Sequence[str] | None) -> dict[str, str]:
    """NAME=VALUE texts as a mapping.

    >>> overrides(["sigma=10", "beta=8/3"])
    {'sigma': '10', 'beta': '8/3'}
    """
    result: dict[str, str] = {}
    for text in parameters or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--param {text!r} is not NAME=VALUE; write --param sigma=10")
        if name.strip() in result:
            raise UsageError(f"--param {name.strip()} is given twice; give it once")
        result[name.strip()] = value.strip()
    return result


def ranges(option: str, texts: Sequence[str] | None) -> Ranges:
    """NAME=LOW,HIGH or NAME=LOW,HIGH,SCALE texts as a mapping.

    >>> ranges("--vary", ["sigma=5,15,log"])
    {'sigma': Range(low=5.0, high=15.0, scale='log', domain=None)}
    """
    from odevsr.world.ranges import Range, checked_range

    result: Ranges = {}
    for text in texts or ():
        name, _, limits = text.partition("=")
        low, high, scale, *more = (*limits.split(","), "", "", "")
        try:
            found = Range(float(low), float(high), scale.strip())
        except ValueError:
            more = ["what is no number"]
        if any(more):
            raise UsageError(
                f"{option} {text!r} is not NAME=LOW,HIGH or NAME=LOW,HIGH,log; "
                f"write {option} sigma=5,15"
            )
        if name.strip() in result:
            raise UsageError(f"{option} {name.strip()} is given twice; give it once")
        result[name.strip()] = checked_range(name.strip(), found)
    return result
