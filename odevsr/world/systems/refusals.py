"""What is wrong with a system, gathered so that all of it is told at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from odevsr.errors import SystemFileError

Part = TypeVar("Part")


class RefusalError(SystemFileError):
    """What is wrong, and its place as section and key: ("state", "x0")."""

    def __init__(self, place: tuple[str, ...], sentence: str) -> None:
        super().__init__(sentence)
        self.place = place


class RefusalsError(SystemFileError):
    """All that is wrong, a sentence a line."""

    def __init__(self, refusals: Sequence[RefusalError]) -> None:
        super().__init__("\n".join(map(str, refusals)))
        self.refusals = tuple(refusals)


@dataclass
class Mistakes:
    """What is wrong, gathered part by part, so that all of it can be told at once."""

    refusals: list[RefusalError] = field(default_factory=list)

    def of(self, read: Callable[..., Part], *given: object) -> Part | None:
        """What reading or checking a part gives; None if the part is refused."""
        try:
            return read(*given)
        except RefusalError as refusal:
            self.refusals.append(refusal)
            return None

    def tell(self) -> None:
        """Raise all of it, if there is any."""
        if self.refusals:
            raise RefusalsError(self.refusals)
