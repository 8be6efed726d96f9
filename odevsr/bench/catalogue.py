"""The benches by name; each is imported when it is run."""

from __future__ import annotations

from importlib import import_module

from odevsr.bench.result import BenchResult
from odevsr.errors import UsageError, nearest

_BENCHES = {"launches": ("odevsr.bench.launches", "bench_launches")}


def bench_names() -> tuple[str, ...]:
    """All that can be asked for."""
    return tuple(_BENCHES)


def run_bench(name: str) -> BenchResult:
    """Run a bench by its name."""
    if name not in _BENCHES:
        raise UsageError(f"there is no bench {name!r}; {nearest(name, _BENCHES)}")
    module, function = _BENCHES[name]
    result: BenchResult = getattr(import_module(module), function)()
    return result
