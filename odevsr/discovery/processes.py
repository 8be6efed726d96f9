"""Tasks in processes of their own, each importing what it needs; the same answers as in one.

Processes end with the one that started them, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, TypeVar

from odevsr.discovery.spawning import cause_of_death
from odevsr.errors import UsageError

if TYPE_CHECKING:  # workers that only simulate need not load a search
    from odevsr.discovery.task import Event, Listener

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task, "Listener"], Result]
"""What a process does of a task, telling a listener how it goes."""

LISTEN_SECONDS = 0.1
GRACE_SECONDS = 1.0
"""How long processes that are stopped may take to tell how far they came."""


def run_in_processes(
    work: Work[Task, Result], tasks: Mapping[int, Task], jobs: int, on_event: Listener
) -> Iterator[tuple[int, Result]]:
    """Results with the numbers of their tasks, as they arrive; events are told in this thread.

    If a process is killed, so are the others: a LostProcessError says by what, and what was not
    done yet can be tried again.
    """
    check_portable(next(iter(tasks.values())))
    context = multiprocessing.get_context("spawn")
    events: Queue[Event] = context.Queue()
    worker_end, own_end = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _prepare_worker, (events, worker_end))
    others = multiprocessing.active_children()
    processes: list[BaseProcess] = []
    pending: set[Future[Result]] = set()
    try:
        with _interruption_kept_back():
            numbers = {pool.submit(_work_on, work, task): number for number, task in tasks.items()}
            pending = set(numbers)
            processes = [each for each in multiprocessing.active_children() if each not in others]
        while pending:
            done, pending = wait(pending, timeout=LISTEN_SECONDS, return_when=FIRST_COMPLETED)
            _pass_on(events, on_event)
            for future in done:
                yield numbers[future], _outcome(future, processes)
    finally:
        # Ctrl-C reaches the workers as the end of this pipe, so that they can write what they
        # measured. A flag would have to wait until all of them are awake.
        with further_interruptions_ignored():
            own_end.close()
            pool.shutdown(wait=not pending, cancel_futures=True)
            _pass_on_until_ended(processes, events, on_event)


@contextmanager
def own_processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes for whatever is submitted to them, which end with us, however that is."""
    context = multiprocessing.get_context("spawn")
    worker_end, own_end = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _prepare_worker, (context.Queue(), worker_end))
    others = multiprocessing.active_children()
    try:
        with _interruption_kept_back():
            pool.submit(int)  # starts them
        yield pool
    finally:
        with further_interruptions_ignored():
            own_end.close()
            pool.shutdown(wait=False, cancel_futures=True)
            for each in multiprocessing.active_children():
                if each not in others:
                    each.kill()


def _pass_on_until_ended(
    processes: Sequence[BaseProcess], events: Queue[Event], on_event: Listener
) -> None:
    """Pass on the last events of the processes; kill those that take too long, busy in C."""
    deadline = time.monotonic() + GRACE_SECONDS
    while any(each.is_alive() for each in processes) and time.monotonic() < deadline:
        _pass_on(events, on_event)
        time.sleep(LISTEN_SECONDS)
    _pass_on(events, on_event)
    for each in processes:
        if each.is_alive():
            each.kill()


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


def check_portable(task: object) -> None:
    """Refuse what no other process can be given."""
    try:
        pickle.dumps(task)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"the target cannot be sent to other processes ({error}); use one job, or a function "
            "that can be imported"
        ) from None


def _outcome(future: Future[Result], processes: Sequence[BaseProcess]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool:
        for each in processes:
            each.join(LISTEN_SECONDS)
        raise cause_of_death(processes) from None


def _pass_on(events: Queue[Event], on_event: Listener) -> None:
    while True:
        try:
            on_event(events.get_nowait())
        except queue.Empty:
            return


class _Worker:
    """What this process was given when it started, and whether it may be interrupted now."""

    events: Queue[Event]
    is_busy = False
    is_stopped = False


def _prepare_worker(events: Queue[Event], worker_end: Connection) -> None:
    """Ctrl-C does nothing here; the end of the pipe interrupts as Ctrl-C does elsewhere."""
    _Worker.events = events
    signal.signal(signal.SIGINT, _on_interrupt)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_stop_with_pipe, args=(worker_end,), name="stop", daemon=True).start()


def _stop_with_pipe(worker_end: Connection) -> None:
    """Interrupt what this process does once it should stop; end it soon after its parent."""
    worker_end.poll(None)
    _Worker.is_stopped = True
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)  # wakes it if it waits
    else:
        interrupt_main()
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(GRACE_SECONDS)
        os._exit(1)


def _on_interrupt(_signal: int, _frame: object) -> None:
    if _Worker.is_stopped and _Worker.is_busy:
        _Worker.is_busy = False  # once is enough: what follows must not be cut short
        raise KeyboardInterrupt


def _work_on(work: Work[Task, Result], task: Task) -> Result:
    _Worker.is_busy = True
    try:
        if _Worker.is_stopped:
            raise KeyboardInterrupt
        return work(task, _Worker.events.put)
    finally:
        _Worker.is_busy = False
