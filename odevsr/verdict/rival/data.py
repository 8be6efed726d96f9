"""What SINDy is given to learn from: trajectories, or the very states odevsr measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import RunError
from odevsr.verdict.references.reference import data_folder
from odevsr.verdict.rival.sindy import Samples
from odevsr.world.experiments.launched import Noise
from odevsr.world.experiments.measurements import read_measurements
from odevsr.world.experiments.mesh import random_states
from odevsr.world.piloted import oracle_of, pilot_of, world_of
from odevsr.world.studied import Studied
from odevsr.world.systems.system import System
from odevsr.world.trajectories.recording import Recording, record
from odevsr.world.trajectories.trajectory import Trajectory

TRAJECTORIES = 3
HELD = 0.25
"""Share of the data kept for choosing among SINDy's models."""
MOST_SAMPLES = 3000


def recorded_trajectories(system: System, target: str, seed: int) -> tuple[Recording, str]:
    """The reference file of the system, or trajectories made now; and which of the two it is.

    `target` is what the system is called on a command line: a name, or a model's file.
    """
    folder = data_folder()
    path = folder / f"{system.name}.h5" if folder else None
    if path is not None and path.is_file():
        from odevsr.world.trajectories.store import load_trajectories

        recording = load_trajectories(path)
        if recording.system.digest == system.digest:
            return recording, f"data/{path.name}"
    command = f"odevsr simulate {target} -n {TRAJECTORIES} --seed {seed}"
    return record(system, TRAJECTORIES, seed, command=command), command


def trajectory_samples(
    trajectories: Sequence[Trajectory], sigma: FloatArray, rng: np.random.Generator
) -> Samples:
    """Samples of trajectories with their finite differences; the last quarter of each is held.

    Samples are thinned to a few thousand; differences were taken before that. To these Gaussian
    noise of size `sigma` (n,) is added.
    """
    long = [each for each in trajectories if len(each.time) > 1]
    stride = max(1, sum(len(each.time) for each in long) // MOST_SAMPLES)
    held = [np.arange(len(each.time)) >= (1 - HELD) * len(each.time) for each in long]
    derivatives = np.concatenate([each.derivatives[::stride] for each in long])
    return Samples(
        np.concatenate([each.states[::stride] for each in long]),
        derivatives + sigma * rng.standard_normal(derivatives.shape),
        np.concatenate([each[::stride] for each in held]),
        np.broadcast_to(sigma, derivatives.shape) if sigma.any() else None,
    )


def measured_samples(run: Path, variable: str, column: int, rng: np.random.Generator) -> Samples:
    """All states at which a run measured the derivative of a variable, a random quarter held."""
    paths = sorted((run / "measurements").glob(f"{variable}*.h5"))
    named = [path for path in paths if variable in (path.stem, path.stem.rpartition("-")[0])]
    experiments = [each for path in named for each in read_measurements(path)]
    if not experiments:
        raise RunError(
            f"the run in {run} holds no measurements of {variable}, so SINDy cannot be given the "
            "same; validate the target itself instead of the run"
        )
    states = np.concatenate([each.states for each in experiments])
    derivatives, errors = np.full((2, *states.shape), np.nan)
    derivatives[:, column] = np.concatenate([each.values for each in experiments])
    errors[:, column] = np.concatenate([each.errors for each in experiments])
    return Samples(states, derivatives, rng.random(len(states)) < HELD, errors)


def fresh_samples(
    studied: Studied, count: int, rng: np.random.Generator, noise: float = 0.0
) -> Samples:
    """As many random states, with the derivatives an oracle measures there; a quarter is held.

    `noise` is added to each derivative, relative to its typical size.
    """
    pilot = pilot_of(studied, "central", rng)
    world = world_of(studied, pilot)
    states = random_states(pilot.box, count, rng)
    noises = [
        Noise(noise * each.size, np.random.SeedSequence(int(rng.integers(2**63))))
        if noise
        else None
        for each in pilot.calibrations
    ]
    batches = [
        oracle_of(world, index, pilot, blur).measure(states) for index, blur in enumerate(noises)
    ]
    derivatives, errors = (
        np.stack(columns, axis=1)
        for columns in zip(*((each.values, each.errors) for each in batches), strict=True)
    )
    return Samples(states, derivatives, rng.random(count) < HELD, errors)
