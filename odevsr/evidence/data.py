"""What laws are held to: measurements, of which variables, and what counts as agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.evidence.agreement import ESTIMATED, LARGEST, Agreement, deviation
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.world.sample import Sample


@dataclass(frozen=True, eq=False)
class Data:
    """Measurements (N,) at states of the variables `names`."""

    names: Sequence[str]
    sample: Sample
    agreement: Agreement = ESTIMATED

    def __len__(self) -> int:
        return len(self.sample.values)

    def values(self, functions: Sequence[Expression]) -> FloatArray:
        """What functions are at the states (N, m)."""
        if not functions:
            return np.empty((len(self), 0))
        return compile_field(functions, self.names)(self.sample.states)

    def columns(self, functions: Sequence[Expression]) -> FloatArray:
        """The same in units of the errors."""
        columns: FloatArray = self.values(functions) / self.sample.honest_errors[:, None]
        return columns

    def residuals_of(self, predicted: FloatArray) -> FloatArray:
        """Residuals (N,) in units of the errors; a large number where there is no value."""
        sample = self.sample
        with np.errstate(over="ignore", invalid="ignore"):
            residual = (predicted - sample.values) / sample.honest_errors
        return np.clip(np.nan_to_num(residual, nan=LARGEST), -LARGEST, LARGEST)

    def residuals(self, law: Expression) -> FloatArray:
        """Those of a law."""
        return self.residuals_of(self.values([law])[:, 0])

    def deviation(self, law: Expression) -> float:
        """How far a law is from the data; inf if it lacks a value anywhere in them."""
        return float(deviation(self.residuals(law)))

    def explained(self, deviation: float) -> bool:
        """True if a law of this deviation explains the data, of which there must be some."""
        return bool(len(self)) and self.agreement.explains(deviation, len(self))
