import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import simulators
from outcomes import exact, outcome

import odevsr
from odevsr import discover, get_system
from odevsr.discovery import task
from odevsr.discovery.passes import Interrupted
from odevsr.errors import UsageError
from odevsr.language.expression import variables
from odevsr.language.parse import parse
from odevsr.settings import Settings, preset
from odevsr.vertical.asking.measuring import FEW_FRESH, MORE_WITH_NOISE, STATES
from odevsr.vertical.equation import Status
from odevsr.world.experiments.launched import LaunchOracle
from odevsr.world.systems.system import StateVariable, System


@cache
def found_of(name):
    """What is found of a system as it is, for whoever asks."""
    return discover(name)


@pytest.mark.parametrize("name", ["lorenz", "mhd", "glycolysis"])
def test_every_equation_is_found_exactly_from_few_launches(name):
    system, found = get_system(name), found_of(name)
    assert found.identified
    assert exact(found, system) == [True] * len(system.names)
    assert max(each.cost.simulations for each in found.equations) <= 10_000


def test_ideal_mhd_is_found_exactly():
    mhd = get_system("mhd")
    ideal = mhd.with_parameters(dict.fromkeys(mhd.parameters, 0))
    assert exact(discover(ideal), ideal) == [True] * 6


def test_the_same_seed_gives_the_same_and_another_other_experiments():
    first, second, other = (discover("lorenz", seed=seed) for seed in (1, 1, 2))
    assert outcome(first) == outcome(second)
    assert outcome(first)["equations"] != outcome(other)["equations"]
    assert str(first) == str(other)


def test_the_number_of_jobs_changes_nothing():
    assert outcome(discover("lorenz", jobs=2)) == outcome(found_of("lorenz"))


def test_nor_does_it_where_one_equation_needs_a_second_pass():
    options = {"components": ["x0", "x2"], "most_candidates": 64 * 100}
    alone, together = (discover("glycolysis", **options, jobs=jobs) for jobs in (1, 2))
    assert [each.found_in for each in alone.equations] == [2, 1]
    assert outcome(together) == outcome(alone)


def test_few_candidates_are_no_reason_to_fail():
    assert discover("lorenz", components=["x0", "x1"], most_candidates=10).identified


def test_a_simulator_can_be_sent_to_other_processes():
    assert outcome(discover(simulators.lotka, jobs=2)) == outcome(discover(simulators.lotka))
    with pytest.raises(UsageError, match="cannot be sent to other processes"):
        discover(odevsr.simulator(x=(0, 1), y=(0, 1))(lambda states, steps: states), jobs=2)


