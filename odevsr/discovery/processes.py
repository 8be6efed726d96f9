"""Tasks in processes of their own, each importing what it needs; the same answers as in one."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event as Flag
from threading import current_thread, main_thread

from odevsr.discovery.spawning import cause_of_death
from odevsr.discovery.task import Event, Listener, Task, run_task
from odevsr.errors import UsageError
from odevsr.vertical.equation import Equation

LISTEN_SECONDS = 0.1


def run_in_processes(tasks: Sequence[Task], jobs: int, on_event: Listener) -> Iterator[Equation]:
    """The tasks' equations as they are found; events come through a queue, in this thread."""
    _check_portable(tasks)
    context = multiprocessing.get_context("spawn")
    events: Queue[Event] = context.Queue()
    stop = context.Event()
    pool = ProcessPoolExecutor(jobs, context, initializer=_prepare, initargs=(events, stop))
    try:
        with _interruption_kept_back():
            pending = {pool.submit(_work, task) for task in tasks}
        processes = multiprocessing.active_children()
        while pending:
            done, pending = wait(pending, timeout=LISTEN_SECONDS, return_when=FIRST_COMPLETED)
            _tell(events, on_event)
            for future in done:
                yield _outcome(future, processes)
    finally:
        # Ctrl-C reaches the workers as this flag, so that they can write what they measured.
        with further_interruptions_ignored():
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
        _tell(events, on_event)


@contextmanager
def _interruption_kept_back() -> Iterator[None]:
    """Processes started inside never see Ctrl-C, not even while they start; we do, afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def further_interruptions_ignored() -> Iterator[None]:
    """Ctrl-C pressed again while processes end would leave them behind, and us waiting for them."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_portable(tasks: Sequence[Task]) -> None:
    try:
        pickle.dumps(tasks[0])
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"the target cannot be sent to other processes ({error}); use one job, or a function "
            "that can be imported"
        ) from None


def _outcome(future: Future[Equation], processes: Sequence[BaseProcess]) -> Equation:
    try:
        return future.result()
    except BrokenProcessPool:
        for each in processes:
            each.join(LISTEN_SECONDS)
        raise cause_of_death(processes) from None


def _tell(events: Queue[Event], on_event: Listener) -> None:
    while True:
        try:
            on_event(events.get_nowait())
        except queue.Empty:
            return


class _Worker:
    """What this process was given when it started."""

    events: Queue[Event]
    stop: Flag


def _prepare(events: Queue[Event], stop: Flag) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.events, _Worker.stop = events, stop


def _work(task: Task) -> Equation:
    def forward(event: Event) -> None:
        if _Worker.stop.is_set() and event.unfinished is None:
            raise KeyboardInterrupt
        _Worker.events.put(event)

    return run_task(task, forward)
