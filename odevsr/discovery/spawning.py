"""Why processes ended before their work was done, and what to say of it.

Programs that start processes without `if __name__ == "__main__":` run again in each.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterable
from multiprocessing.process import BaseProcess

from odevsr.errors import LostProcessError, OdevsrError, SimulationError, UsageError

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
    codes = [each.exitcode for each in processes if each.exitcode]
    if UNGUARDED in codes:
        return UsageError(
            "with several jobs each process imports the program that started it; put what the "
            'program does under `if __name__ == "__main__":`, or use one job'
        )
    ended = next((code for code in codes if code > 0), None)
    if ended is not None:
        return SimulationError(
            f"a process that searched for an equation ended with exit code {ended}; if your "
            "simulator calls os._exit, or a library of it does, have it raise an error instead"
        )
    others = -int(signal.SIGTERM)  # how the pool ends the rest once one has died
    by = next((code for code in codes if code != others), others)
    return LostProcessError(
        f"a process that searched for an equation was ended by {_signal_name(-by)}; {_advice(-by)}"
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _advice(number: int) -> str:
    if number in (signal.SIGTERM, getattr(signal, "SIGKILL", None)):
        return "if nobody else did that, there may be too little memory: use fewer jobs"
    return "if your simulator is compiled code, call it with one job to see where it fails"
