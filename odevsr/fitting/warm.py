"""Loading the compiled kernels, with a word to the user when that takes long."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from threading import Timer

PATIENCE = 1.0
"""Seconds after which a silent wait is explained."""
COMPILING = "loading the fitting engine (once after installation it is compiled, about 10 s)"


def load_engine(announce: Callable[[str], None]) -> None:
    """Import the kernels: from the disk in a moment, or compiled when there is no copy yet.

    `announce` gets one sentence, from another thread, if it takes longer than a moment.
    """
    explained(lambda: import_module("odevsr.fitting.fit"), announce, COMPILING, PATIENCE)


def explained(
    work: Callable[[], object], announce: Callable[[str], None], sentence: str, patience: float
) -> None:
    """Do the work; if it lasts longer than `patience` seconds, announce the sentence meanwhile."""
    timer = Timer(patience, announce, [sentence])
    timer.daemon = True
    timer.start()
    try:
        work()
    finally:
        timer.cancel()
