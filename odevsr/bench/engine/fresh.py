"""Measurements that need a process of their own: the start of the engine, growth of memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from odevsr.fitting.fit import Effort, fit_programs, make_trials, start_multipliers
from odevsr.fitting.program import compile_program
from odevsr.language.algebra.normal import normal_form
from odevsr.language.parse import parse

FORMS = ("C*x0 + C", "C*x0*x1 + C*x1", "C*x0*exp(C*x1)", "C/(x0 + C)", "sin(C*x0) + C*x1")
BATCH = 1000
FIRST_BATCHES = 10

_LOAD = """
import json, time
start = time.process_time()
import numba, scipy.linalg, odevsr.language.algebra.normal
libraries = time.process_time() - start
import odevsr.fitting.fit
engine = time.process_time() - start - libraries
print(json.dumps({"libraries": libraries, "engine": engine}))
"""
_GROW = "import sys, odevsr.bench.engine.fresh as fresh; print(fresh.growth(int(sys.argv[1])))"


def engine_start() -> dict[str, float]:
    """CPU seconds to load the engine when nothing is compiled yet, and when it is.

    `cold` and `warm` are what the engine adds to its libraries, `libraries` what these take.
    """
    with TemporaryDirectory() as folder:
        cold, warm = (json.loads(_output(_LOAD, NUMBA_CACHE_DIR=folder)) for _ in range(2))
    return {"cold": cold["engine"], "warm": warm["engine"], "libraries": warm["libraries"]}


def memory_growth(fits: int) -> float:
    """Megabytes by which a fresh process grows while it fits `fits` programs."""
    return float(_output(_GROW, str(fits)))


def _output(code: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(
        command, env=os.environ | environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def growth(fits: int) -> float:
    """Megabytes by which this process grows over so many fits, after ten thousand to begin with."""
    names = ("x0", "x1")
    forms = [normal_form(parse(text, names, open_symbols=True)) for text in FORMS]
    points = np.random.default_rng(0).uniform(0.5, 2.0, (1, 64, 2))
    trials = make_trials(points, np.exp(-points[..., 0]) * points[..., 1])
    starts = start_multipliers(1, np.random.default_rng(0))
    before = 0.0
    for batch in range(FIRST_BATCHES + fits // BATCH):
        if batch == FIRST_BATCHES:
            before = _megabytes()
        programs = [compile_program(forms[index % len(forms)], names) for index in range(BATCH)]
        fit_programs(programs, trials, starts, Effort(starts=1, kept=1, draws=1))
    return _megabytes() - before


def _megabytes() -> float:
    """Memory this process holds; where the system does not say, the most it ever held."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
