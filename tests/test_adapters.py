"""Right-hand sides and steps of one state, brought as they are."""

import math
import pickle
from functools import partial

import adapted
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odevsr import discover
from odevsr.errors import SimulationError, UsageError
from odevsr.world.simulators.adapters import rhs, stepper
from odevsr.world.simulators.guard import guarded
from odevsr.world.simulators.simulator import simulator
from odevsr.world.studied import study

LAWS = ["dx/dt = x*(1.5 - y)", "dy/dt = y*(x - 3)"]
STATES = np.array([[0.3, 0.7], [1.0, 0.2], [1.9, 1.1]])


def laws(discovery):
    assert discovery.identified
    return str(discovery).splitlines()


@pytest.mark.parametrize("name", ["rate", "rate_of_one", "step", "Hunt.rate", "Hunt.step"])
def test_each_form_is_discovered_from_a_reference(name):
    path = name.replace("Hunt", "hunt")
    assert laws(discover(f"adapted:{path}")) == LAWS


@pytest.mark.parametrize(
    "function",
    [
        adapted.rate,
        adapted.hunt.rate,
        rhs(**adapted.RANGES)(adapted.hunt.plain_rate),
        rhs(**adapted.RANGES)(partial(adapted.plain_rate, death=3.0)),
        stepper(**adapted.RANGES)(adapted.hunt.plain_step),
        simulator(**adapted.RANGES)(adapted.Caller()),
        adapted.MarkedCaller(),
    ],
)
def test_methods_partials_and_objects_are_moved_alike(function):
    ends = study(function).world().launch(STATES, 0.01)
    np.testing.assert_allclose(ends, guarded(adapted.rate)(STATES, 0.01), rtol=1e-9)


def test_what_is_marked_stays_as_it_was():
    assert rhs(**adapted.RANGES)(adapted.rate) is adapted.rate
    bound = adapted.hunt.plain_rate
    marked = rhs(x=(0, 1), y=(0, 1))(bound)
    assert marked(0.0, [1.0, 2.0]) == bound(0.0, [1.0, 2.0])
    assert not hasattr(bound, "variables")


def test_several_jobs_import_what_is_brought():
    assert laws(discover("adapted:hunt.rate", jobs=2)) == LAWS
    assert laws(discover(adapted.marked_method, jobs=2)) == LAWS


@pytest.mark.parametrize("function", [adapted.marked_method, adapted.rate, adapted.step])
def test_what_is_marked_can_be_sent_to_another_process(function):
    launch = study(pickle.loads(pickle.dumps(function))).world().launch
    assert np.array_equal(launch(STATES, 0.01), study(function).world().launch(STATES, 0.01))


def test_a_right_hand_side_that_takes_columns_is_called_seldom():
    calls = []

    @rhs(x=(0, 1), v=(0, 1))
    def spring(t, y):
        calls.append(np.shape(y))
        return [y[1], -4 * y[0]]

    guarded(spring)(np.random.default_rng(0).random((500, 2)), 0.1)
    assert len(calls) < 200


@settings(max_examples=25)
@given(step=st.floats(-1, 1), seed=st.integers(0, 99))
def test_a_solution_is_exact_in_either_direction_and_comes_back(step, seed):
    @rhs(x=(-1, 1), v=(-1, 1))
    def spring(t, y):
        return y[1], -4 * y[0]

    states = np.random.default_rng(seed).uniform(-1, 1, (5, 2))
    launch = guarded(spring)
    ends = launch(states, step)
    x, v = states.T
    exact = x * np.cos(2 * step) + v / 2 * np.sin(2 * step)
    np.testing.assert_allclose(ends[:, 0], exact, atol=1e-11)
    np.testing.assert_allclose(launch(ends, -step), states, atol=1e-11)


@pytest.mark.parametrize(
    "rate",
    [
        lambda t, y: [math.sin(y[0]), 1.0],
        lambda t, y: [1.0 if y[0] > 0.5 else -1.0, y[1]],
        lambda t, y: [np.sum(y), np.max(y)],
        lambda t, y: [np.linalg.norm(y), y[1]],
    ],
)
def test_a_right_hand_side_of_one_state_is_noticed(rate):
    states = np.random.default_rng(1).uniform(0, 1, (20, 2))
    launch = guarded(rhs(x=(0, 1), y=(0, 1))(rate))
    alone = np.concatenate([launch(state[None], 1e-3) for state in states])
    np.testing.assert_allclose(launch(states, 1e-3), alone, rtol=1e-13)


