"""The system that a command line asks for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from odevsr.errors import UsageError

if TYPE_CHECKING:
    from odevsr.world.registry import Registry
    from odevsr.world.system import System


def registry(folders: Sequence[Path] | None) -> Registry:
    """The process's registry, with the folders given on the command line."""
    from odevsr.world.registry import process_registry

    return process_registry().with_folders(folders or ())


def chosen_system(
    target: str,
    folders: Sequence[Path] | None,
    parameters: Sequence[str] | None,
    varied: Sequence[str] | None,
) -> System:
    """The system asked for, with its parameters changed (--param) or made variables (--vary)."""
    from odevsr.world.lifted import lift

    fixed, free = overrides(parameters), ranges(varied)
    for name in fixed.keys() & free.keys():
        raise UsageError(f"{name} is both fixed (--param) and varied (--vary); leave one of them")
    return lift(registry(folders).get(target).with_parameters(fixed), free)


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


def ranges(varied: Sequence[str] | None) -> dict[str, tuple[float, float]]:
    """NAME=LOW,HIGH texts as a mapping.

    >>> ranges(["sigma=5,15"])
    {'sigma': (5.0, 15.0)}
    """
    result: dict[str, tuple[float, float]] = {}
    for text in varied or ():
        name, _, limits = text.partition("=")
        try:
            low, high = (float(limit) for limit in limits.split(","))
        except ValueError:
            raise UsageError(
                f"--vary {text!r} is not NAME=LOW,HIGH; write --vary sigma=5,15"
            ) from None
        if name.strip() in result:
            raise UsageError(f"--vary {name.strip()} is given twice; give it once")
        result[name.strip()] = (low, high)
    return result
