"""Ctrl-C, heard whatever becomes of it on its way.

Libraries that are being loaded or are compiling may swallow an interrupt, or raise errors of their
own instead. So it is said again until somebody is seen to act on it.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType

AGAIN = 1.0
"""Seconds after which an interrupt that nobody acts on is said again."""


def insist() -> Callable[[], bool]:
    """Let interrupts be said again from now on; tells whether there was one."""
    heard: list[int] = []

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        _again_after(AGAIN)
        signal.default_int_handler(number, frame)

    def say_again(number: int, frame: FrameType | None) -> None:
        if signal.getsignal(signal.SIGINT) is not hear or _is_acted_on():
            _again_after(AGAIN)  # unless what is done about it ends the program, as it should
        else:
            hear(number, frame)

    signal.signal(signal.SIGINT, hear)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, say_again)
    return lambda: bool(heard)


def acted_on() -> None:
    """What an interrupt asked for is being done: it is not said again."""
    _again_after(0)


def _again_after(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _is_acted_on() -> bool:
    """True where an interrupt is being handled, or passes on its way out."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None
