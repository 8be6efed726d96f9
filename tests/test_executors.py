"""Whoever does the work, the answers are the same."""

import json
import subprocess
import sys
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from outcomes import outcome, timeless

import odevsr
from odevsr.cli import run as command
from odevsr.errors import UsageError

ALONE = {}


def alone(target):
    """The outcome in one process."""
    if target not in ALONE:
        ALONE[target] = outcome(odevsr.discover(target))
    return ALONE[target]


def test_threads_find_the_same_and_tell_of_it(tmp_path):
    events = []
    with ThreadPoolExecutor(3) as pool:
        found = odevsr.discover("glycolysis", components=["x0", "x6"], executor=pool,
                                on_event=events.append, out=tmp_path / "run")  # fmt: skip
    one = odevsr.discover("glycolysis", components=["x0", "x6"], out=tmp_path / "one")
    assert outcome(found) == outcome(one)
    assert {each.variable for each in events if each.equation} == {"x0", "x6"}
    told = [(tmp_path / name / "history.jsonl").read_text() for name in ("run", "one")]
    assert sorted(told[0].splitlines()) == sorted(told[1].splitlines())


def test_processes_of_loky_find_the_same():
    loky = pytest.importorskip("loky", reason="loky is not installed")
    with loky.ProcessPoolExecutor(1) as pool:
        assert outcome(odevsr.discover("lorenz", executor=pool)) == alone("lorenz")


BY_MPI = """
import json
import odevsr
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        print(json.dumps(odevsr.discover("lorenz", executor=pool).to_json()))
"""


def test_processes_of_mpi_find_the_same(tmp_path):
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    if not mpiexec.exists():
        pytest.skip("no MPI stands beside this Python")
    (tmp_path / "script.py").write_text(BY_MPI)
    words = [mpiexec, "-n", "2", sys.executable, "-m", "mpi4py.futures", "script.py"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert timeless(json.loads(ended.stdout)) == json.loads(json.dumps(alone("lorenz")))


@pytest.fixture(scope="module")
def cluster():
    """A dask cluster whose one worker is a thread of this process."""
    dask = pytest.importorskip("distributed", reason="dask is not installed")
    with dask.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://",
                           dashboard_address="127.0.0.1:0") as running:  # fmt: skip
        yield running


def test_a_dask_cluster_finds_the_same(cluster):
    with cluster.get_client() as client:
        found = odevsr.discover("lorenz", executor=client.get_executor())
    assert outcome(found) == alone("lorenz")


def test_the_command_works_with_a_cluster_that_runs(cluster, capsys):
    words = ["discover", "pendulum", "--engine", "dask", "--scheduler", cluster.scheduler_address]
    assert command(words) == 0
    assert "domega/dt = -9.81*sin(theta)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--engine", "desk"], "choose local or dask"),
        (["--scheduler", "tcp://x:1"], "add --engine dask"),
        (["--engine", "dask", "--scheduler", "tcp://x:1", "--jobs", "2"], "leave out --jobs"),
        (["--engine", "dask", "--scheduler", "nonsense://x"], "no dask scheduler answers"),
    ],
)
def test_engines_that_make_no_sense_are_refused(words, said, capsys):
    if "dask" in words:
        pytest.importorskip("distributed", reason="dask is not installed")
    assert command(["discover", "pendulum", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_missing_library_is_named_with_its_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert command(["discover", "pendulum", "--engine", "dask"]) == 2
    assert "odevsr[dask]" in capsys.readouterr().err


class Dying(Executor):
    """An executor whose workers die."""

    def submit(self, *_, **__):
        raise BrokenExecutor("killed")


def test_an_executor_that_loses_its_workers_is_told():
    with pytest.raises(odevsr.StoppedError, match="a process of the executor was lost"):
        odevsr.discover("pendulum", executor=Dying())


def test_what_is_no_executor_is_refused():
    with pytest.raises(UsageError, match="a int is no executor"):
        odevsr.discover("pendulum", executor=3)
    with ThreadPoolExecutor(1) as pool, pytest.raises(UsageError, match="leave out jobs"):
        odevsr.discover("pendulum", executor=pool, jobs=2)


def test_a_simulator_may_share_out_its_own_batches():
    def decayed(states, steps):
        return states * np.exp(-0.5 * steps[:, None])

    with ThreadPoolExecutor(2) as pool:

        @odevsr.simulator(x=(0, 1))
        def decay(states, steps):
            parts = pool.map(decayed, np.array_split(states, 2), np.array_split(steps, 2))
            return np.concatenate(list(parts))

        assert str(odevsr.discover(decay)) == "dx/dt = -0.5*x"
