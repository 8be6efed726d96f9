"""What the heading of a column says: a name that laws can be written with, and a unit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from odevsr.errors import DataFileError
from odevsr.world.systems.checks import TIME, check_name
from odevsr.world.systems.refusals import RefusalError

DATES = frozenset({"date", "datetime", "timestamp"})
"""Headings of times that may be dates in digits alone, in any case of letters;"""
TIMES = DATES | {"time"}
"""all of the column that holds the times, beside `t`,"""
RUN = "run"
"""and of the one that says which run a sample is of, in any case too."""
_BLANK = re.compile(r"(Unnamed: \d+)?")
"""What heads the index that pandas writes, or reads again; and what follows the last separator."""
_UNITS = (
    re.compile(r"(.+?)(?:\s+|(?!\[\d+\]))\[(.*)\]"),
    re.compile(r"(.+?)(?:\s+|(?!\(\d+\)))\(((?:[^()]|\([^()]*\))*)\)"),
    re.compile(r"(t|time)\s*/\s*(.+)", re.IGNORECASE),
)
"""Brackets hold a unit, but for a number right behind a name; what time is divided by is one."""
NO_UNITS = frozenset({TIME, "1", "-", "\u2013"})
"""What stands in brackets that is none: `N(t)` is N at each time, the others are no dimension."""
_LONGEST = 200
"""Characters of a heading in which a unit is looked for."""
_SHOWN = 6
"""So many columns are named in a sentence."""
_RATE = re.compile(r"d(.+)/dt")


def read_heading(heading: str) -> tuple[str, str]:
    """The name in a heading and its unit; either may be empty.

    >>> read_heading("Time (s)"), read_heading("x [m/s]"), read_heading("N(t)"), read_heading("")
    (('t', 's'), ('x', 'm/s'), ('N', ''), ('', ''))
    """
    text, unit = _parted(heading)
    return _name(text), "" if unit in NO_UNITS else unit


def announces_dates(heading: str) -> bool:
    """Whether what stands below may be dates in digits alone.

    >>> announces_dates("Date (UTC)"), announces_dates("time")
    (True, False)
    """
    return _parted(heading)[0].lower() in DATES


def _parted(heading: str) -> tuple[str, str]:
    """What a heading calls its column, and what stands for a unit behind it."""
    text, unit = " ".join(heading.split()), ""
    for pattern in _UNITS if len(text) <= _LONGEST else ():
        if found := pattern.fullmatch(text):
            text, unit = found[1], found[2].strip()
            break
    return text.removesuffix("(t)").rstrip(), unit


def _name(text: str) -> str:
    if _BLANK.fullmatch(text):
        return ""
    if text == TIME or text.lower() in TIMES:
        return TIME
    if text.lower() == RUN:
        return RUN
    if rate := _RATE.fullmatch(text):
        return f"d{fit_name(rate[1])}"
    return fit_name(text)


def fit_name(text: str) -> str:
    """The text itself if it is a name, else the nearest that is; itself again if none comes near.

    >>> [fit_name(text) for text in ("x", "Prey count", "Temp. °C", "θ", "2nd", "exp", "?")]
    ['x', 'Prey_count', 'Temp_C', 'theta', 'x2nd', 'exp_', '?']
    """
    plain = "".join(map(_spelled, unicodedata.normalize("NFKD", text)))
    words = "_".join(re.findall(r"[A-Za-z0-9]+", plain))
    tries = (text, words, f"{words}_", f"x{words}") if words else (text,)
    return next((each for each in tries if _is_name(each)), text)


def _spelled(character: str) -> str:
    """A Greek letter as it is called; no accents; anything else as it is."""
    if unicodedata.combining(character):
        return ""
    called = unicodedata.name(character, "")
    return called.split()[-1].lower() if called.startswith("GREEK ") else character


def _is_name(text: str) -> bool:
    try:
        check_name("state", text)
    except RefusalError:
        return False
    return True


# Those of a recording


def named(headings: Sequence[str], place: str) -> tuple[list[str], list[str]]:
    """Names without their units, and the units; either may be empty."""
    if all(map(is_number, headings)):
        raise DataFileError(
            f"{place} begins with numbers; name the columns in the first line, separated as the "
            "numbers are, such as t,x,y"
        )
    read = [read_heading(heading) for heading in headings]
    seen: dict[str, str] = {}
    for heading, (name, _) in zip(headings, read, strict=True):
        if name in seen and name not in ("", TIME):
            raise DataFileError(
                f"{place} has two columns {name}{_headed(seen[name], heading)}; rename or remove "
                "one"
            )
        seen[name] = heading
    return [name for name, _ in read], [unit for _, unit in read]


def _headed(first: str, second: str) -> str:
    """How two columns of one name are headed, unless alike."""
    both = [heading.strip() for heading in (first, second)]
    return "" if both[0] == both[1] else f" ({both[0]!r} and {both[1]!r})"


def renamed(headings: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """What is said of columns that have no heading, or one that is no name."""
    pairs = [(heading.strip(), name) for heading, name in zip(headings, names, strict=True)]
    called = [
        f"{heading!r} is called {name}"
        for heading, name in pairs
        if name not in ("", TIME, RUN) and not _begins(heading, name)
    ]
    if called:
        yield few(called)
    blank = [f"column {index}" for index, (_, name) in enumerate(pairs, 1) if not name]
    if blank:
        yield f"left out for want of a heading: {few(blank)}"


def _begins(heading: str, name: str) -> bool:
    """Whether a heading is the name, but for a bracket or what it is divided by."""
    return heading.startswith(name) and heading.removeprefix(name).lstrip()[:1] in "([/"


def few(texts: Sequence[str]) -> str:
    """The first of these, with commas.

    >>> few("abc"), few("abcdefgh")
    ('a, b, c', 'a, b, c, d, e, f, ...')
    """
    return ", ".join(texts[:_SHOWN]) + (", ..." if len(texts) > _SHOWN else "")


def is_number(text: str) -> bool:
    """Whether a text is a number, with a point or a comma before its decimals."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
