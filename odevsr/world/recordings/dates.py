"""Dates in texts, as ISO 8601 has them, or as digits alone below headings that announce dates."""

from __future__ import annotations

import re
from datetime import datetime

from odevsr.world.recordings.headings import is_number

_DIGITS = re.compile(r"((?:19|20)\d{6})(\d{4}(?:\d{2})?)?")
"""A day, and hours, minutes and seconds of it."""


def date_in(cell: str, *, announced: bool = False) -> datetime | None:
    """The date in a cell; None if it holds no date that can be told.

    A number is a date only where one is announced.

    >>> date_in("20240131"), date_in("20240131", announced=True)
    (None, datetime.datetime(2024, 1, 31, 0, 0))
    """
    text = cell.strip()
    if is_number(text) and not (announced and _DIGITS.fullmatch(text)):
        return None
    try:
        return parsed(text)
    except ValueError:
        return None


def parsed(text: str) -> datetime:
    """The date that a text is; ValueError if it is none.

    >>> str(parsed("202401311230")), str(parsed("2024-01-31T12:30"))
    ('2024-01-31 12:30:00', '2024-01-31 12:30:00')
    """
    digits = _DIGITS.fullmatch(text)
    return datetime.fromisoformat("T".join(filter(None, digits.groups())) if digits else text)
