"""The benches by name; each is imported when it is run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module

from odevsr.bench.result import BenchResult
from odevsr.errors import UsageError, nearest

_BENCHES = {
    "launches": ("odevsr.bench.engine.launches", "bench_launches"),
    "fitting": ("odevsr.bench.engine.fitting", "bench_fitting"),
    "policy": ("odevsr.bench.policy", "bench_policy"),
    "recovery": ("odevsr.bench.recovery", "bench_recovery"),
    **{
        f"paper-table-{number}": ("odevsr.bench.paper.algebraic", f"bench_paper_table_{number}")
        for number in (1, 2, 3)
    },
    "paper-table-4": ("odevsr.bench.paper.systems", "bench_paper_table"),
    "systems": ("odevsr.bench.systems", "bench_systems"),
    "noise": ("odevsr.bench.noise", "bench_noise"),
    "limits": ("odevsr.bench.limits", "bench_limits"),
    "trust": ("odevsr.bench.trust", "bench_trust"),
    "frugal": ("odevsr.bench.frugal", "bench_frugal"),
    "faults": ("odevsr.bench.faults.bench", "bench_faults"),
    "fuzz": ("odevsr.bench.fuzz.bench", "bench_fuzz"),
    "load": ("odevsr.bench.load", "bench_load"),
    "dimension": ("odevsr.bench.dimension", "bench_dimension"),
    "recordings": ("odevsr.bench.recorded.recordings", "bench_recordings"),
    "searchers": ("odevsr.bench.searchers", "bench_searchers"),
    "train-policy": ("odevsr.bench.train_policy", "bench_train_policy"),
    "parameters": ("odevsr.bench.parameters", "bench_parameters"),
}


def bench_names() -> tuple[str, ...]:
    """All that can be asked for."""
    return tuple(_BENCHES)


def run_bench(name: str, options: Mapping[str, object] | None = None) -> BenchResult:
    """Run a bench by its name; options that are None are left to the bench."""
    if name not in _BENCHES:
        raise UsageError(f"there is no bench {name!r}; {nearest(name, _BENCHES)}")
    module, function = _BENCHES[name]
    run: Callable[..., BenchResult] = getattr(import_module(module), function)
    given = {key: value for key, value in (options or {}).items() if value is not None}
    _check(name, given, inspect.signature(run).parameters)
    return run(**given)


def _check(name: str, given: Mapping[str, object], known: Mapping[str, inspect.Parameter]) -> None:
    """The bench takes every option given, and gets every one it needs."""
    for option in given:
        if option not in known:
            raise UsageError(f"bench {name} takes no {option}; leave it out")
    for option, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and option not in given:
            raise UsageError(f"bench {name} needs a {option}; write odevsr bench {name} PATH")
