"""Trajectories of one system together with all that is needed to make them again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

import odevsr
from odevsr.errors import UsageError
from odevsr.world.systems.registry import AnySystem, get_system
from odevsr.world.systems.system import System
from odevsr.world.trajectories.integrate import SOLVER
from odevsr.world.trajectories.simulate import simulate_many
from odevsr.world.trajectories.trajectory import Tolerances, Trajectory


@dataclass(frozen=True, eq=False, kw_only=True)
class Recording:
    """What a trajectory file holds: the system with its parameters, trajectories, their making."""

    system: System
    trajectories: tuple[Trajectory, ...]
    seeds: tuple[int, ...]
    """For each trajectory, the seed of the random starts it was drawn among."""
    commands: tuple[str, ...]
    """What was run, in order, to make the recording."""
    solver: str = SOLVER
    tolerances: Tolerances = field(default_factory=Tolerances)
    version: str = odevsr.__version__
    """Of the odevsr that wrote last."""

    def __post_init__(self) -> None:
        if not self.trajectories:
            raise UsageError("a recording needs at least one trajectory")
        if len(self.seeds) != len(self.trajectories):
            raise UsageError(
                f"{len(self.trajectories)} trajectories have {len(self.seeds)} seeds; give each one"
            )
        if not all(0 <= seed < 2**63 for seed in self.seeds):
            raise UsageError("a seed is a whole number from 0 to 2**63 - 1")
        if any("\n" in command for command in self.commands):
            raise UsageError("a command is one line; put it without line breaks")
        for trajectory in self.trajectories:
            self._check_width(trajectory)

    def followed_by(self, other: Recording) -> Recording:
        """Both recordings' trajectories in one, which must be of the same system and accuracy."""
        refuse_mixture(
            (self.system.name, self.system.digest), (self.solver, self.tolerances), other
        )
        return replace(
            self,
            trajectories=self.trajectories + other.trajectories,
            seeds=self.seeds + other.seeds,
            commands=self.commands + other.commands,
            version=other.version,
        )

    def _check_width(self, trajectory: Trajectory) -> None:
        names = self.system.names
        if not len(trajectory.time) or trajectory.states.shape[1] != len(names):
            raise UsageError(
                f"states of shape {trajectory.states.shape} are no trajectory of "
                f"{self.system.name}; give samples of {', '.join(names)}"
            )


def refuse_mixture(
    system: tuple[str, str], making: tuple[str, Tolerances], other: Recording
) -> None:
    """Refuse to put a recording behind trajectories of another system, or made otherwise.

    A system is known by its name and digest, the making by solver and tolerances.
    """
    if system[1] != other.system.digest:
        raise UsageError(
            f"trajectories of {other.system.name} cannot follow those of another system or of "
            f"other parameters ({system[0]}); write them to a file of their own"
        )
    if making != (other.solver, other.tolerances):
        raise UsageError(
            f"trajectories made by {other.solver} with {other.tolerances} cannot follow those "
            f"made by {making[0]} with {making[1]}; write them to a file of their own"
        )


def record(
    system: AnySystem,
    count: int,
    seed: int,
    *,
    command: str,
    duration: float | None = None,
    step: float | None = None,
) -> Recording:
    """Simulate `count` trajectories whose random starts come from `seed`; see `simulate_many`."""
    system, rng = get_system(system), np.random.default_rng(seed)
    return Recording(
        system=system,
        trajectories=simulate_many(system, count, rng, duration=duration, step=step),
        seeds=(seed,) * count,
        commands=(command,),
    )
