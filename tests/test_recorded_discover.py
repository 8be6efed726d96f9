"""Laws from recordings, end to end."""

from dataclasses import replace

import numpy as np
import pytest
from noisy_runs import law, lorenz_laws, lorenz_paths
from scipy.integrate import solve_ivp

from odevsr.errors import DataFileError, UsageError
from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse
from odevsr.recorded.choosing.sweeps import Choice
from odevsr.recorded.discover import HoldOut, discover_recordings, divided
from odevsr.recorded.judging.left_out import left_out
from odevsr.recorded.judging.notes import UNFINISHED
from odevsr.recorded.judging.status import is_powerful, is_told
from odevsr.recorded.motions.systems import FittedLaw, fit_system
from odevsr.recorded.proposing.atoms import FACTORS, fixed_atoms, open_atoms
from odevsr.recorded.smoothing import smooth_paths
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Status
from odevsr.world.box import plain_box
from odevsr.world.recordings.runs import Recordings, Run


def recorded(rate, starts, duration, noise=0.0, count=200):
    """Runs of a system, as someone might have measured them."""
    rng = np.random.default_rng(0)
    times = np.linspace(0, duration, count)
    runs = []
    for number, start in enumerate(starts):
        solved = solve_ivp(rate, (0, duration), start, t_eval=times, rtol=1e-11, atol=1e-12)
        states = solved.y.T * (1 + noise * rng.standard_normal(solved.y.T.shape))
        runs.append(Run(str(number), times, states, np.empty((count, 0))))
    names = tuple(f"x{k}" for k in range(len(starts[0])))
    return Recordings(names, tuple(runs))


def prey_and_predator(_time, state):
    x, y = state
    return [x * (1.8 - 1.4 * y), y * (1.6 * x - 3.0)]


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_prey_and_predator_are_identified_from_two_runs(noise):
    recordings = recorded(prey_and_predator, [[2.0, 1.0], [3.0, 2.0]], 6.0, noise)
    found = discover_recordings(recordings)
    truths = ("1.8*x0 - 1.4*x0*x1", "1.6*x0*x1 - 3.0*x1")
    box = plain_box([[0, 5], [0, 5]])
    for equation, truth in zip(found.equations, truths, strict=True):
        assert is_equivalent(equation.expression, parse(truth, found.names), found.names, box, 0.05)
        assert equation.status is Status.IDENTIFIED


@pytest.mark.parametrize("decimals", [3, 5])
def test_samples_of_few_decimals_are_enough(decimals):
    exact = recorded(prey_and_predator, [[2.0, 1.0]], 6.0, count=300)
    runs = tuple(replace(run, states=np.round(run.states, decimals)) for run in exact.runs)
    found = discover_recordings(replace(exact, runs=runs))
    truths = ("1.8*x0 - 1.4*x0*x1", "1.6*x0*x1 - 3.0*x1")
    box = plain_box([[0, 5], [0, 5]])
    for equation, truth in zip(found.equations, truths, strict=True):
        assert is_equivalent(equation.expression, parse(truth, found.names), found.names, box, 0.01)
        assert equation.status is Status.IDENTIFIED


def test_notes_bound_what_noise_could_hide():
    recordings = recorded(lambda _t, x: [0.5 - 2 * x[0]], [[4.0]], 5.0, 0.02)
    (note,) = discover_recordings(recordings).notes
    assert note.startswith("coefficients that dx0/dt could have unseen: up to ")
    assert "for x0**2" in note


def test_a_saturation_is_found_in_a_clean_run():
    recordings = recorded(lambda _t, x: [0.5 - 2 * x[0] / (x[0] + 0.7)], [[4.0]], 5.0)
    equation = discover_recordings(recordings).equations[0]
    box = plain_box([[0.2, 4]])
    truth = parse("0.5 - 2*x0/(x0 + 0.7)", ["x0"])
    assert is_equivalent(equation.expression, truth, ["x0"], box, 0.01)


def test_a_noisy_run_that_many_laws_explain_is_undecided():
    recordings = recorded(lambda _t, x: [-(x[0] ** 2) / (x[0] + 3)], [[4.0]], 0.5, 0.05)
    equation = discover_recordings(recordings).equations[0]
    assert equation.status is Status.UNDECIDED
    assert equation.alternatives
    assert "run" in equation.note


