"""How a search is shown while it runs, and what it found."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from odevsr.errors import UsageError

if TYPE_CHECKING:
    from odevsr.showing.progress import Listener


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the command line asks to see."""

    as_json: bool
    explain: bool = False
    verbose: bool = False
    quiet: bool = False

    def __post_init__(self) -> None:
        if self.explain and self.as_json:
            raise UsageError("--explain is for people and --json for programs; leave one of them")
        if self.verbose and self.quiet:
            raise UsageError("--verbose tells more and --quiet nothing; leave one of them")

    def say(self, sentence: str) -> None:
        """Tell the user something beside the result."""
        from odevsr.showing.output import say

        if not self.quiet:
            say(sentence)

    def progress(self) -> AbstractContextManager[Listener]:
        """A listener for a search."""
        from odevsr.showing.progress import progress

        if self.quiet:
            return nullcontext(lambda event: None)
        return progress(rounds=self.verbose)
