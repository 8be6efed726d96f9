import json
import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import odevsr as package
from odevsr import cli
from odevsr.errors import UsageError
from tests.command import odevsr
from tests.system_texts import changed, written

HEAVY = {"torch", "numba", "scipy", "sympy", "pysindy", "h5py", "matplotlib", "sklearn"}
BUILT_IN = sorted(path.stem for path in (Path(__file__).parents[1] / "systems").glob("*.toml"))


def test_the_version_is_that_of_the_package():
    run = odevsr("--version")
    assert (run.returncode, run.stdout) == (0, f"odevsr {package.__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], ["systems"], ["show", "lorenz"], ["--version"]])
def test_light_commands_import_no_heavy_library(arguments):
    code = (
        "import sys, odevsr.cli\n"
        f"code = odevsr.cli.run({arguments!r})\n"
        "sys.stderr.write(' '.join({name.partition('.')[0] for name in sys.modules}))\n"
        "sys.exit(code)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert "odevsr" in loaded
    assert loaded & HEAVY == set()


def test_systems_lists_one_system_a_line_when_piped():
    run = odevsr("systems")
    heading, *lines = run.stdout.splitlines()
    assert heading.split() == ["system", "n", "title", "source"]
    assert [line.split()[0] for line in lines] == BUILT_IN
    lorenz = next(line for line in lines if line.startswith("lorenz "))
    assert lorenz.split(maxsplit=2)[1:] == ["3", lorenz.split(maxsplit=2)[2]]
    assert "Lorenz attractor" in lorenz
    assert "Lorenz, E. N. (1963)" in lorenz
    assert (run.returncode, run.stderr) == (0, "")


def test_systems_as_json_is_one_object():
    listed = json.loads(odevsr("systems", "--json").stdout)
    assert listed["schema"] == 1
    assert [each["name"] for each in listed["systems"]] == BUILT_IN
    lorenz = next(each for each in listed["systems"] if each["name"] == "lorenz")
    assert lorenz["dimension"] == 3
    assert lorenz["source"].startswith("Lorenz, E. N. (1963). ")
    assert (lorenz["origin"], lorenz["error"]) == ("built-in", None)


def test_a_folder_is_added_by_option_and_by_environment(tmp_path):
    written(tmp_path, "decay")
    by_option = odevsr("systems", "--systems", str(tmp_path))
    by_environment = odevsr("systems", ODEVSR_SYSTEMS=str(tmp_path))
    assert by_option.stdout == by_environment.stdout
    assert "\ndecay " in by_option.stdout


def test_a_bad_file_in_a_folder_is_listed_beside_the_good_ones(tmp_path):
    bad = written(tmp_path, "bad", changed("[0, 10]", "[10, 0]"))
    written(tmp_path, "decay")
    run = odevsr("systems", "--systems", str(tmp_path))
    assert run.returncode == 0
    assert "\ndecay " in run.stdout
    assert f"\nnot usable: {bad}:7: amount has range [10, 0]" in run.stdout
    listed = json.loads(odevsr("systems", "--json", "--systems", str(tmp_path)).stdout)["systems"]
    assert [each["name"] for each in listed if each["error"]] == ["bad"]


def test_show_prints_equations_ranges_parameters_and_citation():
    run = odevsr("show", "lorenz")
    assert (run.returncode, run.stderr) == (0, "")
    for passage in (
        "lorenz: Lorenz attractor",
        "Lorenz, E. N. (1963). Deterministic nonperiodic flow.",
        "dx0/dt = sigma*(x1 - x0)",
        "-20 .. 20",
        "8/3",
    ):
        assert passage in run.stdout


def test_show_takes_a_path_and_parameters(tmp_path):
    path = written(tmp_path, "decay")
    run = odevsr("show", str(path), "--param", "rate=2/7", "--param", "gain=0.5", "--json")
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
        "start": 5.0,
        "meaning": "nuclei left",
    }


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["show", "lorentz"], 2, "there is no system 'lorentz'; did you mean lorenz?"),
        (["show", "nowhere.toml"], 2, "nowhere.toml: there is no such file"),
        (["show", "lorenz", "--param", "sigma"], 2, "'sigma' is not NAME=VALUE"),
        (["show", "lorenz", "--param", "sigm=1"], 2, "no parameter 'sigm'; did you mean sigma?"),
        (["show", "lorenz", "--param", "rho=x"], 2, "parameter rho: unknown symbol 'x'"),
        (["systems", "--systems", "nowhere"], 2, "nowhere is not a folder"),
    ],
)
def test_wrong_usage_is_one_sentence_on_stderr(arguments, code, sentence):
    run = odevsr(*arguments)
    assert (run.returncode, run.stdout) == (code, "")
    assert run.stderr.startswith("odevsr: error: ")
    assert sentence in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_bad_system_file_is_exit_code_three(tmp_path):
    path = written(tmp_path, "decay", changed("-rate*amount", "open('x')"))
    run = odevsr("show", str(path))
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr.startswith(f"odevsr: error: {path}:15: equation of amount: ")


@pytest.mark.parametrize("arguments", [["show"], ["nonsense"], ["systems", "--nonsense"]])
def test_an_unreadable_command_line_is_exit_code_two(arguments):
    run = odevsr(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert "Traceback" not in run.stderr


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
    equations = [line for line in odevsr("show", name).stdout.splitlines() if "/dt = " in line]
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


def test_a_closed_pipe_is_no_error_message():
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run(
        [sys.executable, "-m", "odevsr", "systems"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert run.stderr == b""


def test_letters_that_an_old_terminal_lacks_are_escaped():
    run = odevsr("show", "roessler", PYTHONIOENCODING="ascii")
    assert run.returncode == 0
    assert "R\\xf6ssler" in run.stdout


def test_an_interrupt_is_exit_code_130(monkeypatch, capsys):
    def interrupted(folders):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "registry", interrupted)
    assert cli.run(["systems"]) == 130
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["sigma", "sigma:10"])
def test_a_parameter_without_a_value_is_refused(text):
    with pytest.raises(UsageError, match="is not NAME=VALUE"):
        cli.overrides([text])


def test_a_parameter_given_twice_is_refused():
    with pytest.raises(UsageError, match="--param sigma is given twice"):
        cli.overrides(["sigma=1", "sigma = 2"])