def test_a_run_that_is_held_out_takes_no_part():
    recordings = recorded(prey_and_predator, [[2.0, 1.0], [3.0, 2.0]], 1.0)
    given, held = divided(recordings, HoldOut(run="1"))
    assert [run.name for run in given.runs] == ["0"]
    assert [run.name for run in held.runs] == ["1"]
    with pytest.raises(UsageError, match="cannot be held out"):
        divided(recordings, HoldOut(run="7"))


def test_the_ends_of_runs_are_held_out():
    recordings = recorded(prey_and_predator, [[2.0, 1.0]], 1.0)
    given, held = divided(recordings, HoldOut())
    assert (len(given.runs[0].times), len(held.runs[0].times)) == (160, 40)


def test_measured_derivatives_are_used_where_they_are_better_than_slopes():
    times = np.linspace(0, 10, 60)
    states = np.sin(times)[:, None]
    rng = np.random.default_rng(0)
    noisy = states + 0.01 * rng.standard_normal(states.shape)
    run = Run("only", times, noisy, np.empty((60, 0)), np.cos(times)[:, None])
    plain = Run("only", times, noisy, np.empty((60, 0)))
    given, without = (smooth_paths(Recordings(("x0",), (each,))) for each in (run, plain))
    assert np.abs(given.slopes[:, 0] - np.cos(times)).max() < 1e-12
    assert np.abs(without.slopes[:, 0] - np.cos(times)).max() > 1e-3
    assert (given.slope_errors < without.slope_errors).all()


@pytest.mark.parametrize("place", [0, 1])
def test_a_clean_law_is_identified_beside_one_that_is_not_found(place):
    order = [0, 1] if place == 0 else [1, 0]

    def beside_a_riddle(_time, state):
        x, y = np.array(state)[order]
        rates = [-0.4 * x * y / (x + 0.1) - 0.05 * x + 0.1, np.cos(3 * x * y) - np.tanh(y) ** 3]
        return [rates[k] for k in order]

    starts = np.array([[1, 0.2], [0.2, 1]])[:, order]
    found = discover_recordings(recorded(beside_a_riddle, starts, 20.0, count=512))
    simple, riddle = (found.equations[k] for k in order)
    x, y = (f"x{k}" for k in order)
    truth = parse(f"-0.4*{x}*{y}/({x} + 0.1) - 0.05*{x} + 0.1", found.names)
    box = [[[0, 1], [0, 1.5]][k] for k in order]
    assert simple.status is Status.IDENTIFIED
    assert is_equivalent(simple.expression, truth, found.names, plain_box(box), 1e-4)
    assert riddle.status not in (Status.IDENTIFIED, Status.UNDECIDED)


def test_an_identified_law_has_no_rivals():
    recordings = recorded(lambda _t, x: [-x[0]], [[4.0]], 5.0, count=60)
    (equation,) = discover_recordings(recordings).equations
    assert equation.status is Status.IDENTIFIED
    assert (equation.alternatives, equation.note) == ((), "")


def two_pools(_time, state):
    """What leaves one pool enters the other, so that their sum never changes."""
    flow = 0.7 * state[0] - 0.2 * state[1] ** 2
    return [-flow, flow]


def test_laws_of_variables_that_hang_together_are_undecided_however_clean():
    found = discover_recordings(recorded(two_pools, [[3.0, 0.5]], 6.0))
    assert {equation.status for equation in found.equations} == {Status.UNDECIDED}
    assert any("x0 and x1 never moved independently" in note for note in found.notes)


def test_what_an_orbit_conserves_does_not_stand_for_a_function_of_the_law():
    def morse(_time, state):
        return [state[1], 2 * np.exp(-2 * state[0]) - 2 * np.exp(-state[0])]

    found = discover_recordings(recorded(morse, [[0.8, 0.3]], 16.0, count=512))
    force = found.equations[1]
    truth, box = parse("2*exp(-2*x0) - 2*exp(-x0)", ["x0", "x1"]), plain_box([[-0.5, 2], [-1, 1]])
    is_right = is_equivalent(force.expression, truth, ["x0", "x1"], box, 0.01)
    assert is_right or force.status is Status.UNDECIDED


