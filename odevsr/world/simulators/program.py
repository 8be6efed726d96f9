"""A program that answers lines with lines: started when first asked, kept alive, ended for sure."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
import weakref
from collections.abc import Sequence
from io import FileIO
from typing import IO

from odevsr.errors import SimulationError

PIECE = 65_536
SHOWN = 60
"""Letters of a wrong answer that are shown."""
END_SECONDS = 5.0
"""How long a program that was killed, or closed its output, is waited for."""
GATE = ("/bin/sh", "-c", 'read -r _ && exec "$@"', "gate")
NO_PROGRAM = 126
"""How the gate ends if what it opens for is no program."""
WATCH = ("/bin/sh", "-c", 'read -r _; kill -s KILL -- "-$1"', "watch")


class EndedError(Exception):
    """A program ended before it had answered."""


class AskedProgram:
    """A program, by its words; started again if it has died since it was asked last."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._run: _Run | None = None

    def ask(self, request: bytes, count: int, longest: int) -> list[bytes]:
        """The `count` lines that answer the request, of at most `longest` bytes each.

        A program that dies is asked once more; an EndedError says that it died again.
        """
        run = self._run = self._run or _Run(self._words)
        try:
            return run.ask(request, count, longest)
        except EndedError:
            if self._run is not run:  # it was stopped meanwhile
                raise
            self.stop()
            self._run = _Run(self._words)
            return self._run.ask(request, count, longest)
        except SimulationError:
            self.stop()
            raise

    def stop(self) -> None:
        """End the program, if it runs, with all that it has started."""
        run, self._run = self._run, None
        if run is not None:
            run.end()


class _Run:
    """One life of a program; it ends with this value, or with Python, at the latest."""

    def __init__(self, words: Sequence[str]) -> None:
        self._name = words[0]
        self._process, watcher = _started(words)
        self._unread = bytearray()
        self.end = weakref.finalize(self, _end, self._process, watcher)

    def ask(self, request: bytes, count: int, longest: int) -> list[bytes]:
        """The lines that answer a request, which is written while they are read."""
        with _own(self._process.stdout) as said:
            self._check_silence(said)
            asked = _own(self._process.stdin)
            writer = threading.Thread(target=_write, args=(asked, request), daemon=True)
            writer.start()
            answer = [self._line(said, longest) for _ in range(count)]
        writer.join()
        return answer

    def _line(self, said: FileIO, longest: int) -> bytes:
        while (end := self._unread.find(b"\n")) < 0:
            if len(self._unread) > longest:
                raise SimulationError(
                    f"{self._name} answered a line of more than {longest} bytes, beginning with "
                    f"{_shown(self._unread)}; have it answer with the states asked for, and no more"
                )
            self._read(said)
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return line

    def _read(self, said: FileIO) -> None:
        piece = said.read(PIECE)
        if not piece:
            raise self._ended()
        self._unread += piece

    def _ended(self) -> Exception:
        try:
            code = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return EndedError(f"{self._name} ended its output before it had answered")
        if code == NO_PROGRAM:
            return _unstartable(self._name, "the system does not know how to run it")
        how = f"with exit code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"
        return EndedError(f"{self._name} ended {how} before it had answered")

    def _check_silence(self, said: FileIO) -> None:
        """Refuse what was said without being asked: it would be taken for the next answer."""
        if os.name == "posix" and select.select([said], [], [], 0)[0]:
            self._read(said)
        if self._unread:
            raise SimulationError(
                f"{self._name} said {_shown(self._unread)} without being asked; have it print "
                "nothing but answers on stdout"
            )


def _write(asked: FileIO, request: bytes) -> None:
    rest = memoryview(request)
    with asked, contextlib.suppress(OSError):  # who reads the answer sees that it has ended
        while rest:
            rest = rest[asked.write(rest) :]


def _own(pipe: IO[bytes] | None) -> FileIO:
    """The same pipe under a number of its own.

    A program may be ended while somebody still writes to it, or reads: were its pipe closed under
    them, they might go on in that of the next program, which would be given the same number.
    """
    source = _pipe(pipe)
    return FileIO(os.dup(source.fileno()), source.mode)


def _started(
    words: Sequence[str],
) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes] | None]:
    """A program, and who kills it and what it started should we be killed ourselves.

    The program waits at a gate until somebody watches over it, and ends there if we do.
    """
    try:
        if os.name != "posix":
            return _running(words), None
        program = _running([*GATE, *words])
        watcher = _running([*WATCH, str(program.pid)])
    except OSError as error:
        raise _unstartable(words[0], str(error.strerror)) from None
    with contextlib.suppress(OSError):
        _pipe(program.stdin).write(b"\n")
    return program, watcher


def _unstartable(name: str, why: str) -> SimulationError:
    return SimulationError(f"{name} cannot be started ({why}); make it a program that runs")


def _running(words: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process that listens and answers, in a group of its own: Ctrl-C is ours."""
    pipe = subprocess.PIPE
    return subprocess.Popen(words, bufsize=0, stdin=pipe, stdout=pipe, start_new_session=True)


def _end(process: subprocess.Popen[bytes], watcher: subprocess.Popen[bytes] | None) -> None:
    """Kill a program and what it started, and take note that it is dead."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    for each in (watcher, process):  # nobody watches over an id that others may be given
        if each is not None:
            each.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                each.wait(END_SECONDS)
            for pipe in (each.stdin, each.stdout):
                with contextlib.suppress(OSError):
                    _pipe(pipe).close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # it was asked for
    return pipe


def _shown(said: bytes | bytearray) -> str:
    return repr(bytes(said[:SHOWN]).decode(errors="replace"))
