"""Every number of a run, frozen; one sentence a field, which is also what `--help` says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from odevsr.errors import UsageError, nearest
from odevsr.limits import DEFAULT_LIMITS, Limits
from odevsr.plain import typed

DEFAULT_OPERATORS = ("+", "-", "*", "/", "^", "sin", "cos", "exp", "log")

PRESETS = ("fast", "paper")
PROPOSERS = (
    "readings", "catalogue", "prior", "lstm", "trained", "uniform", "genetic", "melded", "tree",
)  # fmt: skip
"""Who can propose: forms read off the data, known functions, the grammar's prior, and policies."""
CHEAP = frozenset({"readings", "catalogue"})
"""Those that know what to propose; the others sample."""

CHOICES = {
    "rules": ("composing", "bare", "weighted"),
    "expansion": ("factored", "joint"),
    "sampling": ("launches", "crossings"),
    "difference": ("central", "forward", "backward"),
    "objective": ("risk", "mean"),
    "reward": ("nrmse", "nmse"),
}
_LISTS = ("operators", "proposers")
_POSITIVE = (
    "trials", "points", "batch", "longest", "layers", "width", "attempts",
    "most_candidates", "most_seconds", "learning_rate", "quantile", "summary_share",
)  # fmt: skip
_AT_MOST_ONE = ("quantile", "summary_share")
_NOT_NEGATIVE = ("noise", "entropy", "queue", "prior_batches", "epochs")


def _setting(default: Any, sentence: str) -> Any:  # noqa: ANN401
    """A field with the sentence that explains it, which `--help` says too."""
    return field(default=default, metadata={"sentence": sentence})


_LEAST = {"most_states": 100, "max_launches": 1000}
"""With less, nothing can be measured that a law could be judged by."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a discovery is made; the defaults are the preset `fast`."""

    operators: tuple[str, ...] = _setting(DEFAULT_OPERATORS, "Operators of the grammar.")
    proposers: tuple[str, ...] = _setting(
        ("readings", "catalogue", "prior", "lstm"),
        "Who proposes forms, in this order within a tier: readings, catalogue, prior, lstm, "
        "trained, uniform, genetic, melded, tree.",
    )
    rules: str = _setting(
        "composing",
        "The grammar's rules: functions with constants of their own (composing), bare operators, "
        "or these with a coefficient for each term that fills a hole (weighted).",
    )
    expansion: str = _setting(
        "factored", "Summary constants one at a time (factored) or all holes at once (joint)."
    )
    sampling: str = _setting(
        "launches",
        "Launches from chosen states, or crossings of planes by trajectories that run freely.",
    )
    difference: str = _setting(
        "central",
        "Finite differences: central, forward (no way back in time) or backward (the paper's); of "
        "what tells rates itself, the last two alone are taken.",
    )
    noise: float = _setting(
        0.0, "Gaussian noise added to each derivative, relative to its typical size."
    )
    decide: bool = _setting(
        False, "Make the experiments that tell laws apart which explain noisy data equally well."
    )
    frugal: bool = _setting(
        False,
        "Launch from as few states as will do: all equations share theirs, which begin with few.",
    )
    trials: int = _setting(5, "Settings of the held variables in one round (the paper's K).")
    points: int = _setting(40, "States in one trial of a round.")
    summary_share: float = _setting(
        0.6,
        "Share of trials and points in rounds of summary constants, each point of which is a fit.",
    )
    prior_batches: int = _setting(
        4, "Batches drawn from the grammar's prior before a policy is trained."
    )
    epochs: int = _setting(24, "Batches a policy learns from in one round.")
    batch: int = _setting(512, "Rule sequences in one batch.")
    longest: int = _setting(20, "Most rules in one derivation.")
    layers: int = _setting(1, "Layers of the policy's network.")
    width: int = _setting(64, "Embedding and hidden size of the policy's network.")
    learning_rate: float = _setting(0.01, "Step size of Adam.")
    entropy: float = _setting(0.0, "Weight of the policy's bonus for staying near where it began.")
    queue: int = _setting(
        10, "How many of the best sequences so far the policy learns again in every update."
    )
    begin_at_prior: bool = _setting(
        True, "Whether the policy begins at the grammar's prior or with all legal rules alike."
    )
    reward: str = _setting(
        "nrmse",
        "Reward 1/(1 + normalised error): the root mean square (nrmse) or the mean square (nmse).",
    )
    objective: str = _setting(
        "risk", "Policy gradient over the best quantile (risk) or against the batch mean (mean)."
    )
    quantile: float = _setting(
        0.05, "Share of the distinct sequences that the risk objective learns from."
    )
    limits: Limits = field(
        default=DEFAULT_LIMITS,
        metadata={"sentence": "What counts as agreement, as nought, as found."},
    )
    attempts: int = _setting(
        3, "Fresh starts, from other base points, before an equation is given up."
    )
    most_states: int | None = _setting(
        None,
        "States at which a variable's derivative is measured for its equation, at most; if nobody "
        "says, as many as promise anything.",
    )
    max_launches: int | None = _setting(
        None, "Launches of the simulator for an equation, at most, beside those of the pilot."
    )
    most_candidates: int = _setting(
        200_000, "Expressions fitted before an equation begins no further search."
    )
    most_seconds: float = _setting(
        60.0,
        "CPU seconds for one equation; where there are others, half of them for the first pass.",
    )

    def __post_init__(self) -> None:
        try:
            typed(self)
        except TypeError as error:
            raise UsageError(f"the setting {error}; give what odevsr.Settings says") from None
        for name, known in CHOICES.items():
            _check_choice(name, getattr(self, name), known)
        for each in self.proposers:
            _check_choice("proposer", each, PROPOSERS)
        if not self.proposers:
            raise UsageError(f"nobody proposes; name some of {', '.join(PROPOSERS)}")
        _check_together(self)
        for name in _POSITIVE:
            _check_number(name, getattr(self, name), getattr(self, name) > 0, "more than 0")
        for name in _AT_MOST_ONE:
            _check_number(name, getattr(self, name), getattr(self, name) <= 1, "at most 1")
        for name, least in _LEAST.items():
            value = getattr(self, name)
            _check_number(name, value, value is None or value >= least, f"{least} or more")
        for name in _NOT_NEGATIVE:
            value = getattr(self, name)
            _check_number(name, value, value >= 0 and math.isfinite(value), "0 or more")

    @property
    def asks_for_motion(self) -> bool:
        """True if states must move, also those of what tells its rates."""
        return (self.sampling, self.difference) != ("launches", "central")

    def to_json(self) -> dict[str, Any]:
        """Plain values, as stored with a run."""
        return {
            **asdict(self),
            "operators": list(self.operators),
            "proposers": list(self.proposers),
        }


