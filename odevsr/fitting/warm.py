"""Loading the compiled kernels, with a word to the user when they are compiled or it takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Timer
from typing import Any

PATIENCE = 5.0
"""Seconds after which a silent wait is explained."""
COMPILING = "compiling the fitting engine (once after installation, some 10 to 30 s)"
LOADING = "loading the fitting engine"


def load_engine(announce: Callable[[str], None], module: str = "odevsr.fitting.fit") -> None:
    """Import a module with its kernels: from the disk in a moment, or compiled if there is no copy.

    `announce` gets one sentence if they are compiled or, from another thread, if it takes long.
    """
    told: list[str] = []

    def once(sentence: str) -> None:
        if not told:
            told.append(sentence)
            announce(sentence)

    def load() -> None:
        with _compilation(lambda: once(COMPILING)):
            import_module(module)

    explained(load, once, LOADING, PATIENCE)


@contextmanager
def _compilation(told: Callable[[], None]) -> Iterator[None]:
    """Tell whenever numba finds no copy on disk and begins to compile."""
    from numba.core.event import Event, Listener, install_listener

    class Compilation(Listener):
        def on_start(self, event: Event) -> None:
            told()

        def on_end(self, event: Event) -> None:
            pass

    listener: Any = Compilation()
    with install_listener("numba:compile", listener):
        yield


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
