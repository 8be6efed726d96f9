"""Calls of an expensive simulator spread over workers: every batch is split into parts.

Answers are kept as they arrive. Where a worker is lost, the parts without an answer are asked for
again; a part that loses its worker again and again, also alone, is left out with a note, like a
state from which the simulator cannot go on.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.discovery.executors import Workers, completed
from odevsr.discovery.task import Event, Listener
from odevsr.errors import LostProcessError, SimulationError
from odevsr.world.experiments.launch_book import LaunchBook
from odevsr.world.simulators.answering import Answer, MakeLaunch, answer
from odevsr.world.simulators.guard import HangingError
from odevsr.world.studied import Studied

PARTS = 64
"""Parts of a batch, at most: enough for many workers, few enough to be sent."""
TOGETHER, ALONE = 2, 2
"""How often parts are tried with others, and then alone, before one is left out."""


@contextmanager
def spread(
    studied: Studied, workers: Workers, folder: Path | None, on_event: Listener
) -> Iterator[Studied]:
    """The target, whose launches are shared out and, if there is a folder, kept there."""
    with ExitStack() as stack:
        pool = _Pool(workers, stack)

        def shared_out(make: MakeLaunch, name: str) -> MakeLaunch:
            path = None if folder is None else folder / f"{name}.h5"
            book = LaunchBook(path, studied.digest)
            stack.callback(book.write)
            launch = _SpreadLaunch(pool.portable(make), pool, book, on_event)
            return lambda: launch

        rates = studied.make_rates
        yield replace(
            studied,
            make_launch=shared_out(studied.make_launch, "launches"),
            make_rates=None if rates is None else shared_out(rates, "rates"),
        )


@dataclass(eq=False)
class _SpreadLaunch:
    """A launcher that asks the workers for what is not in the book."""

    made: MakeLaunch | bytes
    pool: _Pool
    book: LaunchBook
    on_event: Listener

    def __call__(self, states: FloatArray, step: float | FloatArray) -> FloatArray:
        """States after these times; nan where the simulator fails, unless it does everywhere."""
        rows = np.column_stack([states, np.broadcast_to(step, len(states))])
        answers = [self.book.answer(row) for row in rows]
        asked = [index for index, each in enumerate(answers) if each is None]
        parts = [part for part in np.array_split(np.array(asked, int), PARTS) if part.size]
        failures = []
        for number, found in self._answers({n: rows[part] for n, part in enumerate(parts)}):
            if isinstance(found, SimulationError):
                failures.append((parts[number], found))
                continue
            self.book.add(rows[parts[number]], found)
            for index, end in zip(parts[number].tolist(), found, strict=True):
                answers[index] = end
        known = [each for each in answers if each is not None]
        if failures and not known:
            raise failures[0][1]
        nothing = np.full(known[0].shape if known else states.shape[1:], np.nan)
        for part, error in failures:
            self._leave_out(rows[part], nothing, error)
        return np.array([nothing if each is None else each for each in answers]).reshape(
            len(states), len(nothing)
        )

    def _leave_out(self, rows: FloatArray, nothing: FloatArray, error: SimulationError) -> None:
        """Keep that there is no answer; what was tried in vain again and again is told."""
        self.book.add(rows, np.tile(nothing, (len(rows), 1)))
        if isinstance(error, LostProcessError | HangingError):
            where = ", ".join(f"{value:.6g}" for value in rows[0, :-1])
            count = "a state" if len(rows) == 1 else f"{len(rows)} states"
            self.on_event(Event(message=f"{count} left out, from ({where}) on: {error}"))

    def _answers(self, parts: Mapping[int, FloatArray]) -> Iterator[tuple[int, Answer]]:
        """Answers with the numbers of their parts, as they arrive, even if workers are lost."""
        left = dict(parts)
        for _ in range(TOGETHER):
            try:
                for number, found in self.pool.answers(self.made, left):
                    del left[number]
                    yield number, found
            except LostProcessError as error:
                self.pool.renew(error)
                self.on_event(Event(message=f"{error}; what it simulated is simulated again"))
        for number, rows in left.items():
            yield number, self._alone(rows)

    def _alone(self, rows: FloatArray) -> Answer:
        lost = LostProcessError("nobody answered")
        for _ in range(ALONE):
            try:
                return next(found for _, found in self.pool.answers(self.made, {0: rows}))
            except LostProcessError as error:
                self.pool.renew(error)
                lost = error
        return lost


class _Pool:
    """The workers: an executor, processes of our own, or this one."""

    def __init__(self, workers: Workers, stack: ExitStack) -> None:
        self._jobs = workers if isinstance(workers, int) else 0
        self._executor: Executor | None = workers if isinstance(workers, Executor) else None
        self._own = stack.enter_context(ExitStack())
        if self._jobs > 1:
            self._start()

    def _start(self) -> None:
        from odevsr.discovery.processes import own_processes

        self._executor = self._own.enter_context(own_processes(self._jobs))

    def renew(self, error: LostProcessError) -> None:
        """Replace processes of our own one of which was lost; others cannot be."""
        if self._jobs <= 1:
            raise error
        self._own.close()
        self._start()

    def portable(self, make: MakeLaunch) -> MakeLaunch | bytes:
        """The maker of a launcher in a form that can be sent to the workers."""
        if self._executor is None or isinstance(self._executor, ThreadPoolExecutor):
            return make
        from odevsr.discovery.processes import check_portable

        check_portable(make)
        return pickle.dumps(make)

    def answers(
        self, made: MakeLaunch | bytes, parts: Mapping[int, FloatArray]
    ) -> Iterator[tuple[int, Answer]]:
        """Answers with the numbers of their parts, as they arrive; raises LostProcessError."""
        if self._executor is None:
            yield from ((number, answer(made, rows)) for number, rows in list(parts.items()))
        else:
            yield from completed(self._executor, partial(answer, made), dict(parts))