def sentence(name: str) -> str:
    """What a setting means, for `--help`."""
    return str({each.name: each.metadata["sentence"] for each in fields(Settings)}[name])


def _check_together(settings: Settings) -> None:
    """Refuse choices that do not go together."""
    if "trained" in settings.proposers and settings.expansion == "joint":
        raise UsageError(
            "the trained policy knows functions of one variable, not joint expansion; leave "
            "out either"
        )
    if settings.expansion == "joint" and set(settings.proposers) <= CHEAP:
        raise UsageError(
            "joint expansion fills several holes at once, which only those do who sample a "
            "grammar; add prior or lstm to the proposers"
        )
    if settings.sampling == "crossings" and (settings.decide or settings.frugal):
        raise UsageError(
            "where trajectories only are watched, no state can be chosen to decide or be "
            "frugal with; leave out either"
        )
    if settings.sampling == "crossings" and settings.expansion == "joint":
        raise UsageError("joint expansion holds several variables, crossings one; leave either")


def _check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UsageError(f"unknown {name} {value!r}; choose one of {', '.join(known)}")


def _check_number(name: str, value: object, holds: bool, right: str) -> None:
    if not holds:
        raise UsageError(f"{name} {value} makes no sense; give {right}")


def preset(name: str, **changes: Any) -> Settings:  # noqa: ANN401
    """The settings of a preset, with changes.

    >>> preset("paper").expansion
    'joint'
    """
    _check_choice("preset", name, PRESETS)
    return changed(Settings() if name == "fast" else _PAPER, changes)


def changed(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """The settings with other values for some fields.

    >>> changed(Settings(), {"noise": 0.01}).noise
    0.01
    """
    _check_names("setting", changes, Settings)
    values = dict(changes)
    for name in _LISTS:
        if name in values:
            values[name] = _listed(name, values[name])
    if isinstance(values.get("limits"), Mapping):
        _check_names("limit", values["limits"], Limits)
        values["limits"] = Limits(**values["limits"])
    return replace(settings, **values)


def _check_names(what: str, given: Iterable[str], kind: type[Settings | Limits]) -> None:
    known = [each.name for each in fields(kind)]
    for name in given:
        if name not in known:
            raise UsageError(f"there is no {what} {name!r}; {nearest(name, known)}")


def _listed(name: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise UsageError(f"{name} are a list of names, not {values!r}")
    return tuple(values)


def settings_from_json(values: dict[str, Any]) -> Settings:
    """Settings as stored by `to_json`; unknown fields are refused, limits now gone left out."""
    return changed(Settings(), _without_gone_limits(_renamed(values)))


def _without_gone_limits(values: dict[str, Any]) -> dict[str, Any]:
    """Settings stored when there were limits that decided nothing."""
    limits = values.get("limits")
    if not isinstance(limits, Mapping):
        return values
    return values | {"limits": {name: limits[name] for name in limits if name not in _GONE_LIMITS}}


def _renamed(values: dict[str, Any]) -> dict[str, Any]:
    """Settings stored before proposers were named one by one."""
    if "families" not in values:
        return values
    new = {key: value for key, value in values.items() if key not in ("families", "policy")}
    cheap = ("readings", "catalogue") if values["families"] else ()
    new["proposers"] = [*cheap, "prior", values.get("policy", "lstm")]
    new["rules"] = "composing" if values["families"] else "bare"
    return new


_GONE_LIMITS = (
    "worse", "close", "noise_error", "unnoticed", "rounding", "differing", "certain", "lenient",
    "balanced", "hidden", "contradicted", "clear",
)  # fmt: skip

_PAPER = Settings(
    proposers=("lstm",),
    rules="weighted",
    expansion="joint",
    epochs=30,
    batch=1024,
    longest=20,
    learning_rate=0.009,
    objective="mean",
    queue=0,
    reward="nmse",
    most_states=1_000_000,
    most_candidates=1_000_000,
    most_seconds=300.0,
)
