"""Where systems come from: built-in files, folders of files, and other packages' entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from odevsr.errors import OdevsrError, SystemFileError, UsageError
from odevsr.world.systems.system import System

ENTRY_POINT_GROUP = "odevsr.systems"
Reader = Callable[[Path], System]


@dataclass(frozen=True, slots=True)
class Source:
    """A name and how to get its system, which may fail; `path` is its file, if it has one."""

    name: str
    origin: str
    load: Callable[[], System]
    path: Path | None = None


def builtin_folder() -> Path:
    """Beside the package in a checkout and an editable install, inside it in a wheel."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "_systems", package.parent / "systems"):
        if folder.is_dir():
            return folder
    raise SystemFileError(f"the built-in systems are missing from {package}; reinstall odevsr")


def folder_sources(folder: Path, origin: str, read: Reader) -> Iterator[Source]:
    """One source a .toml file, named as the file; nothing is read yet."""
    if not folder.exists():
        raise UsageError(f"{folder}: there is no such folder; check the path")
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; give one that holds system files")
    for path in sorted(folder.glob("*.toml")):
        if not path.name.startswith("."):
            yield Source(path.stem, origin, partial(read, path), path)


def value_source(system: System, origin: str) -> Source:
    """The source of a system that is already there."""
    return Source(system.name, origin, lambda: system)


def entry_point_sources(read: Reader) -> Iterator[Source]:
    """What other installed packages offer; one that fails becomes a source that says so."""
    for point in entry_points(group=ENTRY_POINT_GROUP):
        package = point.dist.name if point.dist else "a package"
        origin = f"entry point {point.name} of {package}"
        try:
            yield from list(_offered(point.load(), origin, read))
        except Exception as error:  # the code is not ours, so anything may come out of it
            yield Source(point.name, origin, partial(_fail, point, error))


def _offered(value: object, origin: str, read: Reader) -> Iterator[Source]:
    """A System, a folder, several of them, or a function that returns any of these."""
    if isinstance(value, System):
        yield value_source(value, origin)
    elif isinstance(value, str | Path):
        yield from folder_sources(Path(value), origin, read)
    elif callable(value):
        yield from _offered(value(), origin, read)
    elif isinstance(value, Iterable):
        for each in value:
            yield from _offered(each, origin, read)
    else:
        raise TypeError(f"{type(value).__name__} is not a System, a folder, or several of them")


def _fail(point: EntryPoint, error: Exception) -> System:
    what = str(error) if isinstance(error, OdevsrError) else f"{type(error).__name__}: {error}"
    raise SystemFileError(
        f"entry point {point.name} = {point.value} gives no system ({what}); "
        "mend or remove the package that declares it"
    ) from error
