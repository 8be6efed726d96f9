"""What a discovery is asked for: all that decides its outcome, and must be the same to resume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.discovery.guesses import Guesses, guesses_from_json, guesses_to_json
from odevsr.errors import SimulationError, UsageError, nearest
from odevsr.kind import Kind
from odevsr.plain import from_plain, whole
from odevsr.settings import Settings, settings_from_json
from odevsr.world.pilot.pilot import Pilot
from odevsr.world.simulators.launch import Launch
from odevsr.world.studied import Studied


@dataclass(frozen=True, eq=False)
class Request:
    """The equations wanted of a target, how they are to be found, and laws to try first."""

    studied: Studied
    chosen: Sequence[int]
    """Indices of the components whose equations are wanted."""
    settings: Settings
    seed: int
    guesses: Guesses = field(default_factory=dict)
    prior: str = ""
    """The digest of the recordings that the guesses are from."""

    @property
    def wanted(self) -> list[str]:
        """Names of the components chosen."""
        return [self.studied.components[index] for index in self.chosen]

    @property
    def pilot_seeds(self) -> np.random.SeedSequence:
        """Those of the pilot launches."""
        return np.random.SeedSequence(self.seed, spawn_key=(0,))

    def seeds(self, component: int, number: int) -> np.random.SeedSequence:
        """Those of a component's search in a pass, which are counted from 1."""
        count = max(len(self.studied.names), len(self.studied.components))
        place = 1 + (number - 1) * count + component
        return np.random.SeedSequence(self.seed, spawn_key=(place,))

    def to_json(self) -> dict[str, Any]:
        """Plain values, as stored with a run."""
        studied = self.studied
        return {
            "target": studied.name,
            "digest": studied.digest,
            "variables": list(studied.names),
            "outputs": list(studied.components),
            "kind": studied.kind.value,
            "components": self.wanted,
            "seed": self.seed,
            "settings": self.settings.to_json(),
            "guesses": guesses_to_json(self.guesses) or None,
            "prior": self.prior or None,
        }


def request_of(
    studied: Studied, components: str | Sequence[str] | None, settings: Settings, seed: int
) -> Request:
    """The equations of these components, or of all."""
    chosen = chosen_components(components, studied)
    return Request(studied, chosen, settings, whole("the seed", seed, 0))


def request_from_json(values: dict[str, Any], pilot: Pilot, system_file: str) -> Request:
    """What a run was asked for, of a target without its simulator."""
    names, outputs, wanted = (
        from_plain(tuple[str, ...], values[key]) for key in ("variables", "outputs", "components")
    )
    studied = Studied(
        name=values["target"],
        names=names,
        components=outputs,
        box=pilot.box,
        make_launch=_no_simulator,
        digest=values["digest"],
        system_file=system_file,
        kind=Kind(values["kind"]),
    )
    return Request(
        studied,
        chosen_components(wanted, studied),
        settings_from_json(values["settings"]),
        int(values["seed"]),
        guesses_from_json(values.get("guesses") or {}, studied.names),
        values.get("prior") or "",
    )


def _no_simulator() -> Launch:
    return _refused


def _refused(states: FloatArray, step: float | FloatArray) -> FloatArray:
    raise SimulationError("a replay has no simulator; discover the target instead")


def chosen_components(components: str | Sequence[str] | None, studied: Studied) -> list[int]:
    """Indices of the components asked for, in order; all that have a law if none are named."""
    known = studied.components
    wanted = known if components is None else components
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if not wanted:
        raise UsageError("no component is named; leave components out to search all")
    for component in wanted:
        if component not in known:
            raise UsageError(f"there is no component {component!r}; {nearest(component, known)}")
    return [index for index, name in enumerate(known) if name in wanted]
