"""Tables with named columns: mappings, data frames, and what xarray has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from odevsr.errors import UsageError
from odevsr.world.recordings.headings import RUN, read_heading
from odevsr.world.systems.checks import TIME

Table = Any
"""Of a library that is not imported here."""


def is_table(what: object) -> bool:
    """True for what has named columns."""
    return isinstance(what, Mapping) or hasattr(what, "columns") or hasattr(what, "to_dataframe")


def as_columns(table: Table) -> dict[str, Any]:
    """The columns of a table by their names; times and runs may be its index."""
    if hasattr(table, "to_dataframe"):
        return _xarray_columns(table)
    frame = _with_index(table) if hasattr(table, "index") else table
    names = frame if isinstance(frame, Mapping) else _names(frame)
    return {str(name): frame[name] for name in names}


def _names(frame: Table) -> Any:  # noqa: ANN401
    """The names of columns, which pyarrow has by another name."""
    return frame.column_names if hasattr(type(frame), "column_names") else frame.columns


def _with_index(frame: Table) -> Table:
    """A data frame whose times and runs are columns; an index of dates is the time."""
    is_timed = any(read_heading(str(name))[0] == TIME for name in frame.columns)
    if frame.index.name is None and frame.index.dtype.kind in "mM" and not is_timed:
        frame = frame.rename_axis(TIME)
    levels = [name for name in frame.index.names if _is_order(name) and name not in frame.columns]
    return frame.reset_index(level=levels) if levels else frame


def _is_order(name: object) -> bool:
    """Whether that is the name of the times or of the runs."""
    return read_heading(str(name))[0] in (TIME, RUN)


def _xarray_columns(data: Table) -> dict[str, Any]:
    """The columns of a Dataset, or of an array whose one other dimension names the variables."""
    if not hasattr(data, "data_vars"):
        others = [each for each in data.dims if not _is_order(each)]
        if len(others) > 1:
            raise UsageError(
                f"the array has the dimensions {', '.join(map(str, data.dims))}; give time, run "
                "and one for the variables"
            )
        data = data.to_dataset(dim=others[0]) if others else data.to_dataset(name=data.name or "x")
    units = {name: each.attrs.get("units") for name, each in data.variables.items()}
    frame = data.to_dataframe().reset_index()
    return {
        f"{name} [{units[name]}]" if units.get(name) else str(name): frame[name]
        for name in frame.columns
    }
