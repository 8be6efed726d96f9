"""Values as JSON has them: it knows no infinity, so null stands for what is not finite.

It knows no types of ours either, so that records made of it are looked through.
"""

from __future__ import annotations

import math
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

from odevsr.errors import UsageError

Record = TypeVar("Record")


def finite(value: float) -> float | None:
    """The number if it is finite.

    >>> finite(0.5), finite(math.inf)
    (0.5, None)
    """
    return value if math.isfinite(value) else None


def number(value: float | None, absent: float) -> float:
    """A number that was written with `finite`, `absent` in place of null."""
    return absent if value is None else float(value)


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
        return isinstance(value, tuple) and _all_fit(value, parts)
    if kind is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype.kind in "fib"
    if is_dataclass(hint):
        return isinstance(value, hint) and typed(value) is value  # type: ignore[arg-type]
    if hint in (float, int):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole or (hint is float and isinstance(value, float | np.floating))
    return isinstance(value, hint)


def _all_fit(values: tuple[object, ...], hints: tuple[Any, ...]) -> bool:
    kinds = hints[:1] * len(values) if hints[-1] is Ellipsis else hints
    return len(kinds) == len(values) and all(map(_fits, values, kinds))


def whole(what: str, value: object, least: int) -> int:
    """A whole number that was given, if it is one and large enough.

    >>> whole("the seed", 3, 0)
    3
    """
    if not (isinstance(value, int | np.integer) and value >= least):
        raise UsageError(f"{what} is a whole number from {least} on, not {value!r}")
    return int(value)
