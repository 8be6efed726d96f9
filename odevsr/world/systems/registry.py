"""Every system that can be asked for by name, and files asked for by path."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from odevsr.errors import OdevsrError, SystemFileError, UnknownSystemError, UsageError, nearest
from odevsr.world.recordings.kinds import is_recording
from odevsr.world.simulators.fmu.file import is_fmu
from odevsr.world.simulators.sbml.file import is_sbml
from odevsr.world.systems.file import name_line, read_system
from odevsr.world.systems.source import (
    Source,
    builtin_folder,
    entry_point_sources,
    folder_sources,
    value_source,
)
from odevsr.world.systems.system import System

ENVIRONMENT_VARIABLE = "ODEVSR_SYSTEMS"
AnySystem = System | str | Path
"""A system, its name, or a path to its file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of the registry: its system, or the error that says why it cannot be used."""

    name: str
    origin: str
    system: System | None
    error: OdevsrError | None


class Registry:
    """Built-in systems, folders of system files, entry points, and systems made in Python.

    A file is read when its system is asked for, and once. A name that two sources claim is refused.
    """

    def __init__(
        self, folders: Iterable[Path] = (), registered: dict[str, System] | None = None
    ) -> None:
        self._folders = tuple(dict.fromkeys(folder.expanduser().resolve() for folder in folders))
        self._registered = {} if registered is None else registered
        self._read = cache(read_system)

    def with_folders(self, folders: Iterable[Path]) -> Registry:
        """The same registry with more folders; systems registered in Python are shared."""
        return Registry((*self._folders, *folders), self._registered)

    def register(self, system: System) -> None:
        """Make a system known by its name."""
        if self._registered.get(system.name) == system:
            return
        taken = [source for source in self._own_sources() if source.name == system.name]
        if taken:
            raise SystemFileError(
                f"name {system.name!r} is already taken ({taken[0].origin}); choose another name"
            )
        self._registered[system.name] = system

    def get(self, target: str | Path) -> System:
        """The system of this name, or in this file (see `is_path`), which may be SBML."""
        if is_sbml(target):
            return _sbml_system(target)
        _check_kind(str(target))
        if is_path(target):
            return self._read(Path(target).expanduser())
        sources = self._sources()
        match sources.get(str(target), []):
            case [source]:
                return source.load()
            case [first, second, *_]:
                raise _clash(first, second)
        _check_module(str(target))
        otherwise = "`odevsr systems` lists those there are"
        raise UnknownSystemError(
            f"there is no system {target!r}; {nearest(str(target), sources, otherwise)}"
        )

    def names(self) -> tuple[str, ...]:
        """All names in alphabetical order; no file is read."""
        return tuple(sorted(self._sources()))

    def entries(self) -> tuple[Entry, ...]:
        """All names in alphabetical order, with what is wrong where something is."""
        return tuple(
            _entry(source, group[0])
            for _, group in sorted(self._sources().items())
            for source in group
        )

    def _sources(self) -> dict[str, list[Source]]:
        """Sources by name. Entry points go first in time: loading one may register systems."""
        offered = self._entry_points
        result: dict[str, list[Source]] = {}
        for source in (*self._own_sources(), *offered):
            result.setdefault(source.name, []).append(source)
        return result

    def _own_sources(self) -> list[Source]:
        builtin = builtin_folder()
        sources = list(folder_sources(builtin, "built-in", self._read))
        for folder in self._folders:
            if folder != builtin:
                sources += folder_sources(folder, str(folder), self._read)
        registered = self._registered.values()
        return sources + [value_source(system, "registered in Python") for system in registered]

    @cached_property
    def _entry_points(self) -> tuple[Source, ...]:
        return tuple(entry_point_sources(self._read))


def _sbml_system(target: str | Path) -> System:
    from odevsr.world.simulators.sbml.study import (
        sbml_system,
    )  # which launches, as systems of here are

    return sbml_system(target)


def _check_kind(target: str) -> None:
    """Refuse files that are no system, for whoever takes them for one is told what would be."""
    path, _, function = target.partition(".py:")
    if is_recording(path):
        raise UsageError(
            f"{target} is a recording, and a recording cannot be experimented on; give a system's "
            "name, its .toml file, or package.module:function, a simulator of your own"
        )
    if is_fmu(target):
        raise UsageError(
            f"{target} is an FMU, which does not tell its equations; `odevsr discover {target}` "
            "finds them"
        )
    if function or path.endswith(".py"):
        raise UsageError(
            f"{target} is a file of Python; give a simulator in it as Python would import it from "
            f"its folder: odevsr discover {Path(path).stem}:{function or _simulator_in(Path(path))}"
        )


def _check_module(target: str) -> None:
    """Refuse the name of a module beside which we are: what is studied is a function in it."""
    path = Path(f"{target}.py")
    if path.is_file():
        raise UnknownSystemError(
            f"there is no system {target!r}, but a file {path}; give a simulator in it: odevsr "
            f"discover {target}:{_simulator_in(path)}"
        )


def _simulator_in(path: Path) -> str:
    """The first function of a file that is marked (nothing in it is run), or what stands for it."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return "function"
    marked = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    return next((each.name for each in marked if each.decorator_list), "function")


def is_path(target: str | Path) -> bool:
    """True for what names a file: it ends in .toml or holds a path separator."""
    separators = {os.sep, os.altsep or os.sep, "/"}
    return (
        isinstance(target, Path)
        or target.endswith(".toml")
        or any(each in target for each in separators)
    )


@cache
def process_registry() -> Registry:
    """The one registry of this process: `register` adds to it, ODEVSR_SYSTEMS names its folders."""
    folders = os.environ.get(ENVIRONMENT_VARIABLE, "").split(os.pathsep)
    return Registry(Path(folder) for folder in folders if folder)


def register(system: AnySystem) -> None:
    """Make a system, or the one in a file, known by its name for as long as this process lives."""
    process_registry().register(get_system(system))


def get_system(target: AnySystem) -> System:
    """The registered system of this name, the one in this file, or the system itself."""
    if isinstance(target, System):
        return target
    if not isinstance(target, str | Path):
        raise UsageError(
            f"{type(target).__name__} is no system; give a System, its name or a path to its file"
        )
    return process_registry().get(target)


def systems() -> tuple[System, ...]:
    """Every usable registered system, in alphabetical order of the names."""
    entries = process_registry().entries()
    return tuple(entry.system for entry in entries if entry.system is not None)


def _entry(source: Source, first: Source) -> Entry:
    try:
        if source is not first:
            raise _clash(first, source)
        return Entry(source.name, source.origin, source.load(), None)
    except OdevsrError as error:
        return Entry(source.name, source.origin, None, error)


def _clash(first: Source, second: Source) -> SystemFileError:
    where = f"{second.path}:{name_line(second.path)}" if second.path else second.origin
    mend = "rename the file and the name in it" if second.path else "choose another name"
    return SystemFileError(
        f"{where}: name {second.name!r} is already taken ({first.origin}); {mend}"
    )
