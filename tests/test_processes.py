"""Processes that end undisturbed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

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


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are interrupted otherwise there")
@pytest.mark.parametrize(
    ("name", "told"), [("waits_elsewhere", {"x", "y"}), ("sticks_elsewhere", None)]
)
def test_an_interruption_ends_processes_whatever_they_do(name, told):
    tests = Path(__file__).parent
    words = ["discover", f"simulators:{name}", "--jobs", "2", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "odevsr", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tests.parent), str(tests)])},
    ) as process:  # fmt: skip
        assert process.stderr is not None
        for _ in range(2):
            while process.stderr.readline() != "waiting\n":
                assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=100)
    found = json.loads(out)
    assert process.returncode == 130
    assert found["interrupted"]
    unfinished = {each["variable"] for each in found["unfinished"]}
    assert unfinished == told or (told is None and unfinished <= {"x", "y"})
    assert "Traceback" not in err
