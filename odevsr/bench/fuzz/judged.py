"""One case: a file that is changed at random, and how whoever reads it takes that."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import extract_tb

import numpy as np

from odevsr.bench.fuzz.surfaces import SURFACES, Examples
from odevsr.errors import OdevsrError


class Outcome(Enum):
    """How a reader takes a file, in words."""

    READ = "read"
    REFUSED = "refused"
    RAW = "raw error"
    STEERING = "control character"
    OUTSIDE = "written outside"
    HANGING = "hangs"
    CRASHED = "crashes"

    @property
    def is_allowed(self) -> bool:
        """Whether nothing but a file, or a sentence about it, came of it."""
        return self in (Outcome.READ, Outcome.REFUSED)


@dataclass(frozen=True)
class FuzzCase:
    """A case by its number, which with the seed decides it, and what came of it."""

    surface: str
    number: int
    outcome: Outcome
    detail: str = ""


def judged(surface: str, number: int, seed: int, examples: Examples) -> FuzzCase:
    """Make the case, read it, and judge what comes of that."""
    rng = np.random.default_rng([seed, list(SURFACES).index(surface), number])
    with TemporaryDirectory(dir=examples.folder) as scratch, redirect_stdout(io.StringIO()) as said:
        before = _listed(examples.folder)
        try:
            SURFACES[surface](examples, Path(scratch), rng)
        except OdevsrError as error:
            outcome, detail = Outcome.REFUSED, str(error)
        except Exception as error:  # whatever it is, it should have been one of ours
            place = extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
            return FuzzCase(surface, number, Outcome.RAW, what)
        else:
            outcome, detail = Outcome.READ, said.getvalue()
        if any(not (each.isprintable() or each in "\n\t") for each in detail):
            return FuzzCase(surface, number, Outcome.STEERING, repr(detail))
        if _listed(examples.folder) - before - _GOOD:
            return FuzzCase(surface, number, Outcome.OUTSIDE)
    return FuzzCase(surface, number, outcome, detail)


_GOOD = {"good.h5", "good.csv", "good_run"}
"""Examples, which are made when they are first asked for."""


def _listed(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}
