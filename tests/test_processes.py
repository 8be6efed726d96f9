"""Processes that end undisturbed."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from outcomes import outcome

from odevsr import discover
from odevsr.discovery.passes import StoppedError
from odevsr.discovery.processes import further_interruptions_ignored


def test_an_interruption_while_processes_end_is_ignored_and_the_next_is_not():
    with further_interruptions_ignored():
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_in_another_thread_interruptions_are_left_as_they_are():
    before = []

    def work():
        with further_interruptions_ignored():
            before.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert before == [signal.getsignal(signal.SIGINT)]


TESTS = Path(__file__).parent


def history(folder):
    return sorted((folder / "history.jsonl").read_text().splitlines())


@contextmanager
def waiting(name):
    """The command at work on a simulator, once two processes of its own wait for that."""
    words = ["discover", f"simulators:{name}", "--jobs", "2", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "odevsr", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])},
    ) as process:  # fmt: skip
        assert process.stderr is not None
        for _ in range(2):
            while process.stderr.readline() != "waiting\n":
                assert process.poll() is None
        yield process


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are interrupted otherwise there")
@pytest.mark.parametrize(
    ("name", "told"), [("waits_elsewhere", {"x", "y"}), ("sticks_elsewhere", None)]
)
def test_an_interruption_ends_processes_whatever_they_do(name, told):
    with waiting(name) as process:
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=100)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["interrupted"]
    unfinished = {each["variable"] for each in found["unfinished"]}
    assert unfinished == told or (told is None and unfinished <= {"x", "y"})
    assert "Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="nothing is killed by signals there")
def test_processes_end_with_the_one_that_started_them_even_if_that_is_killed():
    with waiting("waits_elsewhere") as process:
        process.kill()
        process.communicate(timeout=100)  # which ends when nobody is left to write
    assert process.returncode == -signal.SIGKILL


@pytest.mark.skipif(os.name == "nt", reason="nothing is killed by signals there")
def test_what_a_killed_process_searched_is_searched_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ODEVSR_TEST_MARKER", str(tmp_path / "killed"))
    told = []
    found = discover("simulators:killed_once_elsewhere", jobs=2, out=tmp_path / "run",
                     on_event=lambda event: told.append(event.message))  # fmt: skip
    assert [each for each in told if "ended by SIGKILL" in each and "searched again" in each]
    alone = discover("simulators:killed_once_elsewhere", out=tmp_path / "alone")
    assert outcome(found) == outcome(alone)
    assert history(tmp_path / "run") == history(tmp_path / "alone")


@pytest.mark.skipif(os.name == "nt", reason="nothing is killed by signals there")
def test_a_process_that_is_killed_each_time_ends_the_run_with_the_signal_that_did_it():
    with pytest.raises(StoppedError, match=r"ended by SIGKILL; .* too little memory"):
        discover("simulators:killed_elsewhere", jobs=2)
