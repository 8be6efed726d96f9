"""Numbers and lists in running text."""

from __future__ import annotations

from collections.abc import Sequence

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(words: Sequence[str]) -> str:
    """Words in a row.

    >>> listed(["x", "y", "z"])
    'x, y and z'
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def plural(number: int, noun: str) -> str:
    """So many of something, small numbers in words.

    >>> plural(1, "round"), plural(5, "setting"), plural(12, "term")
    ('one round', 'five settings', '12 terms')
    """
    said = _SMALL[number] if 0 <= number < len(_SMALL) else f"{number:,}"
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"


def counted(number: int, noun: str) -> str:
    """So many of something, in figures.

    >>> counted(1200, "candidate")
    '1,200 candidates'
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
