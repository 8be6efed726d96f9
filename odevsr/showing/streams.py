"""Whatever others print while a result is made: it goes to stderr, stdout is for the result."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress

STDOUT, STDERR = 1, 2


@contextmanager
def stdout_kept_free() -> Iterator[None]:
    """What is printed inside goes to stderr, by Python, C or a process started there alike."""
    with redirect_stdout(sys.stderr), _descriptor_redirected():
        yield


@contextmanager
def _descriptor_redirected() -> Iterator[None]:
    try:
        before = os.dup(STDOUT)
    except OSError:  # stdout is closed
        yield
        return
    try:
        with suppress(OSError):  # stderr is closed
            os.dup2(STDERR, STDOUT)
        yield
    finally:
        os.dup2(before, STDOUT)
        os.close(before)