def test_a_change_of_its_constants_is_no_term_that_a_law_has_not():
    paths = smooth_paths(recorded(lambda _t, x: [5 * x * np.exp(-0.4 * x) - x], [[0.2]], 6.0))
    own = FittedLaw(
        parse("C*x0*exp(C*x0) + C*x0", ["x0"], open_symbols=True), np.array([5.0, -0.4, -1.0])
    )
    others = [each.term for each in left_out(paths, own, 0, None, np.random.default_rng(0))]
    assert parse("x0^2", ["x0"]) in others
    assert normal_form(parse("x0^2*exp(-0.4*x0)", ["x0"])) not in others


def test_what_a_constant_input_may_be_a_factor_of_is_undecided():
    decay = recorded(lambda _t, x: [1.2 - 0.84 * x[0]], [[0.1], [3.0]], 4.0, count=60)
    runs = tuple(replace(run, inputs=np.full((60, 1), 2.1)) for run in decay.runs)
    found = discover_recordings(replace(decay, runs=runs, inputs=("u",)))
    assert found.equations[0].status is Status.UNDECIDED


def test_a_variable_that_is_constant_in_each_run_makes_none_of_them_noisy():
    one = recorded(lambda _t, x: [x[1] - 0.8 * x[0] ** 2, 0.0], [[0.1, 1.5], [0.1, 2.5]], 4.0)
    assert smooth_paths(one).clean.all()


def test_a_term_that_rounding_shows_is_not_dropped():
    exact = recorded(lambda _t, x: [1.2 - 0.8 * x[0] - 1e-4 * x[0] ** 2], [[0.0]], 3.0, count=60)
    (run,) = exact.runs
    found = discover_recordings(
        replace(exact, runs=(replace(run, states=np.round(run.states, 5)),))
    )
    assert found.equations[0].status is Status.UNDECIDED


def test_constants_of_a_clean_law_are_about_as_certain_as_its_samples():
    paths = smooth_paths(recorded(prey_and_predator, [[2.0, 1.0]], 6.0))
    forms = ("C*x0 + C*x0*x1", [1.8, -1.4]), ("C*x0*x1 + C*x1", [1.6, -3.0])
    laws = [
        FittedLaw(parse(text, paths.names, open_symbols=True), np.array(theta))
        for text, theta in forms
    ]
    system = fit_system(paths, laws, 1)
    assert is_told(paths, system, 0)
    theta = system.shot.theta * [1.0, 1e-6, 1.0, 1.0]
    uncertain = replace(system, shot=replace(system.shot, theta=theta))
    assert not is_told(paths, uncertain, 0)
    assert is_told(paths, uncertain, 1)
    assert is_told(replace(paths, clean=np.array([True, False])), uncertain, 0)


def test_a_law_that_many_terms_come_near_to_is_found_and_no_other_is_identified():
    found = discover_recordings(
        recorded(lambda _t, x: [5.3 * x * np.exp(-0.41 * x) - 0.72 * x], [[0.4]], 8.0, count=512)
    )
    (equation,) = found.equations
    truth = parse("5.3*x0*exp(-0.41*x0) - 0.72*x0", ["x0"])
    assert is_equivalent(equation.expression, truth, ["x0"], plain_box([[0.3, 5]]), 1e-6)
    assert len(equation.constants) == 3


def test_a_run_that_settles_suggests_functions_that_change_near_its_end():
    even, settling = np.linspace(0, 12, 400), 12 * np.exp(-np.linspace(0, 6, 400))
    slow, fast = (next(open_atoms("x", each)).values[-1] for each in (even, settling))
    assert abs(fast[0]) > 2 * abs(slow[0])


def test_of_many_clean_runs_a_few_are_fitted_and_the_others_judge():
    starts = [[2.0 + 0.3 * k, 1.0 + 0.1 * k] for k in range(12)]
    found = discover_recordings(recorded(prey_and_predator, starts, 6.0))
    assert {equation.status for equation in found.equations} == {Status.IDENTIFIED}
    assert found.equations[0].cost.states < 12 * 200


