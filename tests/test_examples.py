"""The examples run and say what they promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from odevsr.bench.dimension import chain, ring
from odevsr.world.system_file import read_system

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    ("script", "law"),
    [("forced_duffing", "0.4*cos(1.2*t)"), ("varying_parameters", "sigma*(x1 - x0)")],
)
def test_an_example_prints_the_law(script, law):
    command = [sys.executable, str(EXAMPLES / f"{script}.py")]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert law in done.stdout


@pytest.mark.parametrize("system", [ring(20), chain(60)], ids=lambda system: system.name)
def test_a_large_system_s_file_is_what_the_script_writes(system):
    assert read_system(EXAMPLES / "systems" / f"{system.name}.toml") == system
