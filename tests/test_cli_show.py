import json
import os
import pty
import re
import subprocess
import sys
import termios

import pytest

from tests.command import odevsr, odevsr_here
from tests.system_texts import changed, written


def test_show_prints_equations_ranges_parameters_and_citation():
    run = odevsr("show", "lorenz")
    assert (run.returncode, run.stderr) == (0, "")
    for passage in (
        "lorenz: Lorenz attractor",
        "Lorenz, E. N. (1963). Deterministic nonperiodic flow.",
        "dx0/dt = sigma*(x1 - x0)",
        "-20 .. 20",
        "8/3",
        "simulated for 10 in steps of 0.002; searched with + - * / ^ sin cos exp log",
    ):
        assert passage in run.stdout


def test_show_takes_a_path_and_parameters(tmp_path):
    path = written(tmp_path, "decay")
    run = odevsr_here("show", str(path), "--param", "rate=2/7", "--param", "gain=0.5", "--json")
    shown = json.loads(run.stdout)
    assert shown["parameters"] == {
        "rate": {"value": 2 / 7, "exact": "2/7"},
        "gain": {"value": 0.5, "exact": "1/2"},
    }
    assert [each["expression"] for each in shown["equations"]] == [
        "-rate*amount",
        "gain*amount - heat",
    ]
    assert [each["closed"] for each in shown["equations"]] == [
        "-2/7*amount",
        "0.5*amount - heat",
    ]
    assert shown["variables"][0] == {
        "name": "amount",
        "range": [0.0, 10.0],
        "scale": "even",
        "domain": None,
        "start": 5.0,
        "meaning": "nuclei left",
    }


def test_show_prints_scale_and_domain(tmp_path):
    said = 'heat = { scale = "log", domain = [0, inf],'
    text = changed("heat = { range = [-1, 1]", f"{said} range = [0.1, 1]")
    path = written(tmp_path, "decay", text)
    page = odevsr_here("show", str(path)).stdout.splitlines()
    (row,) = [line.split() for line in page if line.split()[:2] == ["heat", "0.1"]]
    assert row == ["heat", "0.1", "..", "1", "log", "0", "..", "0.5"]
    shown = json.loads(odevsr_here("show", str(path), "--json").stdout)["variables"][1]
    assert (shown["scale"], shown["domain"]) == ("log", [0.0, None])


def test_show_has_a_varied_parameter_among_the_variables():
    assert "sigma     5 .. 15" in odevsr_here("show", "lorenz", "--vary", "sigma=5,15").stdout


def test_a_bad_system_file_is_exit_code_three(tmp_path):
    path = written(tmp_path, "decay", changed("-rate*amount", "open('x')"))
    run = odevsr_here("show", str(path))
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.startswith(f"odevsr: error: {path}:15: equation of amount: ")


@pytest.mark.parametrize("name", ["hodgkin_huxley", "mhd", "glycolysis"])
def test_a_narrow_terminal_wraps_and_cuts_nothing(name):
    """A real terminal of 60 columns shows the same equations as a pipe."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 60))
    environment = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "odevsr", "show", name], stdin=slave, stdout=slave, env=environment
    ) as process:
        os.close(slave)
        output = _without_colour(_everything(master).decode())
    assert process.returncode == 0
    lines = output.splitlines()
    assert max(len(line) for line in lines) <= 60
    assert "…" not in output
    equations = [line for line in odevsr_here("show", name).stdout.splitlines() if "/dt = " in line]
    unwrapped = "".join("".join(lines).split())
    assert equations
    for equation in equations:
        assert "".join(equation.split()) in unwrapped


def _without_colour(text):
    return re.sub("\x1b\\[[0-9;]*m", "", text)


def _everything(master):
    chunks = []
    try:
        while chunk := os.read(master, 65536):
            chunks.append(chunk)
    except OSError:  # how Linux says that the other end was closed
        pass
    finally:
        os.close(master)
    return b"".join(chunks)
