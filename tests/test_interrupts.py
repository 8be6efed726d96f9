import os
import signal
import subprocess
import sys
import time

import pytest

from odevsr.exit_codes import INTERRUPTED

SWALLOWED = """
import time
from odevsr.interrupts import insist
insist()
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    pass
print("swallowed", flush=True)
time.sleep(60)
"""
SWALLOWED_SLOWLY = SWALLOWED.replace("    pass", "    time.sleep(1.5)")
ACTED_ON = """
import time
from odevsr.interrupts import insist
insist()
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1.5)
    print("kept", flush=True)
"""
TURNED = """
import odevsr.cli, os, signal
def command():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("a library's own error") from None
odevsr.cli.main = command
from odevsr.__main__ import main
main()
"""
WRONG = """
import odevsr.cli
def command():
    raise RuntimeError("a mistake of ours")
odevsr.cli.main = command
from odevsr.__main__ import main
main()
"""


def interrupted(program):
    """How a program ended that was interrupted once it was ready, and what it said."""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        said, _ = process.communicate(timeout=30)
        return process.returncode, said, time.monotonic() - began


@pytest.mark.skipif(os.name == "nt", reason="Windows has no timer that interrupts")
@pytest.mark.parametrize("program", [SWALLOWED, SWALLOWED_SLOWLY])
def test_an_interrupt_that_was_swallowed_is_said_again(program):
    code, said, seconds = interrupted(program)
    assert said == "swallowed\n"
    assert code != 0
    assert seconds < 10


def test_an_interrupt_that_is_acted_on_is_not_said_again():
    code, said, _ = interrupted(ACTED_ON)
    assert (code, said) == (0, "kept\n")


@pytest.mark.parametrize(("program", "code"), [(TURNED, INTERRUPTED), (WRONG, 1)])
def test_what_an_interrupt_became_ends_quietly_and_no_other_error_does(program, code):
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert ("Traceback" in done.stderr) == (code == 1)
