"""Shooting: sensitivities against differences, constants recovered, failures told."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from odevsr.fitting.shooting import Motion, Shot, apart, followed, merged, shoot
from odevsr.fitting.tape import record_tape
from odevsr.language.parse import parse

TIMES = np.linspace(0, 2, 60)
NAMES = ["x", "y"]
LAWS = ["C*x - C*x*y", "C*x*y - C*sin(y)*exp(C*y)/(x^2 + 1)"]
THETA = np.array([1.5, 1.1, 0.9, 1.3, -0.2])


def tape_of(*laws):
    return record_tape([parse(law, NAMES, open_symbols=True) for law in laws], NAMES)


def motion_of(samples, bounds=(0, 60), weight=1.0, tolerance=1e-12):
    count, size = samples.shape
    return Motion(
        TIMES, samples, np.full((count, size), weight), np.zeros((count, 0, 3)),
        np.array(bounds), np.ones(size), tolerance,
    )  # fmt: skip


def test_the_motion_is_that_of_another_solver():
    motion = motion_of(np.zeros((60, 2)))
    path = followed(
        tape_of("C*x - C*x*y", "C*x*y - C*y"), motion, THETA[:4], np.array([[1.0, 0.5]])
    ).path
    a, b, c, d = THETA[:4]
    solved = solve_ivp(
        lambda _t, s: [a * s[0] - b * s[0] * s[1], c * s[0] * s[1] - d * s[1]],
        (0, 2), [1.0, 0.5], t_eval=TIMES, rtol=1e-12, atol=1e-12,
    )  # fmt: skip
    assert np.allclose(path, solved.y.T, atol=1e-9)


def test_steps_that_go_over_samples_miss_none_of_the_motion():
    laws, start = tape_of(*LAWS), np.array([[1.0, 0.5]])
    exact, rough = (
        shoot(laws, motion_of(np.ones((60, 2)), tolerance=each), THETA, start, most=0)
        for each in (1e-12, 1e-5)
    )
    assert np.allclose(rough.path, exact.path, atol=1e-3)
    assert np.allclose(rough.gradient, exact.gradient, rtol=1e-3)
    assert rough.path.tolist() != exact.path.tolist()


@pytest.mark.parametrize("bounds", [(0, 60), (0, 25, 60)])
def test_the_gradient_is_that_of_differences(bounds):
    tape, motion = tape_of(*LAWS), motion_of(np.ones((60, 2)), bounds)
    starts = np.tile([1.0, 0.5], (len(bounds) - 1, 1))
    gradient = shoot(tape, motion, THETA, starts, most=0).gradient
    unknowns = np.concatenate([THETA, starts.ravel()])

    def half_chi2(values):
        return followed(tape, motion, values[:5], values[5:].reshape(starts.shape)).chi2 / 2

    step = 1e-6 * np.eye(len(unknowns))
    differences = [(half_chi2(unknowns + h) - half_chi2(unknowns - h)) / 2e-6 for h in step]
    assert np.allclose(gradient, differences, rtol=1e-5, atol=1e-6)


def test_constants_come_back_with_honest_errors():
    tape = tape_of("C*x - C*x*y", "C*x*y - C*y")
    truth, start = THETA[:4], np.array([[1.0, 0.5]])
    path = followed(tape, motion_of(np.zeros((60, 2))), truth, start).path
    off = []
    for seed in range(8):
        noise = 0.02 * np.random.default_rng(seed).standard_normal(path.shape)
        motion = motion_of(path + noise, weight=50.0, tolerance=1e-7)
        shot = shoot(tape, motion, 1.2 * truth, start)
        off.append((shot.theta - truth) / shot.errors)
        assert shot.chi2 < 2 * motion.count
    assert 0.5 < np.sqrt(np.mean(np.square(off))) < 1.8


def test_constants_of_which_only_the_sum_is_known_have_huge_errors():
    tape, start = tape_of("C*x + C*x", "C*y + C*0*x"), np.array([[1.0, 0.5]])
    truth, near = np.array([-0.4, -0.3, -0.2, 1.0]), np.array([-0.5, -0.2, -0.2, 1.0])
    path = followed(tape, motion_of(np.zeros((60, 2))), truth, start).path
    errors = shoot(tape, motion_of(path, weight=1e6), near, start).errors
    assert np.isfinite(errors).all()
    assert (errors[[0, 1, 3]] > 1e3 * errors[2]).all()


def test_what_blows_up_cannot_be_followed():
    motion = motion_of(np.zeros((60, 2)))
    assert followed(tape_of("C*x^2", "y"), motion, np.array([9.0]), np.ones((1, 2))).chi2 == np.inf


def test_inputs_move_a_state_between_samples():
    inputs = np.stack([np.sin(TIMES), np.cos(TIMES), -np.sin(TIMES)], axis=1)[:, None, :]
    samples = np.zeros((60, 1))
    motion = Motion(TIMES, samples, samples, inputs, np.array([0, 60]), np.ones(1), 1e-11)
    path = followed(tape_of("y"), motion, np.empty(0), np.zeros((1, 1))).path
    assert np.allclose(path[:, 0], 1 - np.cos(TIMES), atol=1e-8)


def test_segments_share_all_samples():
    motion = merged(motion_of(np.zeros((60, 2))), np.array([0, 20, 60]), 2)
    assert motion.bounds.tolist() == [0, 10, 20, 40, 60]


def fitted(theta, information):
    """A fit of constants of which so much is known, beside a start that hangs on none of them."""
    normal = np.zeros((len(theta) + 1, len(theta) + 1))
    normal[:-1, :-1], normal[-1, -1] = information, 1.0
    return Shot(np.array(theta), np.zeros((1, 1)), 0.0, normal, np.zeros(1), np.zeros((1, 1)))


def test_two_fits_are_apart_by_their_difference_over_the_sum_of_their_variances():
    one, other = fitted([1.0, 2.0], np.diag([4.0, 1.0])), fitted([2.0, 2.0], np.diag([1.0, 9.0]))
    assert apart(one, other) == pytest.approx(1 / (1 / 4 + 1 / 1))


@pytest.mark.parametrize(
    ("information", "worse"),
    [
        (np.diag([1e18, 1e-4]), 0.5e6),
        (np.diag([1e18, 0.0]), 0.5e6),
        (np.array([[1e18, 1e18], [1e18, 1e18]]), 0.5e6),
    ],
)
def test_constants_that_are_well_known_count_beside_such_as_are_not(information, worse):
    off = 1000 * 1e-9
    one, other = fitted([1.0, 1.0], information), fitted([1.0 + off, 1.0], information)
    assert apart(one, other) == pytest.approx(worse, rel=1e-3)
