"""The examples run and say what they promise."""

import ast
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from odevsr.bench.dimension import chain, ring
from odevsr.discovery.discover import discover
from odevsr.world.systems.file import read_system

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_an_example_is_a_program():
    command = [sys.executable, str(EXAMPLES / "forced_duffing.py")]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "0.4*cos(1.2*t)" in done.stdout


@pytest.mark.parametrize(
    ("script", "law"),
    [
        ("lorenz", "exactly 8/3"),
        ("own_system", "dx/dt = x**2*y - b*x - x + 1"),
        ("own_simulator", "dspeed/dt = -0.3*speed - 9.81*sin(angle)"),
        ("noise", "noise 0%: dx1/dt = x0*(28 - x2) - x1"),
        ("sbml_model", "dS/dt = -2*S/(S + 0.5)"),
        ("round_by_round", "dx0/dt = 10*(x1 - x0)"),
        ("against_sindy", "odevsr: 1 of 1 laws of lorenz are the truth"),
        ("varying_parameters", "sigma*(x1 - x0)"),
        ("hare_and_lynx", "undecided"),
    ],
)
def test_a_short_example_prints_the_law(script, law, capsys, monkeypatch):
    if script == "sbml_model":
        pytest.importorskip("roadrunner", reason="models in SBML are run by libroadrunner")
    monkeypatch.setattr(sys, "argv", [script, "--short"])
    path = EXAMPLES / f"{script}.py"
    runpy.run_path(str(path), run_name="__main__")
    assert law in capsys.readouterr().out
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40


def test_a_notebook_is_what_the_script_makes_of_its_example():
    made = runpy.run_path(str(EXAMPLES / "notebooks.py"))
    for name in made["SCRIPTS"]:
        script = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
        kept = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
        assert kept == made["notebook"](script), "run examples/notebooks.py"
        cells = ("".join(each["source"]) for each in kept["cells"] if each["cell_type"] == "code")
        assert ast.dump(ast.parse("\n".join(cells))) == ast.dump(
            ast.Module(ast.parse(script).body[1:], [])  # less its docstring
        )


@pytest.mark.parametrize("system", [ring(20), chain(60)], ids=lambda system: system.name)
def test_a_large_system_s_file_is_what_the_script_writes(system):
    assert read_system(EXAMPLES / "systems" / f"{system.name}.toml") == system


def test_mujoco_moves_as_mechanics_books_say_and_its_law_comes_out():
    pytest.importorskip("mujoco", reason="the example needs mujoco")
    example = runpy.run_path(str(EXAMPLES / "mujoco_laws.py"))
    for name in ("pendulum", "cart_pole", "double_pendulum"):
        body = example[name]()
        y = np.linspace(0.3, 1.2, len(body.variables))
        inputs = dict.fromkeys(body.inputs, 0.7)
        by_hand = example[f"{name}_by_hand"](*y, **inputs)
        np.testing.assert_allclose(body(0.0, y, **inputs), by_hand, rtol=1e-9)
    found = discover(example["pendulum"]())
    assert found.identified
    assert example["difference"](found, example["pendulum_by_hand"]) < 1e-9
