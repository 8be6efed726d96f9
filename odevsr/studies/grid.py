"""A study as a value: what is discovered, from which seeds, with which noise and settings."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import odevsr
from odevsr.discovery.request import chosen_components
from odevsr.errors import OdevsrError, UsageError, nearest
from odevsr.settings import preset
from odevsr.world.studied import Target, study
from odevsr.world.systems.registry import is_path

CHANGES: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "name": (str, "text in quotes"),
    "params": (Mapping, "a table"),
    "vary": (Mapping, "a table"),
    "ranges": (Mapping, "a table"),
    "components": ((list, tuple), "a list of names"),
}
"""What may be said of a target beside what it is, and in which words that is written."""
DEFAULT_SETTINGS: Mapping[str, Mapping[str, Any]] = {"fast": {}}
_LONGEST_NAME = 60
MOST_DISCOVERIES = 100_000
"""More of them nobody waits for; they would fill the memory before the first is made."""

Mistake = tuple[tuple[str, ...], str]
"""Where a study is wrong, such as ("settings", "joint"), and in which words."""


class MistakesError(UsageError):
    """All that is wrong with a study, a sentence a line."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(sentence for _, sentence in mistakes))
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True)
class StudyCase:
    """One discovery of a study; `asked` and `changes` are arguments of `odevsr.discover`."""

    label: str
    asked: Mapping[str, Any]
    settings: str
    changes: Mapping[str, Any]
    noise: float
    seed: int
    content: str
    """The digest of what the target is, wherever it stands."""

    def __str__(self) -> str:
        return f"{self.label}, {self.settings}, noise {self.noise:g}, seed {self.seed}"

    @property
    def name(self) -> str:
        """The name of its folder."""
        said = f"{self.label}-{self.settings}-noise{self.noise:g}-seed{self.seed}"
        return f"{re.sub(r'[^A-Za-z0-9.-]+', '_', said)[:_LONGEST_NAME]}-{self.digest[:12]}"

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides its outcome, in hex."""
        known = {**vars(self), "asked": {**self.asked, "target": ""}}
        said = json.dumps([known, odevsr.__version__], sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True)
class Study:
    """A grid of discoveries: every target with all settings, all noise and all seeds.

    A target is what `odevsr.discover` takes, or a table with a `target`, its `params`, `vary`,
    `ranges` or `components`, and a `name` to call it by. Settings have a name each, and are a
    `preset` and any fields of `odevsr.Settings`.
    """

    targets: Sequence[Target | Mapping[str, Any]]
    seeds: Sequence[int] = (0,)
    noise: Sequence[float] = (0.0,)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: DEFAULT_SETTINGS)

    def __post_init__(self) -> None:
        mistakes = [
            *_wrong_targets(self.targets),
            *_wrong_numbers("seeds", self.seeds, int, "whole numbers from 0 on"),
            *_wrong_numbers("noise", self.noise, (int, float), "numbers from 0 on"),
            *_wrong_settings(self.settings),
        ]
        if mistakes := mistakes or self._too_many():
            raise MistakesError(mistakes)

    def _too_many(self) -> list[Mistake]:
        count = math.prod(map(len, (self.targets, self.settings, self.noise, self.seeds)))
        said = f"there are {count:,} discoveries, and at most {MOST_DISCOVERIES:,} are made; leave "
        wrong: Mistake = ("targets",), said + "out some targets, seeds, noise or settings"
        return [wrong] if count > MOST_DISCOVERIES else []

    def cases(self) -> list[StudyCase]:
        """All discoveries, in the order of the targets."""
        return [
            StudyCase(label, asked, name, changes, float(noise), seed, content)
            for label, asked, content in map(_known, self.targets)
            for name, changes in self.settings.items()
            for noise in self.noise
            for seed in self.seeds
        ]


def _as_table(target: Target | Mapping[str, Any]) -> Mapping[str, Any]:
    return target if isinstance(target, Mapping) else {"target": target}


def _known(target: Target | Mapping[str, Any]) -> tuple[str, dict[str, Any], str]:
    """What a target is called, how to ask for it, and the digest of what is behind it."""
    table = _as_table(target)
    asked = {key: value for key, value in table.items() if key != "name"}
    studied = study(**{key: value for key, value in asked.items() if key != "components"})
    chosen_components(asked.get("components"), studied)
    source = asked["target"]
    of_file = isinstance(source, str | Path) and is_path(source)
    label = table.get("name") or (Path(source).stem if of_file else studied.name)
    return label, asked, studied.digest


def _wrong_targets(targets: object) -> Iterator[Mistake]:
    if isinstance(targets, str | Mapping) or not isinstance(targets, Sequence) or not targets:
        yield ("targets",), 'targets must be a list of what to discover, such as ["lorenz"]'
        return
    labels: set[str] = set()
    for target in targets:
        wrong = list(_wrong_target(_as_table(target)))
        yield from ((("targets",), sentence) for sentence in wrong)
        if wrong:
            continue
        try:
            label = _known(target)[0]
        except OdevsrError as error:
            yield ("targets",), str(error)
            continue
        if label in labels:
            yield ("targets",), f"two targets are called {label}; give one of them another name"
        labels.add(label)


def _wrong_target(table: Mapping[str, Any]) -> Iterator[str]:
    known = ("target", *CHANGES)
    for key in table:
        if key not in known:
            yield f"a target has no {key!r}; {nearest(str(key), known)}"
    if "target" not in table:
        yield 'a table in targets has no target; add one such as target = "lorenz"'
    for key, (kind, right) in CHANGES.items():
        if key in table and not isinstance(table[key], kind):
            yield f"{key} of a target must be {right}"
    if not str(table.get("name", "")).isprintable():
        yield "the name of a target holds a control character; remove it"


def _wrong_numbers(
    key: str, values: object, kind: type | tuple[type, ...], right: str
) -> Iterator[Mistake]:
    given = list(values) if isinstance(values, Sequence) else []
    if not (given and all(_is_number(each, kind) for each in given)):
        yield (key,), f"{key} must be a list of {right}, such as {key} = [0, 1]"
    elif len(set(given)) < len(given):
        yield (key,), f"{key} has a number twice; leave one of the two"


def _is_number(value: Any, kind: type | tuple[type, ...]) -> bool:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    number: Any = value
    return bool(0 <= number <= sys.float_info.max)


def _wrong_settings(settings: object) -> Iterator[Mistake]:
    if not isinstance(settings, Mapping) or not settings:
        yield ("settings",), "settings must be tables with a name each, such as [settings.fast]"
        return
    for name, changes in settings.items():
        place = ("settings", str(name))
        if not str(name).isprintable():
            yield ("settings",), "a name of settings holds a control character; remove it"
        elif not isinstance(changes, Mapping):
            yield place, f"settings {name} must be a table; write [settings.{name}]"
        elif "noise" in changes:
            yield place, f"settings {name} have noise; write noise = [...] for the whole study"
        else:
            try:
                preset(changes.get("preset", "fast"), **_fields(changes))
            except UsageError as error:
                yield place, f"settings {name}: {error}"


def _fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in changes.items() if key != "preset"}
