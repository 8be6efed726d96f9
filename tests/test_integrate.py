"""Any law's motion comes to an end: within its bounds, or given up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr.language.evaluate import compile_field
from odevsr.language.parse import parse
from odevsr.world.trajectories.integrate import Bounds, Problem, integrate
from odevsr.world.trajectories.trajectory import Ending
from tests.strategies import NAMES, expressions

BOUNDS = Bounds(steps=20_000)


def curve(laws, start, duration, bounds=BOUNDS, **options):
    parsed = [parse(law, list(laws)) for law in laws.values()]
    return followed(compile_field(parsed, list(laws)), start, duration, bounds, **options)


def followed(field, start, duration, bounds, **options):
    one = np.ones(len(start))
    return integrate(
        Problem(
            field=field,
            start=np.array(start, dtype=float),
            duration=duration,
            relative=1e-11,
            absolute=1e-13 * one,
            size=one,
            bounds=bounds,
            **options,
        )
    )


def end(found):
    return found.pieces[-1](found.times[-1])


def test_a_relaxation_oscillator_a_million_times_stiff_runs_over_its_jumps():
    found = curve({"x": "y", "y": "1e6*(1 - x**2)*y - x"}, [2.0, 0.0], 2e6)
    assert found.status is Ending.COMPLETE
    speeds = [abs(piece(time)[1]) for time, piece in zip(found.times, found.pieces, strict=False)]
    assert max(speeds) > 1e5  # it has jumped
    x, y = end(found)
    assert y == pytest.approx(-x / (1e6 * (x**2 - 1)), rel=1e-3)  # and is back on the slow branch


@pytest.mark.parametrize("start", [1.0, 0.0])
def test_a_law_drawn_to_a_curve_at_once_follows_the_curve(start):
    found = curve({"x": "-1e8*(x - cos(t))", "t": "1"}, [start, 0.0], 10.0)
    assert found.status is Ending.COMPLETE
    assert end(found)[0] == pytest.approx(np.cos(10.0), abs=1e-7)


@pytest.mark.parametrize(
    ("law", "time"),
    [("x**2", 1.0), ("1/(2 - x)", 0.5), ("x/abs(1 - t)**0.5 + 1/(1 - t)", 1.0)],
)
def test_what_blows_up_or_meets_a_pole_ends_there(law, time):
    found = curve({"x": law, "t": "1"}, [1.0, 0.0], 10.0)
    assert found.status is Ending.BLEW_UP
    assert found.times[-1] == pytest.approx(time, rel=1e-6)


@pytest.mark.parametrize(
    "law",
    ["exp(t)*cos(exp(t))", "cos(1/(1 - t))/(1 - t)**2", "(0.5 - t)/abs(0.5 - t) - 9*x/abs(x)"],
)
def test_steps_that_shrink_for_ever_are_given_up_after_so_many(law):
    found = curve({"x": law, "t": "1"}, [0.1, 0.0], 100.0, Bounds(steps=1_000))
    assert found.status is Ending.GIVEN_UP
    assert len(found.pieces) <= 1_000
    assert found.times[-1] < 100.0


def test_cpu_seconds_are_bounded_too():
    found = curve({"x": "-x"}, [1.0], 10.0, Bounds(seconds=0.0))
    assert (found.status, found.times) == (Ending.GIVEN_UP, [0.0])


def test_who_watches_may_end_a_curve():
    watched = []

    def watch(growing):
        watched.append(growing.times[-1])
        return Ending.DEPARTED if len(watched) == 3 else None

    found = curve({"x": "-x"}, [1.0], 10.0, watch=watch)
    assert found.status is Ending.DEPARTED
    assert found.times == [0.0, *watched]


@given(st.tuples(expressions(), expressions(), expressions()))
@settings(max_examples=40, deadline=None)
def test_every_law_ends_with_a_status_and_finite_states(laws):
    found = followed(compile_field(laws, NAMES), [0.5, -0.3, 1.2], 5.0, Bounds(steps=300))
    assert found.status in set(Ending) - {Ending.LEFT_BOX, Ending.DEPARTED}
    assert len(found.pieces) <= 300
    assert all(
        np.isfinite(piece(time)).all()
        for time, piece in zip(found.times, found.pieces, strict=False)
    )
