"""Nobody in: `odevsr bench fuzz`."""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from odevsr.bench.fuzz.judged import FuzzCase, Outcome, judged
from odevsr.bench.fuzz.surfaces import SURFACES, Examples
from odevsr.bench.result import BenchResult, Cell, at_most
from odevsr.errors import UsageError, nearest

LONGEST = 60.0
"""Seconds after which a reader hangs; the first case of a process makes the examples as well."""
MEMORY = 2 << 30
"""Bytes that readers may take beside what a process has once all is imported."""
SHOWN = 20
"""Cases that are told of each kind that is not allowed."""

Task = tuple[str, int]


def bench_fuzz(count: int = 3000, seed: int = 0, cases: Sequence[str] | None = None) -> BenchResult:
    """Change good files at random, so many in all, and have them read.

    A reader may refuse a file with one of our own errors, and do nothing else: no other error, no
    more than some seconds and bytes, no file elsewhere, no character that steers a terminal. They
    work in a process of their own, because nothing else can tell of one that hangs or crashes. A
    case is made again by its number and the seed.
    """
    surfaces = list(SURFACES) if cases is None else list(cases)
    for name in surfaces:
        if name not in SURFACES:
            raise UsageError(f"nothing reads {name!r}; {nearest(name, SURFACES)}")
    tasks = [(surfaces[each % len(surfaces)], each) for each in range(count)]
    seen: dict[str, Counter[Outcome]] = {name: Counter() for name in surfaces}
    for case in _supervised(tasks, seed):
        seen[case.surface][case.outcome] += 1
        if not case.outcome.is_allowed and seen[case.surface][case.outcome] <= SHOWN:
            said = f"{case.surface} {case.number}: {case.outcome.value} {case.detail}"
            print(ascii(said)[1:-1], file=sys.stderr, flush=True)
    wrong = sum(some[each] for some in seen.values() for each in Outcome if not each.is_allowed)
    figure = at_most("files that did more than be read or refused", wrong, 0)
    return BenchResult("fuzz", (figure,), tuple(_row(name, seen[name]) for name in surfaces))


def _row(name: str, seen: Counter[Outcome]) -> dict[str, Cell]:
    return {"file": name, "cases": seen.total(), **{each.value: seen[each] for each in Outcome}}


def _supervised(tasks: Sequence[Task], seed: int) -> Iterator[FuzzCase]:
    """What comes of each task, in a process that is ended and begun anew where it hangs."""
    done = 0
    while done < len(tasks):
        heard, telling = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=_work, args=(telling, tasks[done:], seed), daemon=True)
        process.start()
        telling.close()
        outcome = None
        try:
            heard.recv()  # all is imported
            while done < len(tasks) and heard.poll(LONGEST):
                yield heard.recv()
                done += 1
        except EOFError:
            outcome = Outcome.CRASHED
        finally:
            process.kill()
            process.join()
            heard.close()
        if done < len(tasks):
            yield FuzzCase(*tasks[done], outcome or Outcome.HANGING)
            done += 1


def _work(telling: Connection, tasks: Sequence[Task], seed: int) -> None:
    _limit_memory()
    telling.send(None)
    with TemporaryDirectory() as folder:
        examples = Examples(Path(folder))
        for surface, number in tasks:
            telling.send(judged(surface, number, seed, examples))


def _limit_memory() -> None:
    """Keep this process from taking more than it should, where that can be done."""
    if not Path("/proc/self/statm").exists():
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
