"""What it took, and the command that makes it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from odevsr.discovery.folder import run_header
from odevsr.discovery.result import Discovery
from odevsr.errors import OdevsrError
from odevsr.settings import Settings, preset
from odevsr.world.recordings.kinds import is_recording
from odevsr.world.systems.registry import process_registry

_OPTIONS = {
    "proposers": "--proposers", "expansion": "--expansion", "sampling": "--sampling",
    "difference": "--difference", "noise": "--noise", "most_seconds": "--budget",
    "most_states": "--max-states", "max_launches": "--max-launches",
}  # fmt: skip


def command(found: Discovery) -> tuple[str, str]:
    """The command line that makes the run again, and what it needs beside it."""
    target, needs = _target(found)
    targets = list(_recordings(found)) if found.recorded else [target]
    words = ["odevsr", "discover", *targets, "--seed", str(found.seed), *_options(found)]
    laws = [each.variable for each in found.equations]
    if laws and not found.interrupted and set(laws) != set(_components(found)):
        words += ["--components", ",".join(laws)]
    return shlex.join(words), needs


def _recordings(found: Discovery) -> Iterator[str]:
    """The files of recordings, and what was said of them."""
    files = found.target.split(", ")
    yield from files if all(map(is_recording, files)) else [found.target]
    asked = {} if found.folder is None else run_header(found.folder).get("asked", {})
    if asked.get("inputs"):
        yield from ("--inputs", ",".join(asked["inputs"]))
    if asked.get("hold_out"):
        yield from ("--hold-out", str(asked["hold_out"]))


def _target(found: Discovery) -> tuple[str, str]:
    if found.recorded:
        return found.target, "The recordings belong to this command."
    if not found.system_file:
        return found.target, "The target is a simulator, which belongs to this command."
    try:
        known = process_registry().get(found.target)
    except OdevsrError:
        known = None
    if known is not None and known.text.strip() == found.system_file.strip():
        return found.target, ""
    return f"./{found.target}.toml", f"Save the system file below as {found.target}.toml first."


def _components(found: Discovery) -> tuple[str, ...]:
    from odevsr.world.systems.file import parse_system

    if not found.system_file:
        return tuple(each.variable for each in found.equations)
    return parse_system(found.system_file, found.target).components


def _options(found: Discovery) -> Iterator[str]:
    """Settings that are not those of the preset they are nearest to."""
    asked = found.settings
    bases = {name: preset(name, operators=asked.operators) for name in ("fast", "paper")}
    name = min(bases, key=lambda each: _differing(asked, bases[each]))
    if name != "fast":
        yield from ("--preset", name)
    for field, option in _OPTIONS.items():
        value = getattr(asked, field)
        if value != getattr(bases[name], field) and value is not None:
            words = ",".join(value) if isinstance(value, list | tuple) else f"{value}"
            yield from (option, words)
    if asked.decide:
        yield "--decide"


def _differing(one: Settings, other: Settings) -> int:
    return sum(value != getattr(other, name) for name, value in vars(one).items())
