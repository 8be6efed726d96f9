"""Tasks done one after the other, in processes of our own, or by an executor that someone brings.

The result of a task does not depend on who does it, nor on how many are done at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from odevsr.discovery.task import Event, Listener
from odevsr.errors import LostProcessError, UsageError
from odevsr.plain import whole

if TYPE_CHECKING:
    from odevsr.discovery.processes import Result, Task, Work

Workers = Executor | int
"""An executor, or the number of processes that work; 1 is this process."""


def side_by_side(
    work: Work[Task, Result],
    tasks: Sequence[Task],
    workers: Workers,
    on_event: Listener,
    on_loss: Callable[[], None] = lambda: None,
) -> Generator[Result]:
    """The results of the tasks, as they arrive.

    If a process is lost, `on_loss` is called and the tasks left are tried again; if another is lost
    before any of them is done, its error is raised.
    """
    left = dict(enumerate(tasks))
    is_again = False
    while left:
        before = len(left)
        try:
            with closing(_results(work, dict(left), workers, on_event)) as results:
                for number, result in results:
                    del left[number]
                    yield result
        except LostProcessError as error:
            if is_again and len(left) == before:
                raise
            is_again = True
            on_loss()
            on_event(Event(message=f"{error}; what it searched is searched again"))


def checked_workers(jobs: int, executor: Executor | None = None) -> Workers:
    """The executor, or the number of processes, if this program may start any."""
    jobs = whole("the number of jobs", jobs, 1)
    if executor is None:
        if jobs > 1:
            from odevsr.discovery.spawning import check_program

            check_program()
        return jobs
    if not isinstance(executor, Executor):
        raise UsageError(
            f"a {type(executor).__name__} is no executor; give one of concurrent.futures, or of a "
            "library that has them, such as client.get_executor() of dask"
        )
    if jobs > 1:
        raise UsageError("an executor knows how many processes it has; leave out jobs")
    return executor


def _results(
    work: Work[Task, Result], tasks: Mapping[int, Task], workers: Workers, on_event: Listener
) -> Generator[tuple[int, Result]]:
    """Results with the numbers of their tasks; an executor's events come with the results."""
    if isinstance(workers, Executor):
        for number, (events, result) in completed(workers, partial(_with_events, work), tasks):
            for event in events:
                on_event(event)
            yield number, result
    elif min(workers, len(tasks)) > 1:
        from odevsr.discovery.processes import run_in_processes

        yield from run_in_processes(work, tasks, min(workers, len(tasks)), on_event)
    else:
        yield from ((number, work(task, on_event)) for number, task in tasks.items())


def _with_events(work: Work[Task, Result], task: Task) -> tuple[list[Event], Result]:
    events: list[Event] = []
    return events, work(task, events.append)


def completed(
    executor: Executor, work: Callable[[Task], Result], tasks: Mapping[int, Task]
) -> Iterator[tuple[int, Result]]:
    """Results with the numbers of their tasks, as they arrive; raises LostProcessError."""
    futures: dict[Future[Result], int] = {}
    try:
        for number, task in tasks.items():
            futures[executor.submit(work, task)] = number
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenExecutor as error:
        raise LostProcessError(f"a process of the executor was lost ({error})") from None
    finally:
        for future in futures:
            future.cancel()
