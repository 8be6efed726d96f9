import numpy as np
import pytest

from odevsr.bench.rough.battery import battery
from odevsr.bench.rough.case import KINDS, NO_LAW, NOT_SMOOTH, SMOOTH
from odevsr.bench.rough.motion import motion_of
from odevsr.language.evaluate import compile_field
from odevsr.world.experiments.mesh import random_states
from odevsr.world.simulators.simulator import import_simulator
from odevsr.world.studied import study

CASES = battery()
WITH_LAWS = [name for name, case in CASES.items() if case.laws]


def drawn(case, count=20):
    return random_states(case.box, count, np.random.default_rng(1))


def called(function, case, states, step):
    own = states[:, : len(case.ranges)]
    inputs = dict(zip(case.inputs, states[:, len(case.ranges) :].T, strict=True))
    return np.asarray(function(own, np.full(len(states), step), **inputs))


def slopes(motion, states, step):
    there, back = (motion(states, np.full(len(states), h)) for h in (step, -step))
    return (there - back) / (2 * step)


def test_the_battery_is_large_and_holds_every_kind():
    assert len(CASES) >= 60
    assert {case.kind for case in CASES.values()} == set(KINDS)
    assert all(name.isidentifier() and case.says for name, case in CASES.items())


@pytest.mark.parametrize("name", CASES)
def test_every_simulator_returns_a_state_for_each_it_is_given(name):
    case = CASES[name]
    function, states = case.simulator(), drawn(case)
    works = [i for i in range(len(states)) if answers(function, case, states[i : i + 1])]
    assert works
    ends = called(function, case, states[works], 1e-3)
    assert ends.shape == (len(works), len(case.ranges))
    assert np.isfinite(ends).any()


def answers(function, case, states):
    try:
        called(function, case, states, 1e-3)
    except ArithmeticError:
        return False
    return True


@pytest.mark.parametrize("name", WITH_LAWS)
def test_every_declared_law_is_that_of_the_motion_before_anything_is_done_to_it(name):
    case = CASES[name]
    assert list(case.laws) == list(case.ranges)
    states, step = drawn(case), 1e-5 if name.startswith("smooth_fast") else 1e-3
    moved = slopes(motion_of(case.laws, case.inputs), states, step)
    laws = [case.truth(variable) for variable in case.ranges]
    field = compile_field(laws, case.names)(states)
    size = np.sqrt(np.mean(field**2, axis=0)) + 1e-300
    assert np.all(np.abs(moved - field) <= 1e-3 * size)


@pytest.mark.parametrize("name", [n for n, c in CASES.items() if c.kind == NOT_SMOOTH])
def test_simulators_of_laws_with_kinks_follow_their_rates(name):
    case = CASES[name]
    states = drawn(case, 200)
    moved = called(case.simulator(), case, states, 1e-9) - states
    gaps = np.abs(moved / 1e-9 - case.rate(states))
    assert np.mean(gaps <= 1e-3) > 0.95


def test_a_simulator_without_a_law_declares_none():
    lawless = [case for case in CASES.values() if case.kind == NO_LAW]
    assert lawless
    assert not any(case.laws or case.rate or case.expected for case in lawless)


def test_the_same_seed_gives_the_same_noise_and_another_gives_other():
    case = CASES["added_prey_1e_3"]
    states = drawn(case)
    first, again = (called(case.simulator(7), case, states, 0.1) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert np.all(first != called(case.simulator(8), case, states, 0.1))


@pytest.mark.parametrize("name", ["drift_per_call", "hysteresis", "hidden_kept", "waves"])
def test_what_a_simulator_remembers_changes_it_and_begins_anew_with_it(name):
    case = CASES[name]
    states = drawn(case)
    function = case.simulator()
    first = called(function, case, states, 0.1)
    assert np.any(called(function, case, states[::-1].copy(), 0.1)[::-1] != first)
    np.testing.assert_array_equal(called(case.simulator(), case, states, 0.1), first)


def test_each_simulator_can_be_named_to_be_studied():
    reference = "odevsr.bench.rough.simulators:smooth_reactor"
    assert import_simulator(reference).variables == CASES["smooth_reactor"].ranges
    assert study(reference).names == ("X", "S", "D")


def test_smooth_simulators_are_expected_to_be_identified():
    assert all(case.expected and case.laws for case in CASES.values() if case.kind == SMOOTH)
