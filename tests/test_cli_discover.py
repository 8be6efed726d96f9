import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import odevsr, odevsr_here

import odevsr as package
from odevsr.cli import run
from tests.system_texts import written

TESTS = str(Path(__file__).parent)

SLOW = """
import os
import time
import numpy as np
import odevsr

@odevsr.simulator(x=(0.1, 2), y=(0.1, 2))
def slow(states, steps):
    time.sleep(float(os.environ.get("PAUSE", 0)))
    x, y = states.T
    return np.stack([x * np.exp(1.5 * steps), y * np.exp(np.sin(3) * steps)], axis=1)
"""


def test_a_page_tells_each_equation_and_how_sure_it_is():
    done = odevsr("discover", "lorenz")
    assert done.returncode == 0
    assert "dx2/dt = x0*x1 - 8/3*x2" in done.stdout
    assert done.stdout.count("identified: agrees with fresh experiments") == 3
    (number,) = (line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["8/3"])
    assert number[1].startswith("2.66666666")
    assert number[3] == "exact"
    assert "proposed by" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("lorenz, seed 0: 3 identified; ")
    told = [line for line in done.stderr.splitlines() if "the fitting engine" not in line]
    assert [line.split()[:2] for line in told if "identified" in line] == [
        [f"{name}:", "identified"] for name in ("x0", "x1", "x2")
    ]
    assert all(line.startswith(("x0: ", "x1: ", "x2: ")) for line in told)


