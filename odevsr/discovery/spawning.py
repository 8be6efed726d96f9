"""Programs that start processes without `if __name__ == "__main__":`, which run again in each."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterable
from multiprocessing.process import BaseProcess

from odevsr.errors import OdevsrError, UsageError

UNGUARDED = 79
"""Exit code of a process that was stopped from starting processes of its own."""


def check_program() -> None:
    """End this process if it is still importing the program that started it.

    Python would refuse to start further processes from here, with a traceback for each; the
    process that waits for this one says what is wrong instead (see `cause_of_death`).
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(UNGUARDED)


def cause_of_death(processes: Iterable[BaseProcess]) -> OdevsrError:
    """What to say of processes that ended before their work was done."""
    if any(each.exitcode == UNGUARDED for each in processes):
        return UsageError(
            "with several jobs each process imports the program that started it; put what the "
            'program does under `if __name__ == "__main__":`, or use one job'
        )
    return OdevsrError(
        "a process that searched for an equation died; there may be too little memory: use one job"
    )
