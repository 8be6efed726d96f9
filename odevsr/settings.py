"""Every number of a run, frozen; one sentence a field, which is also what `--help` says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from odevsr.errors import UsageError, nearest

DEFAULT_OPERATORS = ("+", "-", "*", "/", "^", "sin", "cos", "exp", "log")

_CHOICES = {
    "policy": ("lstm", "uniform"),
    "expansion": ("factored", "joint"),
    "sampling": ("launches", "crossings"),
    "difference": ("central", "forward", "backward"),
    "objective": ("risk", "mean"),
    "reward": ("nrmse", "nmse"),
}
_POSITIVE = ("trials", "points", "batch", "longest", "layers", "width", "attempts", "most_seconds")

_LEAST = {"most_states": 100, "max_launches": 1000}
"""With less, nothing can be measured that a law could be judged by."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a discovery is made; the defaults are the preset `fast`."""

    operators: tuple[str, ...] = DEFAULT_OPERATORS
    """Operators of the grammar."""
    families: bool = True
    """Whether families of functions are proposed before the grammar is sampled."""
    policy: str = "lstm"
    """Who samples the grammar when the first batches do not settle a round: lstm or uniform."""
    expansion: str = "factored"
    """Summary constants one at a time (factored) or all holes at once (joint)."""
    sampling: str = "launches"
    """Launches from chosen states, or crossings of free trajectories where one variable is held."""
    difference: str = "central"
    """Finite differences: central, forward (no way back in time) or backward (the paper's)."""
    noise: float = 0.0
    """Gaussian noise added to each derivative, relative to its typical size."""
    decide: bool = False
    """Whether an experiment is made that tells laws apart which explain noisy data equally well."""
    trials: int = 5
    """Settings of the held variables in one round (the paper's K)."""
    points: int = 40
    """States in one trial of a round."""
    prior_batches: int = 4
    """Batches drawn from the grammar's prior before a policy is trained."""
    epochs: int = 24
    """Batches a policy learns from in one round."""
    batch: int = 512
    """Rule sequences in one batch."""
    longest: int = 20
    """Most rules in one derivation."""
    layers: int = 1
    """Layers of the policy's network."""
    width: int = 64
    """Embedding and hidden size of the policy's network."""
    learning_rate: float = 0.01
    """Step size of Adam."""
    entropy: float = 0.0
    """Weight of the policy's bonus for staying near where it began."""
    queue: int = 10
    """How many of the best sequences so far the policy learns again in every update."""
    begin_at_prior: bool = True
    """Whether the policy begins at the grammar's prior or with all legal rules alike."""
    reward: str = "nrmse"
    """Reward 1/(1 + normalised error): the root mean square (nrmse) or the mean square (nmse)."""
    objective: Literal["risk", "mean"] = "risk"
    """Policy gradient over the best quantile (risk) or against the batch mean (mean)."""
    attempts: int = 3
    """Fresh starts, from other base points, before an equation is given up."""
    most_states: int = 15_000
    """States at which the derivative of a variable is measured for its equation, at most."""
    max_launches: int | None = None
    """Launches of the simulator for an equation, at most, beside those of the pilot."""
    most_seconds: float = 60.0
    """CPU seconds for one equation in one pass; what is not identified gets a second pass."""

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UsageError(
                    f"unknown {name} {getattr(self, name)!r}; choose one of {', '.join(known)}"
                )
        for name in _POSITIVE:
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} {getattr(self, name)} is too small; give more than 0")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise UsageError(f"{name} {value} is too small; give {least} or more")
        if not (math.isfinite(self.noise) and self.noise >= 0):
            raise UsageError(f"noise {self.noise} makes no sense; give 0.01 for 1 %")

    def to_json(self) -> dict[str, Any]:
        """Plain values, as stored with a run."""
        return {**asdict(self), "operators": list(self.operators)}


def preset(name: str, **changes: Any) -> Settings:  # noqa: ANN401
    """The settings of a preset, with changes.

    >>> preset("paper").layers
    3
    """
    presets = {"fast": Settings(), "paper": _PAPER}
    if name not in presets:
        raise UsageError(f"unknown preset {name!r}; choose one of {', '.join(presets)}")
    return changed(presets[name], changes)


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with other values for some fields.

    >>> changed(Settings(), {"noise": 0.01}).noise
    0.01
    """
    known = [each.name for each in fields(Settings)]
    for name in changes:
        if name not in known:
            raise UsageError(f"there is no setting {name!r}; {nearest(name, known)}")
    values = dict(changes)
    if "operators" in values:
        values["operators"] = tuple(values["operators"])
    return replace(settings, **values)


def settings_from_json(values: dict[str, Any]) -> Settings:
    """Settings as stored by `to_json`; unknown fields are refused."""
    known = {each.name for each in fields(Settings)}
    unknown = sorted(set(values) - known)
    if unknown:
        raise UsageError(f"unknown settings {', '.join(unknown)}; they are of another version")
    return Settings(**{**values, "operators": tuple(values.get("operators", DEFAULT_OPERATORS))})


_PAPER = Settings(
    families=False,
    expansion="joint",
    prior_batches=0,
    epochs=30,
    batch=1024,
    longest=20,
    layers=3,
    width=512,
    learning_rate=0.009,
    objective="mean",
    queue=0,
    begin_at_prior=False,
    reward="nmse",
    most_states=1_000_000,
    most_seconds=7200.0,
)
