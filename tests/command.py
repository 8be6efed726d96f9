"""The real command, in a process of its own or, without loading all again, in this one."""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from odevsr.cli import run


def odevsr(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `odevsr` with these arguments and, on top of the present ones, these variables."""
    return subprocess.run(
        [sys.executable, "-m", "odevsr", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | environment,
        check=False,
    )


def odevsr_here(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same in this process: what it says and its exit code."""
    words, out, err = list(map(str, arguments)), StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name, value in environment.items():
            patch.setenv(name, value)
        code = run(words)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