@pytest.mark.parametrize("count", [2, 5, 12])
def test_few_samples_identify_nothing_and_break_nothing(count):
    recordings = recorded(prey_and_predator, [[2.0, 1.0]], 1.0, count=count)
    found = discover_recordings(recordings)
    assert all(equation.status is not Status.IDENTIFIED for equation in found.equations)


def test_the_order_of_a_hill_function_is_found():
    def rate(_time, state):
        raised = state[0] ** 4.5
        return [0.4 + 2 * raised / (raised + 3) - 0.7 * state[0]]

    found = discover_recordings(recorded(rate, [[0.3]], 12.0))
    truth = parse("0.4 + 2*x0^4.5/(x0^4.5 + 3) - 0.7*x0", ["x0"])
    (equation,) = found.equations
    assert is_equivalent(equation.expression, truth, ["x0"], plain_box([[0.3, 3.2]]), 0.01)


def test_a_drag_is_told_from_a_square_where_the_sign_changes():
    drag = parse("v*abs(v)", ["v"])
    assert drag in fixed_atoms("v", FACTORS, [np.linspace(-1, 2, 9)])
    assert drag not in fixed_atoms("v", FACTORS, [np.linspace(1, 2, 9)])


def test_exponentials_of_what_is_large_are_no_functions_that_people_write():
    growth = parse("exp(x)", ["x"])
    assert growth in fixed_atoms("x", FACTORS, [np.linspace(-3, 17, 9)])
    assert growth not in fixed_atoms("x", FACTORS, [np.linspace(-3, 60, 9)])


def test_a_pole_may_lie_between_two_runs_but_not_within_one():
    cotangent = parse("cot(x)", ["x"])
    below, above = np.linspace(-3, -0.1, 9), np.linspace(0.5, 2.6, 9)
    assert cotangent in fixed_atoms("x", FACTORS, [below, above])
    assert cotangent not in fixed_atoms("x", FACTORS, [np.append(below, above)])


def test_noisy_runs_do_not_decide_for_a_law_as_long_as_many_that_nobody_tried():
    paths, laws = lorenz_paths(), lorenz_laws()
    system = replace(fit_system(paths, laws, 20), segments=1)
    assert is_powerful(Choice(paths, system, ()), [])
    long = law("C*x0*x2 + C*x0*sin(x1) + C*x1*cos(x0)*cos(x2) + C*x2*exp(x1)", 1, 1, 1, 1)
    longer = replace(system, laws=(long, *system.laws[1:]))
    assert not is_powerful(Choice(paths, longer, ()), [])


def test_a_square_of_what_was_never_negative_may_be_a_drag():
    found = discover_recordings(recorded(lambda _t, v: [2 - 0.5 * v[0] ** 2], [[0.1]], 5.0))
    assert "nothing is decided for x0 < 0, where x0**2 may have its sign" in found.notes


def test_what_cannot_become_negative_is_decided():
    found = discover_recordings(recorded(lambda _t, x: [x[0] * (2 - x[0])], [[0.1]], 5.0))
    assert not any("nothing is decided" in note for note in found.notes)


def test_many_noisy_samples_are_averaged():
    paths = smooth_paths(recorded(lambda _t, x: [-x[0]], [[4.0]], 2.0, 0.05, count=6_000))
    truth = 4 * np.exp(-paths.times)
    off = (paths.samples[:, 0] - truth) / truth
    assert len(off) == 3000
    assert np.std(off) == pytest.approx(0.05 / 2**0.5, rel=0.1)
    assert np.median(paths.errors[:, 0] / truth) == pytest.approx(0.05 / 2**0.5, rel=0.1)


def test_a_search_that_has_spent_its_budget_ends_and_says_so(monkeypatch):
    monkeypatch.setattr("odevsr.recorded.choosing.sweeps.BUDGET", 0.0)
    recordings = recorded(lambda _t, x: [-x[0]], [[4.0]], 5.0, 0.05, count=60)
    assert UNFINISHED in discover_recordings(recordings).notes


