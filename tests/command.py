"""The real command, in a process of its own."""

import os
import subprocess
import sys


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
