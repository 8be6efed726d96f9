import json
import subprocess
import sys

import numpy as np
import pytest

from odevsr.world.trajectories.store import load_trajectories
from tests.command import odevsr, odevsr_here


def command(*words):
    """The command's exit code, stdout and stderr."""
    done = odevsr_here("simulate", *words)
    return done.returncode, done.stdout, done.stderr


def test_a_table_shows_each_trajectory():
    done = odevsr("simulate", "lorenz", "-n", 2, "--duration", 1, PYTHONWARNINGS="error")
    assert (done.returncode, done.stderr) == (0, "")
    heading, first, second = done.stdout.splitlines()
    assert heading.split() == ["run", "samples", "time", "status", "last", "state"]
    assert first.split()[:4] == ["0", "501", "1", "complete"]
    assert second.split()[:4] == ["1", "501", "1", "complete"]


def test_the_same_seed_prints_the_same_and_another_seed_does_not():
    words = ("lorenz", "-n", 2, "--duration", 1)
    first, second, other = (command(*words, "--seed", seed)[1] for seed in (3, 3, 4))
    assert first == second != other


def test_json_is_one_object_that_says_all(tmp_path):
    file = tmp_path / "x.h5"
    words = ["lorenz", "--param", "beta=2", "--duration", "1", "--json", "--out", file]
    code, out, _ = command(*words)
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == 1
    assert found["target"] == "lorenz"
    assert found["parameters"] == {"sigma": "10", "rho": "28", "beta": "2"}
    assert found["file"] == str(file)
    (run,) = found["trajectories"]
    assert run["status"] == "complete"
    assert run["first"] == [-8.0, 7.0, 27.0]
    assert run["last"] == load_trajectories(file).trajectories[0].states[-1].tolist()


def test_a_file_is_written_once_and_appended_to_only_when_asked(tmp_path):
    file = tmp_path / "runs.h5"
    words = ["mhd", "--duration", 1, "--step", 0.1, "--out", file]
    assert command(*words)[0] == 0
    code, out, err = command(*words, "--seed", 1)
    assert (code, out) == (3, "")
    assert "exists and is not overwritten" in err
    assert command(*words, "-n", 2, "--seed", 1, "--append")[0] == 0
    found = load_trajectories(file)
    assert found.seeds == (0, 1, 1)
    assert [command.split()[:3] for command in found.commands] == [
        ["odevsr", "simulate", "mhd"]
    ] * 2
    assert found.commands[1].endswith("--append")


def test_an_append_that_was_cut_short_is_told_and_left_out(tmp_path):
    file = tmp_path / "runs.h5"
    words = ["simulate", "lorenz", "--duration", 1, "--out", file]
    assert odevsr(*words).returncode == 0
    with file.open("ab") as torn:
        torn.write(b"begun")
    done = odevsr(*words, "--append")
    assert done.returncode == 0
    assert done.stderr.startswith("odevsr: warning: ")
    assert "cut short is left out" in done.stderr
    assert len(load_trajectories(file).trajectories) == 2


def test_a_trajectory_that_ends_early_says_when_and_why(tmp_path):
    system = tmp_path / "burst.toml"
    system.write_text(
        'format = 1\nname = "burst"\n[state]\nx = { range = [0, 1], start = 0.5 }\n'
        '[equations]\nx = "x**2"\n'
    )
    code, out, err = command(system)
    assert (code, err) == (0, "")
    assert out.splitlines()[1].split()[:4] == ["0", "201", "2", "blew_up"]
    assert "blew_up: the state, or its rate of change, grew without bound" in out


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["lorentz"], 2, "did you mean lorenz"),
        (["lorenz", "--param", "gamma=1"], 2, "no parameter 'gamma'"),
        (["lorenz", "--append"], 2, "--append needs --out"),
        (["lorenz", "--out", "x.txt"], 2, "--out x.txt: trajectories are written as HDF5"),
        (["lorenz", "--step", "99"], 2, "choose a step above 0"),
        (["lorenz", "-n", "0"], 2, "-n"),
        (["lorenz", "--out", "nowhere/at/all/x.h5"], 3, "no folder"),
    ],
)
def test_a_wrong_wording_is_told_in_a_sentence(words, code, sentence):
    found, out, err = command(*words)
    assert (found, out) == (code, "")
    assert sentence in err
    assert "Traceback" not in err


def test_a_file_that_is_not_ours_is_refused_before_anything_is_simulated(tmp_path):
    file = tmp_path / "notes.h5"
    file.write_text("my notes")
    code, _, err = command("lorenz", "--out", file, "--append")
    assert code == 3
    assert "no HDF5 file" in err
    assert file.read_text() == "my notes"


def test_without_a_file_h5py_is_not_loaded():
    code = (
        "import sys; from odevsr.cli import run\n"
        "assert run(['simulate', 'lorenz', '--duration', '0.1']) == 0\n"
        "assert 'h5py' not in sys.modules and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_the_command_line_and_python_give_the_same_trajectory(tmp_path):
    from odevsr import get_system
    from odevsr.world.trajectories.simulate import simulate

    file = tmp_path / "x.h5"
    assert command("lorenz", "--duration", 1, "--out", file)[0] == 0
    (run,) = load_trajectories(file).trajectories
    assert np.array_equal(run.states, simulate(get_system("lorenz"), duration=1.0).states)
