"""Values as JSON has them: it knows no infinity, so null stands for what is not finite.

It knows no types of ours either: records are written by their fields, and read back by the types
of these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from odevsr.errors import UsageError

Record = TypeVar("Record")


def finite(value: float) -> float | None:
    """The number if it is finite.

    >>> finite(0.5), finite(math.inf)
    (0.5, None)
    """
    return value if math.isfinite(value) else None


def to_plain(value: Any) -> Any:  # noqa: ANN401
    """A record, or what stands in one, as JSON has it."""
    if is_dataclass(value):
        return {each.name: to_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    return finite(value) if isinstance(value, float) else value


def from_plain(kind: type[Record], value: object) -> Record:
    """The value of a type that `to_plain` made this of; a TypeError if it is of none.

    Fields that are missing have their defaults, those that the type lacks are passed over, and null
    is infinite where a number should be. Pairs may be written as an object.
    """
    return cast("Record", _read(kind, value))


def _read(kind: Any, value: Any) -> Any:  # noqa: ANN401
    parts = get_args(kind)
    if is_dataclass(kind):
        return value if isinstance(value, kind) else _record(kind, value)  # type: ignore[arg-type]
    if get_origin(kind) is UnionType:
        return value if _fits(value, kind) else _read(parts[0], value)
    if get_origin(kind) is tuple and isinstance(value, list | tuple | Mapping):
        rows = list(value.items() if isinstance(value, Mapping) else value)
        return tuple(map(_read, _kinds(parts, len(rows)), rows))
    if get_origin(kind) is dict and isinstance(value, dict):
        return {_read(parts[0], key): _read(parts[1], value[key]) for key in value}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if kind is float and value is None:
        return math.inf
    if not _fits(value, kind):
        raise TypeError(f"{str(value)[:100]!r} is no {getattr(kind, '__name__', kind)}")
    return float(value) if kind is float else value


def _record(kind: Any, values: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if not isinstance(values, Mapping):
        raise TypeError(f"{str(values)[:100]!r} is no {kind.__name__}")
    known = get_type_hints(kind)
    given = [each.name for each in fields(kind) if each.name in values]
    return kind(**{name: _read(known[name], values[name]) for name in given})


def typed(record: Record) -> Record:
    """The record if all its fields are of their types, however deep; else a TypeError."""
    for name, hint in get_type_hints(type(record)).items():
        if not _fits(getattr(record, name), hint):
            raise TypeError(f"{name} is {str(getattr(record, name))[:100]!r}")
    return record


def _fits(value: object, hint: Any) -> bool:  # noqa: ANN401
    kind, parts = get_origin(hint), get_args(hint)
    if kind is UnionType:
        return any(_fits(value, part) for part in parts)
    if kind is tuple:
        return isinstance(value, tuple) and all(map(_fits, value, _kinds(parts, len(value))))
    if kind is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype.kind in "fib"
    if is_dataclass(hint):
        return isinstance(value, hint) and typed(value) is value  # type: ignore[arg-type]
    if hint in (float, int):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole or (hint is float and isinstance(value, float | np.floating))
    return isinstance(value, hint)


def _kinds(parts: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    """The types of so many members of a tuple; a TypeError if it has another number of them."""
    kinds = parts[:1] * count if parts[-1] is Ellipsis else parts
    if len(kinds) != count:
        raise TypeError(f"it is {count} values and not {len(kinds)}")
    return kinds


def whole(what: str, value: object, least: int) -> int:
    """A whole number that was given, if it is one and large enough.

    >>> whole("the seed", 3, 0)
    3
    """
    if not (isinstance(value, int | np.integer) and value >= least):
        raise UsageError(f"{what} is a whole number from {least} on, not {value!r}")
    return int(value)
