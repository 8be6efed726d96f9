"""The benches by name: what each measures, what it takes; each is imported when it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from odevsr.bench.result import BenchResult


@dataclass(frozen=True)
class Bench:
    """Where a bench is, what it measures, and the options it takes, with their defaults."""

    function: str
    sentence: str
    options: Mapping[str, Any]
    needs: str = ""
    """What has to be named first: a folder or file, by what `--help` calls it."""

    def run(self, **options: object) -> BenchResult:
        """Measure; options that are None are left to the bench."""
        module, name = self.function.split(":")
        run: Callable[..., BenchResult] = getattr(import_module(f"odevsr.bench.{module}"), name)
        return run(**{key: value for key, value in options.items() if value is not None})


_KEPT = {"quick": False, "full": False, "folder": None}

BENCHES = {
    "launches": Bench("engine.launches:bench_launches", "Launches a second, and their error.", {}),
    "fitting": Bench(
        "engine.fitting:bench_fitting",
        "Candidates fitted a second, beside other engines.",
        {"quick": False, "seed": 0},
    ),
    "policy": Bench(
        "policy:bench_policy",
        "What learning is worth.",
        {"seeds": 2, "full": False, "folder": None},
    ),
    "recovery": Bench(
        "recovery:bench_recovery", "The paper's systems, with many seeds.", {"seeds": 20}
    ),
    "crossings": Bench(
        "crossings:bench_crossings",
        "The paper's systems from trajectories that only are watched.",
        {"seeds": 3},
    ),
    **{
        f"paper-table-{number}": Bench(
            f"paper.algebraic:bench_paper_table_{number}",
            f"Table {number} of the paper, published and measured.",
            {**_KEPT, "jobs": 1},
        )
        for number in (1, 2, 3)
    },
    "paper-table-4": Bench(
        "paper.systems:bench_paper_table",
        "Table 4 of the paper, published and measured.",
        {"seed": 0, "seeds": 5, "full": False, "folder": None},
    ),
    "systems": Bench(
        "systems:bench_systems",
        "Every system of a folder, beside simpler methods.",
        {"jobs": 1, "budget": 120.0, "seed": 0, "components": None, "pure": False, "share": 97.0}
        | {"proposers": None},
        needs="DIR",
    ),
    "noise": Bench(
        "noise:bench_noise",
        "Laws under noise on their derivatives.",
        {"seeds": 5, "jobs": 1, "budget": 60.0},
    ),
    "limits": Bench(
        "limits:bench_limits",
        "What each limit that judges is worth.",
        {"jobs": 1, "budget": 10.0},
    ),
    "trust": Bench(
        "trust:bench_trust",
        "False laws called identified, of clean and rough simulators.",
        {"jobs": 1, "budget": 20.0, "seed": 0, "cases": None},
    ),
    "laws": Bench(
        "laws:bench_laws",
        "False laws called identified, of laws drawn from the grammar.",
        {"count": 400, "seed": 0, "jobs": 1},
    ),
    "frugal": Bench(
        "frugal:bench_frugal",
        "Launched states with --frugal, of built-in systems and those of a folder.",
        {"folder": None, "jobs": 1, "seed": 0, "quick": False},
    ),
    "faults": Bench(
        "faults.bench:bench_faults",
        "Runs that are killed, damaged or without room.",
        {"count": 60, "seed": 0},
    ),
    "fuzz": Bench(
        "fuzz.bench:bench_fuzz",
        "Files changed at random, and what reading them does.",
        {"count": 3000, "seed": 0, "cases": None},
    ),
    "load": Bench("load:bench_load", "Memory after many discoveries.", {"count": 200}),
    "dimension": Bench(
        "dimension:bench_dimension", "Cost by number of variables.", {"seed": 0, "full": False}
    ),
    "recordings": Bench(
        "recorded.recordings:bench_recordings",
        "Laws from the recordings, or of the systems, of a folder: noisy, thinned out.",
        {
            **{"truth": None, "seeds": 3, "cells": None, "jobs": 1},
            **{"memory": None, "quick": False, "sindy": False},
        },
        needs="DIR",
    ),
    "searchers": Bench("searchers:bench_searchers", "All searchers on one engine.", _KEPT),
    "train-policy": Bench(
        "train_policy:bench_train_policy",
        "Train the policy that looks at curves first, into a new file.",
        {"count": 3000, "seed": 0},
        needs="FILE.npz",
    ),
    "parameters": Bench(
        "parameters:bench_parameters", "Laws with their parameters as variables.", {"seed": 0}
    ),
}
