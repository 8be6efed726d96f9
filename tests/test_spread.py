"""A dear simulator's calls shared out: the same answers, each asked for once, nothing lost."""

import shutil
import signal
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor

import numpy as np
import pytest
from outcomes import outcome
from rigs import RANGES, deadly, deadly_once, moved, nobody, raises_in_a_corner, rig

import odevsr
from odevsr.discovery.spread import spread
from odevsr.errors import LostProcessError, RunError, SimulationError, UsageError
from odevsr.world.studied import study
from tests.command import odevsr as command

STATES = np.random.default_rng(0).uniform([0, 1], [1, 2], (200, 2))


@pytest.fixture(scope="module")
def alone():
    return outcome(odevsr.discover(rig))


def test_threads_and_processes_find_the_same_as_one(alone, tmp_path):
    with ThreadPoolExecutor(3) as pool:
        assert outcome(odevsr.discover(rig, executor=pool, spread=True)) == alone
    assert outcome(odevsr.discover(rig, jobs=2, spread=True, out=tmp_path / "run")) == alone


def test_processes_of_loky_simulate_the_same(alone):
    loky = pytest.importorskip("loky", reason="loky is not installed")
    with loky.ProcessPoolExecutor(1) as pool:
        assert outcome(odevsr.discover(rig, executor=pool, spread=True)) == alone


def test_a_dask_cluster_simulates_the_same(alone):
    dask = pytest.importorskip("distributed", reason="dask is not installed")
    cluster = dask.LocalCluster(n_workers=1, threads_per_worker=1, processes=False,
                                protocol="tcp://", dashboard_address="127.0.0.1:0")  # fmt: skip
    with cluster, cluster.get_client() as client:
        found = odevsr.discover(rig, executor=client.get_executor(), spread=True)
    assert outcome(found) == alone


def test_what_was_answered_is_not_asked_again_even_if_the_pilot_was_cut_short(tmp_path, alone):
    run = tmp_path / "run"
    odevsr.discover(rig, spread=True, out=run)
    leave_only_launches(run)
    known = odevsr.simulator(**RANGES)(nobody)
    known.__module__, known.__qualname__ = rig.__module__, rig.__qualname__
    try:
        assert outcome(odevsr.discover(known, spread=True, out=run, resume=True)) == alone
    finally:
        known.__qualname__ = "nobody"
    with pytest.raises(RunError, match="not empty"):
        odevsr.discover(rig, spread=True, out=run)
    leave_only_launches(run)
    with pytest.raises(RunError, match="another target"):
        odevsr.discover(deadly, spread=True, out=run, resume=True)


def leave_only_launches(run):
    """As a run that is killed in its pilot does."""
    shutil.rmtree(run / "measurements")
    for each in run.iterdir():
        if each.name != "launches.h5":
            each.unlink()


def launched(simulator, workers, states=STATES):
    """Where states are a while later, and what was told on the way."""
    told = []
    with spread(study(simulator), workers, None, told.append) as studied:
        ends = studied.world().launch(states, 0.1)
    return ends, [each.message for each in told]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="it needs signals")
def test_a_state_that_ends_its_process_again_and_again_is_left_out_with_a_note():
    corner = STATES[:, 0] > 0.9
    states = np.concatenate([STATES[~corner][:9], STATES[corner][:1]])
    ends, told = launched(deadly, 2, states)
    deadly_ones = states[:, 0] > 0.9
    assert deadly_ones.sum() == 1
    assert np.array_equal(np.isnan(ends[:, 0]), deadly_ones)
    assert np.array_equal(ends[~deadly_ones], moved(states, np.full(10, 0.1))[~deadly_ones])
    assert sum("a state left out" in each for each in told) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="it needs signals")
def test_what_a_lost_process_simulated_is_simulated_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ODEVSR_TEST_FLAG", str(tmp_path / "flag"))
    ends, told = launched(deadly_once, 2)
    assert np.array_equal(ends, moved(STATES, np.full(200, 0.1)))
    assert [each.endswith("is simulated again") for each in told] == [True]


def test_states_from_which_a_simulator_raises_have_no_answer_and_the_others_have():
    ends, told = launched(raises_in_a_corner, 1)
    assert np.array_equal(np.isnan(ends[:, 0]), STATES[:, 0] > 0.9)
    assert told == []
    with pytest.raises(SimulationError, match="raised ValueError"):
        launched(raises_in_a_corner, 1, STATES[STATES[:, 0] > 0.9])


class Dying(Executor):
    """An executor whose workers die."""

    def submit(self, *_, **__):
        raise BrokenExecutor("killed")


def test_an_executor_of_others_that_is_broken_ends_it():
    with pytest.raises(LostProcessError, match="was lost"):
        launched(rig, Dying())


def test_what_no_other_process_can_be_given_is_refused():
    local = odevsr.simulator(x=(0, 1))(lambda states, steps: states)
    with pytest.raises(UsageError, match="cannot be sent"):
        launched(local, 2, STATES[:, :1])


def test_the_command_shares_out_calls(tmp_path):
    words = ["discover", "tests.rigs:rig", "--jobs", 2, "--spread", "--out", tmp_path / "r"]
    done = command(*words)
    assert done.returncode == 0, done.stderr
    assert "dy/dt = -0.5*y" in done.stdout
    assert (tmp_path / "r" / "launches.h5").exists()
