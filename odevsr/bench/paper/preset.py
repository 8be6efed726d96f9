"""The paper's preset on the paper's systems: measurements kept in a file, and made where asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from odevsr.discovery.discover import discover
from odevsr.settings import preset
from odevsr.verdict.equivalence import is_equivalent
from odevsr.world.atomic import written_aside
from odevsr.world.systems.registry import get_system


@dataclass(frozen=True)
class Recovered:
    """What the preset found of one equation with one seed, at what cost."""

    system: str
    seed: int
    variable: str
    r2: float
    exact: bool
    status: str
    fits: int
    cpu_s: float


def recovered(path: Path, systems: Sequence[str], seeds: int, *, measure: bool) -> list[Recovered]:
    """All that the file holds; with `measure` also what it lacks, kept as soon as it is made."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    found = [Recovered(**each) for each in kept]
    known = {(each.system, each.seed) for each in found}
    asked = [(name, seed) for seed in range(seeds) for name in systems]
    for name, seed in asked if measure else ():
        if (name, seed) not in known:
            found += _discovered(name, seed)
            path.parent.mkdir(parents=True, exist_ok=True)
            with written_aside(path) as aside:
                aside.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")
    return found


def _discovered(name: str, seed: int) -> list[Recovered]:
    system = get_system(name)
    truth = dict(zip(system.names, system.closed_equations(), strict=True))
    return [
        Recovered(
            system=name,
            seed=seed,
            variable=each.variable,
            r2=each.r2,
            exact=is_equivalent(each.expression, truth[each.variable], system.names, system.box),
            status=each.status.value,
            fits=each.candidates,
            cpu_s=round(each.elapsed_s, 1),
        )
        for each in discover(system, settings=preset("paper"), seed=seed).equations
    ]
