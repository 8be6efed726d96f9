"""The table of a study: a CSV file, a Parquet file where pyarrow is there, and what sums it up."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from odevsr.discovery.files import write_text, written_whole
from odevsr.extras import optional_module
from odevsr.studies.rows import COLUMNS, FAILED, Row
from odevsr.vertical.equation import Status


def write_table(folder: Path, rows: Sequence[Row]) -> Path:
    """Write the rows, each file whole or not at all; the path of the CSV file."""
    path = folder / "table.csv"
    write_text(path, csv_text(rows))
    if find_spec("pyarrow") is not None:
        with written_whole(folder / "table.parquet") as aside:
            _write_parquet(aside, rows)
    return path


def csv_text(rows: Iterable[Row]) -> str:
    """The rows as CSV; what is not known is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _write_parquet(path: Path, rows: Sequence[Row]) -> None:
    pyarrow = optional_module("pyarrow", extra="parquet")
    parquet = optional_module("pyarrow.parquet", extra="parquet")
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    kinds[bool] = pyarrow.bool_()
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    columns = [[row[name] for row in rows] for name in COLUMNS]
    arrays = [pyarrow.array(each, kind) for each, kind in zip(columns, schema.types, strict=True)]
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), path)


def summary(rows: Iterable[Row]) -> list[Row]:
    """A row for each target, settings and noise: how much was found, and what an equation took."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["target"], row["settings"], row["noise"]), []).append(row)
    return [_summed(some) for some in groups.values()]


def _summed(rows: Sequence[Row]) -> Row:
    found = [row for row in rows if row["status"] != FAILED]
    judged = [row for row in found if row["exact"] is not None]
    return {
        **{key: rows[0][key] for key in ("target", "settings", "noise")},
        "discoveries": len({row["seed"] for row in rows}),
        "equations": len(found),
        "identified": sum(row["status"] == Status.IDENTIFIED.value for row in found),
        "exact": sum(bool(row["exact"]) for row in judged) if judged else None,
        "failed": len(rows) - len(found),
        "median states": _median(found, "states"),
        "median CPU s": _median(found, "cpu_s"),
    }


def _median(rows: Sequence[Row], key: str) -> float | None:
    values = [float(value) for row in rows if isinstance(value := row[key], int | float)]
    return statistics.median(values) if values else None
