"""Programs as simulators; whatever they do, nothing hangs and nothing is left running."""

import contextlib
import gc
import json
import os
import pickle
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from odevsr.cli import run
from odevsr.discovery.discover import discover
from odevsr.errors import SimulationError, UsageError
from odevsr.language.text import to_text
from odevsr.world.simulators import program
from odevsr.world.simulators.command import command
from odevsr.world.simulators.guard import guarded
from odevsr.world.studied import study

EXAMPLES = Path(__file__).parents[1] / "examples"
STATES, STEPS = np.array([[1.0], [2.0], [3.0]]), np.full(3, 0.5)
SPRING = """
import json, math, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        answer = {"variables": {"x": [0.5, 2], "v": [-1, 1]}, "inputs": {"u": [-1, 1]}}
    else:
        rows = zip(asked["states"], asked["steps"], asked["inputs"]["u"])
        answer = {"states": [
            [u + (x - u) * math.cos(h) + v * math.sin(h), (u - x) * math.sin(h) + v * math.cos(h)]
            for (x, v), h, u in rows
        ]}
    print(json.dumps(answer), flush=True)
"""
LINES = """
import os, sys, time
open({pids!r}, "a").write(f"{{os.getpid()}}\\n")
calls = 0
for line in sys.stdin:
    step, x = map(float, line.split(","))
    calls += 1
    {body}
"""


@pytest.fixture
def written(tmp_path):
    """Write a Python program, and give the command that runs it."""

    def write(text):
        path = tmp_path / "plant.py"
        path.write_text(text, encoding="utf-8")
        return shlex.join([sys.executable, "-I", "-S", str(path)])

    return write


@pytest.fixture
def lines(written, tmp_path):
    """A program that does `body` for each line `step,x`; its processes' ids are written down."""

    def make(body):
        pids = str(tmp_path / "pids")
        return command(written(LINES.format(pids=pids, body=body)), x=(0, 10))

    return make


def lives(tmp_path):
    """The ids of all processes that a program has had so far."""
    file = tmp_path / "pids"
    return [int(pid) for pid in file.read_text().split()] if file.exists() else []