def test_settings_parameters_and_presets_are_given_by_name():
    changes = {"proposers": ("catalogue",), "expansion": "factored", "prior_batches": 2}
    found = discover("lorenz", components="x2", preset="paper", params={"beta": "7/3"}, **changes)
    assert [str(each) for each in found.equations] == ["dx2/dt = x0*x1 - 7/3*x2"]
    assert found.settings == preset("paper", **changes)
    varied = discover("lorenz", components="x0", vary={"sigma": (5, 15)})
    assert str(varied) == "dx0/dt = sigma*(x1 - x0)"
    noisy = discover("lorenz", components="x0", noise=0.01, most_states=5_000)
    assert (noisy.settings.noise, noisy.settings.most_states) == (0.01, 5_000)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"nois": 0.01}, "there is no setting 'nois'; did you mean noise"),
        ({"preset": "fastest"}, "unknown preset 'fastest'"),
        ({"preset": "paper", "settings": Settings()}, "exclude each other"),
        ({"params": {"bet": 3}}, "has no parameter 'bet'"),
        ({"vary": {"sigma": 3}}, "the range of sigma is \\(low, high\\)"),
        ({"components": "x22"}, "there is no component 'x22'"),
        ({"seed": -1}, "the seed is a whole number from 0 on, not -1"),
        ({"seed": "a"}, "the seed is a whole number from 0 on, not 'a'"),
        ({"jobs": 0}, "the number of jobs is a whole number from 1 on, not 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, sentence):
    with pytest.raises(UsageError, match=sentence):
        discover("lorenz", **options)


def test_a_simulator_has_no_parameters():
    with pytest.raises(UsageError, match="has no parameters to change or vary"):
        discover(simulators.lotka, params={"a": 1})


def test_only_the_components_asked_for_are_searched():
    found = discover("lorenz", components=["x2", "x0"])
    assert [each.variable for each in found.equations] == ["x0", "x2"]
    with pytest.raises(UsageError, match="did you mean x2"):
        discover("lorenz", components=["x22"])
    with pytest.raises(UsageError, match="no component is named"):
        discover("lorenz", components=[])


class Poisoned(System):
    """A system that cannot be asked for its equations once `shut` is true."""

    def __getattribute__(self, name):
        if name in {"equations", "closed_equations", "parameters", "text"} and Poisoned.shut:
            raise AssertionError(f"somebody looked at the {name}")
        return super().__getattribute__(name)


def test_the_search_never_sees_the_equations(monkeypatch):
    from odevsr.world import studied
    from odevsr.world.simulators import launch

    Poisoned.shut = False
    lorenz = get_system("lorenz")
    system = Poisoned(
        **{name: getattr(lorenz, name) for name in System.__dataclass_fields__ if name != "text"}
    )

    def launcher(studied_system):
        Poisoned.shut = False
        made = launch.make_launcher(studied_system)
        Poisoned.shut = True
        return made

    monkeypatch.setattr(studied, "make_launcher", launcher)
    assert str(discover(system)) == str(found_of("lorenz"))
    with pytest.raises(AssertionError, match="equations"):
        system.closed_equations()


def test_who_measures_can_be_chosen():
    measured = []

    class Counting(LaunchOracle):
        def measure(self, states):
            measured.append(states.size)
            return super().measure(states)

    def make(world, component, pilot, settings, seeds):
        return Counting(world, component, pilot.calibrations[component], pilot.difference)

    found = discover("lorenz", components=["x0"], oracle=make)
    assert len(measured) == found.equations[0].cost.experiments
    assert sum(measured) == 3 * found.equations[0].cost.states


@pytest.mark.parametrize("difference", ["forward", "backward"])
def test_other_differences_lead_to_the_same_equations(difference):
    found = discover("lorenz", settings=Settings(difference=difference))
    assert exact(found, get_system("lorenz")) == [True] * 3


def test_events_tell_of_epochs_and_equations_and_an_interruption_keeps_what_was_found():
    events = []

    def listen(event):
        events.append(event)
        if event.variable == "x1":
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        discover("lorenz", on_event=listen)
    found = stopped.value.discovery
    assert [each.variable for each in found.equations] == ["x0"]
    assert found.interrupted
    assert not found.identified
    assert any(each.epoch is not None and each.epoch.variable == "x0" for each in events)
    assert [each.equation.variable for each in events if each.equation is not None] == ["x0"]
    (cut,) = found.unfinished
    assert (cut.variable, cut.over, cut.candidates) == ("x1", *_last_epoch(events))
    assert cut.cost.states > 0
    assert cut.elapsed_s > 0
    pilot = 3 + 224 + 200  # the first of all, pilot states, and two tests of the ranges
    assert found.cost.states == pilot + found.equations[0].cost.states + cut.cost.states


def _last_epoch(events):
    epochs = [each.epoch for each in events if each.variable == "x1"]
    return epochs[-1].variable, sum(each.candidates for each in epochs)


def test_a_discovery_predicts_scores_and_simulates():
    system = get_system("lorenz")
    found = found_of("lorenz")
    states = np.random.default_rng(0).uniform(*system.box.limits.T, (50, 3))
    from odevsr.language.evaluate import compile_field

    truth = compile_field(system.closed_equations(), system.names)(states)
    assert np.allclose(found.predict(states), truth)
    assert found.predict(states[0]).shape == (3,)
    assert np.allclose(found.score(states, truth), 1)
    assert found.score(states, np.roll(truth, 1, axis=0)).max() < 0.9
    times = np.linspace(0, 1, 5)
    expected = odevsr.simulate(system, duration=1.0, step=0.25).states
    assert np.allclose(found.simulate(system.start, times), expected, atol=1e-6)
    with pytest.raises(UsageError, match=r"give \(\.\.\., 3\)"):
        found.predict(states[:, :2])
    with pytest.raises(UsageError, match="cannot be compared"):
        found.score(states, truth[:, :1])
    with pytest.raises(UsageError, match="all components"):
        discover(system, components=["x0"]).simulate(system.start, times)


@pytest.mark.parametrize(
    "change",
    [{"rules": "tree"}, {"difference": "up"}, {"noise": -1.0}, {"trials": 0}, {"sampling": "a"}],
)
def test_settings_that_make_no_sense_are_refused(change):
    with pytest.raises(UsageError, match=next(iter(change))):
        Settings(**change)


def test_one_job_needs_neither_torch_nor_processes_nor_files():
    code = (
        "import sys, odevsr; odevsr.discover('lorenz')\n"
        "loaded = {'torch', 'multiprocessing', 'h5py', 'concurrent.futures.process'}\n"
        "print(sorted(loaded & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def teachable(monkeypatch):
    """Searches in which glycolysis's x1 needs to be taught; who was taught what is returned."""
    taught = {}
    search = task.discover_equation

    def search_that_needs_teaching(oracle, settings, seeds, learnt=(), **more):
        name = oracle.names[oracle.component]
        taught.setdefault(name, []).append(learnt)
        found = search(oracle, settings, seeds, learnt, **more)
        if name == "x1" and not learnt:
            return replace(found, status=Status.APPROXIMATE)
        return found

    monkeypatch.setattr(task, "discover_equation", search_that_needs_teaching)
    return taught


def test_what_identified_equations_teach_is_offered_to_the_others(teachable):
    found = discover("glycolysis", components=["x0", "x1", "x6"])
    assert found.identified
    assert [each.passes for each in found.equations] == [1, 2, 1]
    assert [len(each) for each in teachable.values()] == [1, 2, 1]
    assert not teachable["x0"][0]
    assert any("x5" in variables(rule) for rule in teachable["x1"][1])
    alone = discover("glycolysis", components=["x1"])
    assert alone.equations[0].status is Status.APPROXIMATE
    assert found.equations[1].cost.states > alone.equations[0].cost.states


def test_what_is_dear_waits_until_others_were_asked(monkeypatch):
    allowed = {}
    search = task.discover_equation

    def search_that_is_dear(oracle, settings, seeds, learnt=(), **more):
        name = oracle.names[oracle.component]
        allowed.setdefault(name, []).append((settings.most_candidates, bool(learnt)))
        found = search(oracle, settings, seeds, learnt, **more)
        is_cut_short = name == "x1" and settings.most_candidates < 10_000
        return replace(found, status=Status.APPROXIMATE, candidates=5000) if is_cut_short else found

    monkeypatch.setattr(task, "discover_equation", search_that_is_dear)
    assert discover("lorenz", components=["x0", "x1"]).identified
    assert allowed == {"x0": [(3125, False)], "x1": [(3125, False), (195_000, False)]}
    allowed.clear()
    discover("lorenz", components=["x1"])
    assert allowed == {"x1": [(200_000, False)]}


def test_two_passes_together_have_no_more_seconds_than_were_allowed(monkeypatch):
    allowed = []
    search = task.discover_equation

    def slow_search(oracle, settings, *more, **named):
        found = search(oracle, settings, *more, **named)
        if oracle.names[oracle.component] != "x1":
            return found
        allowed.append(settings.most_seconds)
        return replace(found, status=Status.APPROXIMATE, elapsed_s=12.0)

    monkeypatch.setattr(task, "discover_equation", slow_search)
    discover("glycolysis", components=["x0", "x1"], settings=Settings(most_seconds=30))
    assert allowed == [15.0, 18.0]
    discover("glycolysis", components=["x1"], settings=Settings(most_seconds=30))
    assert allowed[2:] == [30.0]


def test_of_two_passes_the_note_is_that_of_the_better_one_and_time_that_of_both(monkeypatch):
    search = task.discover_equation

    def stopped_search(oracle, *more, **named):
        found = search(oracle, *more, **named)
        if oracle.names[oracle.component] != "x1":
            return found
        late = {"note": "stopped after 60 CPU seconds", "out_of_time": bool(more[2])}
        return replace(found, status=Status.APPROXIMATE, **late)

    monkeypatch.setattr(task, "discover_equation", stopped_search)
    found = discover("glycolysis", components=["x0", "x1"]).equations[1]
    assert found.passes == 2
    assert found.note == "stopped after 60 CPU seconds"
    assert found.out_of_time


def test_a_second_pass_that_is_interrupted_goes_on(teachable, tmp_path):
    whole = discover("glycolysis", components=["x0", "x1"])

    def interrupt(event):
        if event.variable == "x1" and event.epoch and len(teachable["x1"]) == 4:
            raise KeyboardInterrupt

    options = {"components": ["x0", "x1"], "out": tmp_path / "run"}
    with pytest.raises(Interrupted):
        discover("glycolysis", **options, on_event=interrupt)
    assert outcome(discover("glycolysis", **options, resume=True)) == outcome(whole)


def test_a_system_file_may_choose_the_operators():
    system = replace(get_system("lorenz"), operators=("+", "*"), text="")
    assert discover(system).settings.operators == ("+", "*")
    chosen = Settings(operators=("+", "-", "*"))
    assert discover(system, settings=chosen).settings.operators == ("+", "-", "*")
    with pytest.raises(UsageError, match="unknown operator 'wave'"):
        discover("lorenz", settings=Settings(operators=("wave",)))
    with pytest.raises(UsageError, match="no operators are named"):
        discover("lorenz", settings=Settings(operators=()))


def test_chemists_may_call_their_substances_a_b_and_c():
    names = ("A", "B", "C")
    texts = ("-0.7*A*B + C", "-0.7*A*B", "0.7*A*B - C/(1 + C)")
    system = System(
        name="reaction",
        title="",
        source="",
        variables=tuple(StateVariable(name, 0.0, 2.0, 1.0) for name in names),
        equations=tuple(parse(text, names) for text in texts),
    )
    found = discover(system)
    assert found.identified
    assert exact(found, system) == [True] * 3
    assert str(found).splitlines()[1] == "dB/dt = -0.7*A*B"


def test_the_papers_method_finds_lorenz():
    found = discover("lorenz", preset="paper")
    assert exact(found, get_system("lorenz")) == [True, True, True]
    assert [each.proposers for each in found.equations] == [("lstm",)] * 3


@pytest.mark.parametrize(
    ("system", "component"), [("lorenz", "x0"), ("mhd", "x0"), ("glycolysis", "x6")]
)
def test_the_policy_that_learns_needs_no_other_proposer(system, component):
    found = discover(system, components=component, proposers=("lstm",), width=32, batch=256)
    assert exact(found, get_system(system)) == [True]
    assert found.equations[0].proposers == ("lstm",)


def test_equations_that_share_their_launches_need_few_states():
    found = discover("lorenz", frugal=True)
    assert exact(found, odevsr.get_system("lorenz")) == [True] * 3
    assert found.identified
    assert found.cost.states <= 150
    first, *others = found.equations
    assert all(each.cost.states < first.cost.states for each in others)


def test_where_nobody_reads_the_data_few_states_need_rounds():
    found = discover("lorenz", components="x2", frugal=True, proposers=("catalogue",))
    assert found.identified
    assert found.equations[0].proposers == ("catalogue",)


def test_equations_share_their_launches_whatever_the_number_of_jobs():
    found = [discover("pendulum", frugal=True, jobs=jobs) for jobs in (1, 2)]
    assert outcome(found[0]) == outcome(found[1])


def test_noise_is_not_shared():
    noisy = [discover("lorenz", components="x1", noise=0.01, frugal=each) for each in (False, True)]
    assert noisy[0].equations[0].expression == noisy[1].equations[0].expression
    usual, frugal = (each.equations[0].cost.states for each in noisy)
    assert usual - frugal == MORE_WITH_NOISE * (STATES - FEW_FRESH)


def test_a_frugal_run_can_be_searched_again_and_gone_on_with(tmp_path):
    found = discover("pendulum", frugal=True, out=tmp_path / "run")
    again = odevsr.replay(tmp_path / "run")
    assert [each.expression for each in again.equations] == [
        each.expression for each in found.equations
    ]
    resumed = discover("pendulum", frugal=True, out=tmp_path / "run", resume=True)
    assert outcome(resumed) == outcome(found)


def test_where_nothing_moves_no_law_is_identified():
    @odevsr.simulator(x=(0.0, 1.0))
    def stays(states, steps):
        return states

    (found,) = discover(stays).equations
    assert found.status is Status.UNDECIDED
    assert found.note.startswith("nothing moves at all")


@pytest.mark.parametrize(
    ("settings", "begins", "ends"),
    [
        ({}, "the simulator is slow: about 6,800 launches", "about 2,400 with --frugal"),
        ({"frugal": True}, "the simulator is slow: about 2,400 launches", "seconds"),
        ({"noise": 0.01}, "the simulator is slow: about 6,800 launches", "seconds"),
    ],
)
def test_who_waits_is_told_how_many_launches_there_are_and_how_few_would_do(
    monkeypatch, settings, begins, ends
):
    monkeypatch.setattr("odevsr.world.pilot.timing.LONG_SECONDS", 0.0)
    events = []

    @odevsr.simulator(x=(0, 1))
    def decay(states, steps):
        return states * np.exp(-0.5 * steps[:, None])

    odevsr.discover(decay, on_event=events.append, **settings)
    said = next(each.message for each in events if each.expected)
    assert said.startswith(begins)
    assert said.endswith(ends)
