"""What to show when no law was found: the polynomial that comes nearest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from odevsr.evidence.law import FittedNumber, Law, deviation_of
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Apply, Number, Op
from odevsr.language.monomials import monomials
from odevsr.language.normal import normal_form
from odevsr.world.sample import Sample

DEGREES = (4, 3, 2, 1)


def best_polynomial(names: Sequence[str], sample: Sample) -> Law:
    """The polynomial of the highest degree that the data determine well, up to degree 4."""
    for degree in DEGREES:
        features = monomials(names, degree)
        if 3 * len(features) <= len(sample.values) or degree == DEGREES[-1]:
            break
    columns = compile_field(features, names)(sample.states)
    scale = np.linalg.norm(columns, axis=0)
    scale[scale == 0] = 1.0
    coefficients = np.linalg.lstsq(columns / scale, sample.values, rcond=1e-12)[0] / scale
    pieces = tuple(
        Apply(Op.MUL, (Number(float(c)), feature))
        for c, feature in zip(coefficients, features, strict=True)
    )
    law = normal_form(Apply(Op.ADD, (*pieces, Number(0))))
    constants = tuple(FittedNumber(float(c), float("inf")) for c in coefficients)
    return Law(law, constants, deviation_of(law, names, sample))
