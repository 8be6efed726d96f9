"""Commas in the numbers of a text: whether they stand before decimals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from odevsr.errors import DataFileError

_COMMA = re.compile(r"\d,\d")
_POINT = re.compile(r"\d\.\d")
_EITHER = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
"""What may be a whole number of thousands or one with three decimals; 0,125 has decimals."""


def has_commas(rows: Sequence[Sequence[str]], place: str, lines: Sequence[int]) -> bool:
    """Whether commas stand before decimals; where points do, too, they separate thousands.

    >>> has_commas([["0,125", "1,250"]], "runs.tsv", [2]), has_commas([["1,002.5"]], "", [2])
    (True, False)
    """
    numbers = "\n".join(cell for row in rows for cell in row)
    if not _COMMA.search(numbers) or _POINT.search(numbers):
        return False
    found = [
        (cell.strip(), line)
        for row, line in zip(rows, lines, strict=True)
        for cell in row
        if "," in cell
    ]
    if all(_EITHER.fullmatch(cell) for cell, _ in found):
        cell, line = found[0]
        raise DataFileError(
            f"{place}:{line}: nothing tells whether the comma in {cell!r} stands before decimals "
            f"or separates thousands; write {cell.replace(',', '.')} or {cell.replace(',', '')}"
        )
    return True
