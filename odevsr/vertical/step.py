"""Steps towards a law: it is found, more must be spent, or what was tried is refuted."""

from __future__ import annotations

from enum import Enum
from typing import TypeGuard

from odevsr.language.expression import Expression


class Outcome(Enum):
    """What a step came to that found no law."""

    SPENT = "more has to be spent"
    REFUTED = "a law was found, and the data refute it"


Step = Expression | Outcome


def is_law(step: Step) -> TypeGuard[Expression]:
    """True if the step found a law."""
    return not isinstance(step, Outcome)