def test_inputs_come_by_name_and_time_runs():
    @rhs(x=(-2, 2), inputs={"u": (-1, 1), "t": (0, 6)})
    def driven(t, y, u):
        return -2 * y[0] + 3 * u * np.sin(t)

    assert laws(discover(driven)) == ["dx/dt = 3*u*sin(t) - 2*x"]


def test_a_step_gets_inputs_and_time_by_name():
    asked = []

    @stepper(x=(0, 1), inputs={"u": (2, 3), "t": (0, 9)})
    def rests(state, dt, u, t):
        asked.append((state.tolist(), dt, u, t))
        state *= 0
        return [0.5]

    launch = guarded(rests)
    assert launch(np.array([[0.5, 2.5, 4.0]]), 0.25).tolist() == [[0.5, 2.5, 4.25]]
    assert asked == [([0.5], 0.25, 2.5, 4.0)]


@pytest.mark.parametrize(
    "function",
    [
        rhs(x=(-1, 1))(lambda t, y: math.log(y[0])),
        stepper(x=(-1, 1))(lambda state, dt: [math.log(state[0]) + dt]),
    ],
)
def test_states_for_which_a_function_raises_are_nan(function):
    states = np.linspace(-1, 1, 8)[:, None]
    ends = guarded(function)(states, 1e-3)
    assert np.array_equal(np.isnan(ends), states <= 0)


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (rhs(x=(0, 1))(lambda t, y: [-y[0] * t]), "depends on t, which is no input"),
        (rhs(x=(0, 1))(lambda t, y: [1.0, 2.0]), r"the rate .* shape \(2,\).* return 1 numbers"),
        (rhs(x=(0, 1))(lambda t, y: None), "returned None, not 1 numbers"),
        (rhs(x=(0, 1))(lambda t, y: (each for each in y)), "returned a generator"),
        (rhs(x=(0, 1))(lambda t, y: y.missing), "AttributeError.*called as <lambda>.t, y."),
        (stepper(x=(0, 1))(lambda state, dt: [state]), r"the state .* shape \(1, 1\)"),
        (stepper(x=(0, 1))(lambda state, dt: "fine"), "returned a str"),
        (stepper(x=(0, 1))(lambda state, dt: 1 / 0), "ZeroDivisionError.*state, dt"),
    ],
)
def test_what_a_function_does_wrong_is_told(function, sentence):
    with pytest.raises(SimulationError, match=sentence):
        discover(function)


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (rhs(x=(0, 1))(lambda y: y), r"cannot be called as <lambda>\(t, y\)"),
        (rhs(x=(0, 1), inputs={"u": (0, 1)})(lambda t, y, w: y), r"as <lambda>\(t, y, u\)"),
        (rhs()(lambda t, y: y), r"mark it with @odevsr\.rhs\(x="),
        (stepper(x=(0, 1))(lambda state: state), r"as <lambda>\(state, dt\)"),
        (stepper(x=(1, 0))(lambda state, dt: state), "low below high"),
        (stepper(x="01")(lambda state, dt: state), "two numbers, not '01'"),
        (rhs(x=(0, 1), input={"u": (0, 1)})(lambda t, y, u: y), r"go into inputs=\{"),
    ],
)
def test_what_is_marked_wrongly_is_told(function, sentence):
    with pytest.raises(UsageError, match=sentence):
        study(function)


@pytest.mark.parametrize("decorator", [rhs, stepper])
def test_a_mark_without_brackets_or_function_is_told(decorator):
    with pytest.raises(UsageError, match=rf"write @odevsr\.{decorator.__name__}\(x="):
        decorator(adapted.plain_rate)
    with pytest.raises(UsageError, match="marks a function, not 7"):
        decorator(x=(0, 1))(7)


def test_functions_that_yield_or_await_are_refused():
    @rhs(x=(0, 1))
    def yields(t, y):
        yield y

    @stepper(x=(0, 1))
    async def awaits(state, dt):
        return state

    for function in (yields, awaits):
        with pytest.raises(UsageError, match="yields or awaits; have it return"):
            study(function)