def test_json_is_one_object_that_says_whether_the_truth_was_found():
    done = odevsr_here("discover", "lorenz", "--param", "rho=20", "--components", "x1,x2", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert found["schema"] == 1
    assert (found["target"], found["seed"], found["interrupted"]) == ("lorenz", 0, False)
    assert set(found["oracle"]) == {"experiments", "states", "simulations"}
    assert [each["variable"] for each in found["equations"]] == ["x1", "x2"]
    for equation in found["equations"]:
        assert equation["status"] == "identified"
        assert equation["exact"] is True
        assert equation["r2"] > 0.999999
        assert equation["oracle"]["simulations"] <= 10_000
        assert equation["proposers"]
        assert equation["candidates"] > 0
    values = {constant["exact"] for constant in found["equations"][0]["constants"]}
    assert "20" in values
    assert found["settings"]["proposers"] == ["readings", "catalogue", "prior", "lstm"]
    assert found["versions"]["odevsr"] == package.__version__


def test_a_simulator_of_ones_own_is_discovered_and_may_print():
    done = odevsr("discover", "simulators:lotka", "--json", PYTHONPATH=TESTS)
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert [each["expression"] for each in found["equations"]] == ["x*(1.5 - y)", "y*(x - 3)"]
    assert [each["exact"] for each in found["equations"]] == [None, None]
    assert "a simulator may print" in done.stderr


def test_a_law_that_is_not_found_is_never_printed_as_found(tmp_path, capsys):
    system = tmp_path / "odd.toml"
    system.write_text(
        'format = 1\nname = "odd"\n[state]\nx = { range = [-3, 3], start = 1 }\n'
        "y = { range = [-3, 3], start = 1 }\n[equations]\n"
        'x = "sin(3*exp(cos(2*x*y) + tanh(x)) + x**2*cosh(y - cos(4*x)))"\ny = "-y"\n'
    )
    settings = {"attempts": 1, "most_states": 2000, "most_seconds": 2.0}
    found = package.discover(system, settings=package.Settings(**settings))
    first, second = found.equations
    assert first.status.value != "identified"
    assert second.status.value == "identified"
    assert not found.identified


def test_limits_are_kept_and_noted():
    words = ("--components", "x1", "--max-states", "300", "--max-launches", "2000", "--json")
    done = odevsr_here("discover", "lorenz", *words)
    (law,) = json.loads(done.stdout)["equations"]
    assert done.returncode == 1
    assert "stopped at the limit of" in law["note"]
    assert law["oracle"]["states"] <= 300
    assert law["oracle"]["simulations"] <= 2000


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["lorentz"], 2, "did you mean lorenz"),
        (["nothing/here.toml"], 2, "no such file"),
        (["lorenz", "--components", "x9"], 2, "no component 'x9'"),
        (["lorenz", "--preset", "slow"], 2, "unknown preset"),
        (["lorenz", "--proposers", "oak"], 2, "unknown proposer 'oak'"),
        (["lorenz", "--difference", "up"], 2, "unknown difference"),
        (["lorenz", "--param", "rho"], 2, "not NAME=VALUE"),
        (["lorenz", "--noise", "-1"], 2, "--noise"),
        (["lorenz", "--jobs", "0"], 2, "--jobs"),
        (["lorenz", "--resume"], 2, "only a run with a folder"),
        (["lorenz", "--operators", "+,wave"], 2, "unknown operator 'wave'"),
        (["lorenz", "--operators", ""], 2, "--operators '' lacks a name"),
        (["lorenz", "--components", "x0,"], 2, "--components 'x0,' lacks a name"),
        (["lorenz", "--timeout", "-1"], 2, "time limit of -1.0 seconds is too short"),
        (["lorenz", "--timeout", "nan"], 2, "time limit of nan seconds is too short"),
        (["lorenz", "--budget", "0"], 2, "--budget"),
        (["lorenz", "--max-states", "10"], 2, "--max-states"),
        (["lorenz", "--max-launches", "10"], 2, "--max-launches"),
        (
            ["lorenz", "--vary", "rho=5,15", "--param", "rho=3"],
            2,
            "both fixed (--param) and varied",
        ),
        (["nowhere.csv"], 3, "nowhere.csv: there is no such file; check the path"),
        (["runs.csv", "lorenz"], 2, "lorenz is no recording, and only recordings are taken"),
        (["lorenz", "--hold-out", "0.2"], 2, "only recordings have inputs to name and a part"),
        (["data/lorenz.h5", "--hold-out", "7"], 2, "a share of 7 cannot be held out"),
        (["data/lorenz.h5", "--hold-out", "first"], 2, "no run 'first' to hold out; known: 0, 1"),
        (["data/lorenz.h5", "--vary", "rho=1,2"], 2, "vary is for what can be experimented on"),
        (["data/lorenz.h5", "--resume"], 2, "resume is for what can be experimented on"),
        (["simulators.py:lotka"], 2, "simulators:lotka"),
        (["nowhere:f"], 2, "no module 'nowhere'"),
        (["simulators:nothing"], 2, "no function 'nothing'"),
        (["simulators:lotka", "--param", "a=1"], 2, "no --param"),
        (["simulators:unmarked"], 2, "mark it with @odevsr.simulator"),
        (["simulators:raises"], 3, "raised RuntimeError: the rotor broke"),
        (["simulators:hangs", "--timeout", "0.2"], 3, "did not return within 0.2 seconds"),
        (["simulators:gives_nan"], 3, "a finite state from none of"),
        (["simulators:gives_another_shape"], 3, "it must return a state for each"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(words, code, sentence, capsys):
    assert run(["discover", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert "Traceback" not in err


def slow_environment(folder):
    """In which the simulator of this folder is slow."""
    path = os.pathsep.join([str(Path(TESTS).parent), str(folder)])
    return {"PYTHONPATH": path, "PAUSE": "0.02"}


def interrupted(folder, *more):
    """Start a slow discovery in a process, interrupt it after its first equation."""
    words = [sys.executable, "-m", "odevsr", "discover", "slow_module:slow", *more]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        env=os.environ | slow_environment(folder),
    ) as process:  # fmt: skip
        assert process.stderr is not None
        while not process.stderr.readline().startswith("x: identified"):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    return process.returncode, out, err


def test_a_run_is_resumed_without_saying_again_what_was_changed_and_varied(tmp_path):
    path, folder = written(tmp_path, "decay"), tmp_path / "run"
    words = ("--components", "heat", "--out", folder)
    first = odevsr_here("discover", path, *words, "--param", "rate=2/7", "--vary", "gain=0.05,0.2")
    assert first.returncode == 0, first.stderr
    (folder / "result.json").unlink()
    path.unlink()
    again = odevsr_here("discover", "decay", *words, "--resume", "--json")
    assert again.returncode == 0, again.stderr
    (law,) = json.loads(again.stdout)["equations"]
    assert (law["expression"], law["exact"]) == ("amount*gain - heat", True)


@pytest.mark.parametrize("more", [(), ("--out", "run")])
def test_an_interruption_keeps_what_was_found(tmp_path, more):
    (tmp_path / "slow_module.py").write_text(SLOW)
    code, out, err = interrupted(tmp_path, *more)
    assert code == 130
    assert "dx/dt = 1.5*x" in out
    assert "interrupted" in out.splitlines()[-1]
    assert "dy/dt" not in out
    assert "Traceback" not in err
    if more:
        done = odevsr_in(tmp_path, "discover", "slow_module:slow", *more, "--resume", "--json")
        found = json.loads(done.stdout)
        assert done.returncode == 0
        assert [each["variable"] for each in found["equations"]] == ["x", "y"]
        assert "x: " not in done.stderr


def odevsr_in(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "odevsr", *words], capture_output=True, text=True, check=False,
        cwd=folder, env=os.environ | slow_environment(folder) | {"PAUSE": "0"},
    )  # fmt: skip


def test_an_interruption_reaches_every_process(tmp_path, monkeypatch):
    (tmp_path / "slow_module.py").write_text(SLOW)
    words = ["discover", "slow_module:slow", "--jobs", "2", "--out", "run"]
    with subprocess.Popen(
        [sys.executable, "-m", "odevsr", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, cwd=tmp_path, start_new_session=True,
        env=os.environ | slow_environment(tmp_path),
    ) as process:  # fmt: skip
        while not (tmp_path / "run" / "history.jsonl").exists() and process.poll() is None:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err
    done = odevsr_in(tmp_path, *words, "--resume", "--json")
    monkeypatch.syspath_prepend(tmp_path)
    alone = odevsr_here("discover", "slow_module:slow", "--json")
    assert done.returncode == alone.returncode == 0
    assert [each["expression"] for each in json.loads(done.stdout)["equations"]] == [
        each["expression"] for each in json.loads(alone.stdout)["equations"]
    ]


def test_a_range_on_the_command_line_is_the_one_experiments_keep_to(tmp_path):
    options = ("--range", "x0=1,100,log", "--range", "x2=2,3", "--components", "x2", "--json")
    done = odevsr_here("discover", "lorenz", *options, "--out", tmp_path / "run")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert [each["range"] for each in found["variables"]] == [[1, 100], [-27, 27], [2, 3]]
    assert found["equations"][0]["exact"] is True
    recorded = package.parse_system(package.load(tmp_path / "run").system_file, "a run")
    assert recorded.variables[0].scale == "log"


def test_a_range_is_changed_of_a_simulator_of_the_users_own_too():
    options = ("--range", "y=1,3,even", "--components", "x", "--json")
    done = odevsr_here("discover", "simulators:lotka", *options)
    assert [each["range"] for each in json.loads(done.stdout)["variables"]] == [[0.1, 2], [1, 3]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x9=1,2", "lorenz has no variable 'x9'"),
        ("x0=-1,2,log", "x0 has a log scale over [-1, 2]"),
        ("x0=1", "is not NAME=LOW,HIGH"),
    ],
)
def test_a_range_that_cannot_be_is_refused(text, sentence, capsys):
    assert run(["discover", "lorenz", "--range", text]) == 2
    assert sentence in capsys.readouterr().err


def test_a_formula_is_discovered_over_the_ranges_given():
    ranges = ["--range", "x=0.1,10", "--range", "z=0.1,10", "--scale", "log"]
    done = odevsr_here("discover", "--formula", "2*cos(x)/z", *ranges, "--json")
    law = json.loads(done.stdout)["equations"][0]
    assert (law["variable"], law["measured"], law["exact"]) == ("y", "value", True)


@pytest.mark.parametrize(
    "options", [["lorenz", "--formula", "x", "--range", "x=0,1"], [], ["lorenz", "--scale", "log"]]
)
def test_a_target_and_a_formula_exclude_each_other(options):
    done = odevsr_here("discover", *options)
    assert done.returncode == 2
    assert "formula" in done.stderr
