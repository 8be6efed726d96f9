"""All cases by name."""

from __future__ import annotations

from functools import cache

from odevsr.bench.rough.case import RoughCase
from odevsr.bench.rough.engines import engine_cases
from odevsr.bench.rough.forgetful import lawless_cases
from odevsr.bench.rough.glitches import glitch_cases
from odevsr.bench.rough.kinked import kinked_cases
from odevsr.bench.rough.limits import corner_cases, rounding_cases
from odevsr.bench.rough.noisy import noisy_cases
from odevsr.bench.rough.smooth import smooth_cases
from odevsr.bench.rough.stepping import stepping_cases
from odevsr.bench.rough.weak import weak_cases


@cache
def battery() -> dict[str, RoughCase]:
    """Every case, the cheap kinds first."""
    cases = (
        *smooth_cases(),
        *noisy_cases(),
        *stepping_cases(),
        *engine_cases(),
        *rounding_cases(),
        *corner_cases(),
        *glitch_cases(),
        *kinked_cases(),
        *lawless_cases(),
        *weak_cases(),
    )
    return {case.name: case for case in cases}