def is_running(pid):
    """True if a process is there and has not ended; one that nobody waits for may stay listed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends_soon(pid):
    deadline = time.monotonic() + 60
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_running(pid)


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")


def test_a_program_that_says_what_it_is_is_discovered(written):
    found = discover(command(written(SPRING)), components="v")
    assert to_text(found.equations[0].expression) == "u - x"
    assert found.equations[0].status.value == "identified"


def test_a_program_is_named_in_the_run_and_can_be_sent_to_another_process(written):
    text = written(SPRING)
    studied = study(command(text))
    again = pickle.loads(pickle.dumps(studied))
    states = np.array([[1.0, 0.0, 0.5]])
    np.testing.assert_array_equal(
        again.make_launch()(states, 0.1), studied.make_launch()(states, 0.1)
    )
    assert again.name == text
    assert study(command(text), ranges={"x": (1, 2)}).digest != studied.digest


def test_a_program_whose_variables_are_given_gets_plain_lines(lines):
    double = lines("print(2 * x + step, flush=True)")
    np.testing.assert_array_equal(guarded(double)(STATES, 0.5), 2 * STATES + 0.5)


def test_a_program_is_kept_alive_between_calls(lines, tmp_path):
    counting = lines("print(calls, flush=True)")
    launch = guarded(counting)
    assert launch(STATES, 0.5).ravel().tolist() == [1, 2, 3]
    assert launch(STATES, 0.5).ravel().tolist() == [4, 5, 6]
    assert len(lives(tmp_path)) == 1


def test_a_program_that_dies_is_started_again(lines, tmp_path):
    once = lines("print(x, flush=True); calls < 3 or sys.exit(1)")
    for _ in range(4):
        np.testing.assert_array_equal(once(STATES, STEPS), STATES)
    assert len(lives(tmp_path)) > 1


def test_what_is_late_for_a_program_never_reaches_the_next(lines, monkeypatch):
    def late(asked, request):
        number = asked.fileno()
        time.sleep(0.1)
        with asked, contextlib.suppress(OSError):
            os.write(number, request)

    monkeypatch.setattr(program, "_write", late)
    dying = lines("print(x, flush=True); x != 3 or sys.exit(time.sleep(0.05))")
    for states in (STATES, STATES + 3, STATES + 6):
        np.testing.assert_array_equal(dying(states, STEPS), states)


def test_states_at_which_a_program_dies_are_nan(lines):
    fragile = lines("os._exit(1) if x == 2 else print(x, flush=True)")
    assert np.isnan(guarded(fragile)(STATES, 0.5)).ravel().tolist() == [False, True, False]


def test_what_is_no_number_is_nan(lines):
    launch = guarded(lines("print('nan' if x == 2 else x, flush=True)"))
    assert np.isnan(launch(STATES, 0.5)).ravel().tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("sys.exit(3)", "ended with exit code 3 before it had answered"),
        ("print('0.5', end='', flush=True); sys.exit(0)", "exit code 0 before it had answered"),
        ("os.kill(os.getpid(), 9)", "ended by SIGKILL before"),
        ("print('now: ', x, flush=True)", "answered 'now:  1.0', which are no numbers"),
        ("print(x, x, flush=True)", r"array of shape \(1, 2\) for states \(1, 1\)"),
        ("print(x, 'done', sep='\\n', flush=True)", "said 'done"),
    ],
)
def test_a_program_that_answers_wrongly_is_told(lines, body, sentence):
    launch = guarded(lines(body))
    with pytest.raises(SimulationError, match=sentence):
        launch(STATES, 0.5)


@needs_proc
@pytest.mark.parametrize(
    ("body", "seconds", "sentence"),
    [
        ("time.sleep(1000)", 1.0, "did not return within 1 seconds"),
        ("print('0.5', end='', flush=True); time.sleep(1000)", 1.0, "did not return within 1"),
        ("while True: os.write(1, b'7' * 1000000)", 60.0, "line of more than 10100 bytes"),
    ],
)
def test_a_program_that_does_not_come_to_an_end_is_ended(lines, tmp_path, body, seconds, sentence):
    launch = guarded(lines(body), seconds)
    with pytest.raises(SimulationError, match=sentence):
        launch(STATES, 0.5)
    assert all(ends_soon(pid) for pid in lives(tmp_path))


@needs_proc
def test_a_program_ends_with_the_value_that_stands_for_it(lines, tmp_path):
    echo = lines("print(x, flush=True)")
    echo(STATES, STEPS)
    (pid,) = lives(tmp_path)
    assert is_running(pid)
    del echo
    gc.collect()
    assert not is_running(pid)


@needs_proc
@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_what_a_program_has_started_ends_with_it(tmp_path):
    pids = shlex.quote(str(tmp_path / "pids"))
    shell = command(f"sh -c {shlex.quote(f'sleep 1000 & echo $! > {pids}; cat; true')}", x=(0, 10))
    assert len(shell(np.array([[1.0]]), np.array([2.0]))[0]) == 2  # step and state come back
    (pid,) = lives(tmp_path)
    assert is_running(pid)
    shell.stop()
    assert ends_soon(pid)


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_ends_when_we_are_killed(tmp_path, how):
    pids = tmp_path / "pids"
    shell = f"sh -c {shlex.quote(f'echo $$ > {pids}; sleep 1000')}"
    words = [sys.executable, "-m", "odevsr", "discover", "--command", shell, "--range", "x=0,1"]
    ours = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (pids.exists() and pids.read_text().strip()):
        assert ours.poll() is None
        time.sleep(0.05)
    ours.send_signal(how)
    ours.wait()
    assert all(ends_soon(pid) for pid in lives(tmp_path))


@needs_proc
def test_the_programs_of_several_jobs_end_too(written, tmp_path, capsys):
    noted = f"import os\nopen({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
    assert run(["discover", "--command", written(noted + SPRING), "--jobs", "2", "--json"]) == 0
    equations = json.loads(capsys.readouterr().out)["equations"]
    assert [each["expression"] for each in equations] == ["v", "u - x"]
    gc.collect()
    assert len(lives(tmp_path)) > 2
    assert all(ends_soon(pid) for pid in lives(tmp_path))


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("import sys; sys.exit(2)", "does not answer the line .* ended with exit code 2"),
        ("import time; time.sleep(1000)", "does not answer the line .*kept silent"),
        (
            "input(); print('Plant 1.0')",
            "answered 'Plant 1.0', which is no JSON object with 'variables'",
        ),
        ("input(); print('[' * 100000)", "no JSON object with 'variables'"),
        ("""input(); print('{"variables": {}}')""", "does not say what its variables are"),
        ("""input(); print('{"variables": {"x": 1}}')""", r"the range of x is \(low, high\)"),
        (
            """input(); print('{"variables": {"x": [0, 1]}, "lines": "xml"}')""",
            "let it say json or csv",
        ),
    ],
)
def test_a_hello_that_says_nothing_is_refused(written, body, sentence):
    with pytest.raises((SimulationError, UsageError), match=sentence):
        study(command(written(body), timeout=0.5 if "sleep" in body else 60.0))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "one thing is studied"),
        (["lorenz", "--command", "true"], "one thing is studied"),
        (["--command", "./no-such-plant"], "there is no program './no-such-plant' to run"),
        (["--command", ""], "there is no program '' to run"),
        (["--command", "a 'b"], "cannot be read"),
        (["--command", "true", "--vary", "u=0,1"], "give their ranges"),
        (["--command", "true", "--param", "u=0"], "no --param or --systems"),
    ],
)
def test_the_command_line_says_what_is_wrong_with_a_command(arguments, sentence, capsys):
    assert run(["discover", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_a_file_that_is_no_program_is_told(tmp_path):
    path = tmp_path / "plant"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(SimulationError, match="cannot be started"):
        command(shlex.quote(str(path)), x=(0, 1))(STATES, STEPS)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler")
def test_the_example_in_c_gives_its_law(tmp_path, capsys):
    plant = tmp_path / "plant"
    subprocess.run(["gcc", "-O2", "-o", plant, EXAMPLES / "plant.c", "-lm"], check=True)
    assert run(["discover", "--command", str(plant), "--components", "speed"]) == 0
    assert "dspeed/dt = -0.2*speed + torque - 6.54*sin(angle)" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="there is no Octave")
def test_the_example_in_octave_gives_its_law(capsys):
    text = f"octave-cli --quiet {shlex.quote(str(EXAMPLES / 'plant.m'))}"
    assert run(["discover", "--command", text, "--components", "hunters"]) == 0
    assert "dhunters/dt" in capsys.readouterr().out


def test_the_running_program_is_found_in_the_folder_of_the_run(monkeypatch, tmp_path, written):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "here"
    path.write_text(f"#!/bin/sh\nexec {written(SPRING)}\n")
    path.chmod(0o755)
    if os.name != "posix":
        pytest.skip("programs need no suffix on POSIX only")
    assert list(command("./here").variables) == ["x", "v"]
