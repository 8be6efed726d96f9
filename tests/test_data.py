import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from odevsr import get_system
from odevsr.language.evaluate import compile_field
from odevsr.world.trajectories.store import load_trajectories
from odevsr.world.trajectories.trajectory import Ending

DATA = Path(__file__).parents[1] / "data"
NAMES = ["lorenz", "mhd", "glycolysis"]


@pytest.fixture(params=NAMES)
def recording(request):
    return load_trajectories(DATA / f"{request.param}.h5")


def test_the_files_together_are_small():
    assert sorted(path.stem for path in DATA.glob("*.h5")) == sorted(NAMES)
    assert sum(path.stat().st_size for path in DATA.glob("*.h5")) < 2_000_000


def test_a_file_holds_the_registered_system(recording):
    assert recording.system.digest == get_system(recording.system.name).digest


def test_the_command_a_file_names_makes_it_again(recording, tmp_path):
    (command,) = recording.commands
    program, *words = shlex.split(command)
    assert program == "odevsr"
    place = words.index("--out") + 1
    assert words[place] == f"data/{recording.system.name}.h5"
    words[place] = str(tmp_path / "again.h5")
    subprocess.run([sys.executable, "-m", "odevsr", *words], check=True, capture_output=True)
    again = load_trajectories(tmp_path / "again.h5")
    assert again.seeds == recording.seeds
    assert again.system.digest == recording.system.digest
    for new, old in zip(again.trajectories, recording.trajectories, strict=True):
        assert_same_motion(new, old, recording.system)


def assert_same_motion(new, old, system):
    """Equal times, and states that agree closely at first, less so when chaos had time to act."""
    assert np.array_equal(new.time, old.time)
    assert (new.status, new.end_time) == (old.status, old.end_time)
    apart = np.abs(new.states - old.states) / system.box.width
    assert np.array_equal(new.states[0], old.states[0])
    assert apart[: len(apart) // 4].max() < 1e-9
    assert apart.max() < 1e-6


def test_every_trajectory_is_complete_and_its_differences_are_the_rates_of_change(recording):
    field = compile_field(recording.system.closed_equations(), recording.system.names)
    for run in recording.trajectories:
        assert run.status is Ending.COMPLETE
        rates = field(run.states)
        inside = slice(3, -3)  # one-sided differences at the ends are less accurate
        worst = np.abs(run.derivatives - rates)[inside].max(axis=0)
        assert (worst < 2e-3 * np.abs(rates).max(axis=0)).all()