def test_what_moves_only_in_the_run_that_is_held_out_is_refused():
    decay = recorded(lambda _t, x: [0.0, -x[1]], [[2.0, 1.0]], 4.0, 0.02).runs[0]
    still = replace(decay, states=np.column_stack([np.full(200, 2.0), decay.states[:, 1]]))
    moving = replace(decay, name="1", states=np.column_stack([decay.times, decay.states[:, 1]]))
    both = Recordings(("x0", "x1"), (still, moving), source="the recording")
    with pytest.raises(DataFileError, match="less what is held out: x0 is 2 in all samples"):
        discover_recordings(both, hold_out=HoldOut(run="1"))


def test_the_end_of_a_run_of_two_samples_is_not_held_out():
    long = recorded(prey_and_predator, [[2.0, 1.0]], 6.0)
    (run,) = recorded(prey_and_predator, [[3.0, 2.0]], 0.1, count=2).runs
    found = discover_recordings(replace(long, runs=(*long.runs, replace(run, name="short"))))
    assert [each.status for each in found.equations] == [Status.IDENTIFIED] * 2


def test_a_share_of_less_than_two_samples_cannot_be_held_out():
    recordings = recorded(prey_and_predator, [[2.0, 1.0]], 6.0, count=40)
    with pytest.raises(UsageError, match="less than 2 samples"):
        divided(recordings, HoldOut(share=0.02))
    short = recorded(prey_and_predator, [[3.0, 2.0]], 0.1, count=3).runs[0]
    given, held = divided(replace(recordings, runs=(*recordings.runs, short)), HoldOut())
    assert [len(run.times) for run in given.runs] == [32, 2]
    assert [len(run.times) for run in held.runs] == [8]


def test_what_is_held_out_must_have_samples_of_every_variable():
    recordings = recorded(prey_and_predator, [[2.0, 1.0], [1.0, 2.0]], 6.0, count=40)
    first, second = recordings.runs
    second.states[:, 1] = np.nan
    with pytest.raises(UsageError, match="less than 2 samples of some variable"):
        divided(recordings, HoldOut(run=second.name))
    _, held = divided(recordings, HoldOut())
    assert [run.name for run in held.runs] == [first.name]


def test_a_motion_that_no_law_can_follow_from_its_start_has_an_answer():
    times = np.linspace(0, 10, 300)
    run = Run("fall", times, times[:, None] ** 2, np.empty((300, 0)))
    (equation,) = discover_recordings(Recordings(("x",), (run,))).equations
    assert equation.status is not Status.IDENTIFIED


def test_clean_runs_with_a_smooth_input_are_identified():
    def driven(time, state):
        position, speed = state
        return [speed, -2 * position - 0.3 * speed + np.sin(1.7 * time) + 0.5 * np.cos(0.6 * time)]

    runs = recorded(driven, [[1.0, 0.0]], 20.0, count=400).runs
    wave = [np.sin(1.7 * run.times) + 0.5 * np.cos(0.6 * run.times) for run in runs]
    runs = tuple(replace(run, inputs=u[:, None]) for run, u in zip(runs, wave, strict=True))
    found = discover_recordings(Recordings(("p", "v"), runs, inputs=("u",)))
    names, box = ("p", "v", "u"), plain_box([[-1, 1]] * 3)
    truth = parse("-2*p - 0.3*v + u", names)
    assert is_equivalent(found.equations[1].expression, truth, names, box, 1e-6)
    assert found.equations[1].status is Status.IDENTIFIED


def test_an_input_that_jumps_has_no_wiggles_between_its_samples():
    times = np.linspace(0, 10, 101)
    jumps = np.where(times < 4.95, 1.0, 3.0)
    run = Run("only", times, np.exp(-times)[:, None], jumps[:, None])
    paths = smooth_paths(Recordings(("x",), (run,), inputs=("u",)))
    assert paths.nodes[..., 1].min() >= 1.0
    assert paths.nodes[..., 1].max() <= 3.0


def test_how_many_samples_decide_is_told():
    found = discover_recordings(recorded(prey_and_predator, [[2.0, 1.0]], 60.0, count=7000))
    assert "3,500 of 7,000 samples decide, taken evenly; smooth paths go through all" in found.notes
