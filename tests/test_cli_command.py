import os
import subprocess
import sys

import pytest

import odevsr as package
from odevsr import cli
from tests.command import odevsr, odevsr_here

HEAVY = {"torch", "numba", "scipy", "sympy", "pysindy", "h5py", "matplotlib", "sklearn"}


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


@pytest.mark.parametrize("arguments", [["show"], ["nonsense"], ["systems", "--nonsense"]])
def test_an_unreadable_command_line_is_exit_code_two(arguments):
    run = odevsr_here(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert "Traceback" not in run.stderr


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

    monkeypatch.setattr("odevsr.cli.systems.registry", interrupted)
    assert cli.run(["systems"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_name_cannot_steer_the_terminal(capsys):
    assert cli.run(["show", "\x1b[2Jnone.toml"]) == 2
    assert "\\x1b[2Jnone.toml" in capsys.readouterr().err
