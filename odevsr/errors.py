"""Every error odevsr raises on purpose: one sentence says what is wrong, where, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class OdevsrError(Exception):
    """Base of all errors meant for people; `exit_code` is what the command line returns."""

    exit_code = 3

    def __str__(self) -> str:
        return visible(super().__str__())


class UsageError(OdevsrError):
    """The command or call was worded wrongly."""

    exit_code = 2


class UnknownSystemError(UsageError):
    """No registered system has this name."""


class MissingExtraError(UsageError):
    """A feature needs an optional dependency that is not installed."""


class ExpressionError(OdevsrError):
    """A text is not an expression of our language."""


class SystemFileError(OdevsrError):
    """A system file, a study's file, or a System made in Python, cannot be accepted."""


class SimulationError(OdevsrError):
    """A simulator raised, hung, or returned something that is not a state."""


class LostProcessError(SimulationError):
    """A process was ended by a signal; what it did may be tried again."""


class DataFileError(OdevsrError):
    """A data file is truncated, foreign, or of a version this odevsr cannot read."""


class TornFileWarning(UserWarning):
    """A file holds less than was to be written to it: the last writing was cut short."""

    def __str__(self) -> str:
        return visible(super().__str__())


class RunError(OdevsrError):
    """A run folder is incomplete, foreign, or of another version."""


def visible(text: str) -> str:
    r"""The text with control characters escaped: a file's words must not steer a terminal.

    >>> visible("no \x1b[31msystem")
    'no \\x1b[31msystem'
    """
    return "".join(
        each if each.isprintable() or each in "\n\t" else repr(each)[1:-1] for each in text
    )


def nearest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """How a sentence about an unknown name ends: with the nearest known one, else with all known.

    >>> nearest("lorentz", ["lorenz", "mhd"])
    'did you mean lorenz?'
    """
    choices = list(known)
    close = difflib.get_close_matches(name[:100], choices, n=1)
    if close:
        return f"did you mean {close[0]}?"
    if otherwise:
        return otherwise
    return "known: " + ", ".join(choices) if choices else "there are none"
