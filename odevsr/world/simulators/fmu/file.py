"""FMU to its parts: states, inputs, parameters, which programs it holds; nothing is run here."""

from __future__ import annotations

import math
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeGuard
from xml.etree.ElementTree import Element

from odevsr.errors import SystemFileError, UnknownSystemError
from odevsr.world.simulators.xml_text import xml_root

DESCRIPTION = "modelDescription.xml"
LARGEST_DESCRIPTION = 20_000_000
LARGEST_CONTENT = 2_000_000_000
"""Bytes that an FMU may unfold to."""
SECOND, THIRD = VERSIONS = ("2.0", "3.0")
TRUE = ("true", "1")
UNREADABLE = (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError,
              UnicodeError)  # fmt: skip

Reals = Mapping[str, tuple[Element, Element]]
"""Real variables, each with the element that says what is special about real ones, by its key."""


@dataclass(frozen=True)
class Signal:
    """A real variable of an FMU."""

    name: str
    reference: int
    causality: str
    variability: str
    start: float | None
    low: float
    high: float
    """Its declared least and largest value, or infinities."""
    initial: str
    """Whether its value at the start is given (exact) or found otherwise."""
    meaning: str

    @property
    def is_bounded(self) -> bool:
        """True if it says between which values it lies."""
        return math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high

    @property
    def is_settable(self) -> bool:
        """True of inputs and parameters."""
        return self.causality in ("input", "parameter")

    @property
    def is_started(self) -> bool:
        """True of what moves and begins where it is set, as states do."""
        moves = self.causality in ("local", "output") and self.variability == "continuous"
        return moves and self.initial == "exact" and self.start is not None

    @property
    def is_continuous_input(self) -> bool:
        """True if it may be set at any moment; what else is settable is set before the start."""
        return self.causality == "input" and self.variability == "continuous"


@dataclass(frozen=True)
class Unit:
    """An FMU's description, and the platforms it holds programs for."""

    path: Path
    version: str
    """Of FMI: 2.0 or 3.0."""
    token: str
    exchange: str
    """How its program for model exchange is called, if it has one."""
    stepping: str
    """How that for co-simulation is called, if it has one."""
    can_return: bool
    """True if a co-simulation can be brought back to a state it was in (get/setFMUstate)."""
    has_fixed_step: bool
    """True if a co-simulation takes steps of one length only."""
    step: float
    """That length, or a usual one, as its default experiment says; else 0."""
    duration: float
    """How long its default experiment is; 1 if it has none."""
    indicators: int
    states: tuple[Signal, ...]
    settable: tuple[Signal, ...]
    platforms: tuple[str, ...]


def is_fmu(target: object) -> TypeGuard[str | Path]:
    """True for what names an FMU.

    >>> is_fmu("plant.fmu"), is_fmu("plant.xml")
    (True, False)
    """
    return isinstance(target, str | Path) and str(target).lower().endswith(".fmu")


def read_unit(path: str | Path) -> Unit:
    """What an FMU says of itself."""
    path = Path(path).expanduser()
    if not path.is_file():
        raise UnknownSystemError(f"{path}: there is no such file; check the path")
    text, names = _content(path)
    root = xml_root(text, f"{path}/{DESCRIPTION}")
    version = root.get("fmiVersion", "")
    if root.tag != "fmiModelDescription" or version not in VERSIONS:
        raise SystemFileError(
            f"{path}: it is of FMI {version or 'without a version'}, and only FMI 2.0 and 3.0 are "
            "read; export it as one of these"
        )
    is_third = version == THIRD
    reals = _third_reals(root) if is_third else _second_reals(root)
    signals = [_signal(*each) for each in reals.values()]
    exchange, able, usual = (
        _attributes(root, name) for name in ("ModelExchange", "CoSimulation", "DefaultExperiment")
    )
    unit = Unit(
        path=path,
        version=version,
        token=root.get("instantiationToken" if is_third else "guid", ""),
        exchange=exchange.get("modelIdentifier", ""),
        stepping=able.get("modelIdentifier", ""),
        can_return=any(able.get(f"canGetAndSetFMU{state}") in TRUE for state in ("state", "State")),
        has_fixed_step=able.get("canHandleVariableCommunicationStepSize") not in TRUE,
        step=_number(able, "fixedInternalStepSize", _number(usual, "stepSize", 0.0)),
        duration=_number(usual, "stopTime", 1.0) - _number(usual, "startTime", 0.0) or 1.0,
        indicators=len(root.findall("ModelStructure/EventIndicator"))
        or int(_number(root.attrib, "numberOfEventIndicators", 0.0)),
        states=tuple(
            _states(root, reals, path) or [x for x in signals if x.is_started and not exchange]
        ),
        settable=tuple(each for each in signals if each.is_settable),
        platforms=tuple(_platforms(names)),
    )
    _check(unit)
    return unit


def _content(path: Path) -> tuple[str, list[str]]:
    """The text of the description, and the names of all files."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = {each.filename: each for each in archive.infolist()}
            if DESCRIPTION not in files:
                raise SystemFileError(f"{path}: the archive holds no {DESCRIPTION}; give an FMU")
            unfolded = sum(each.file_size for each in files.values())
            if files[DESCRIPTION].file_size > LARGEST_DESCRIPTION or unfolded > LARGEST_CONTENT:
                raise SystemFileError(f"{path}: it unfolds to too much; take a smaller model")
            with archive.open(DESCRIPTION) as file:
                content = file.read(LARGEST_DESCRIPTION)
    except UNREADABLE as error:
        raise SystemFileError(
            f"{path}: no zip archive that can be read, as an FMU is ({error}); export it again"
        ) from None
    try:
        return content.decode("utf-8-sig"), list(files)
    except UnicodeDecodeError:
        return content.decode("latin-1"), list(files)


def _check(unit: Unit) -> None:
    """Refuse what cannot be launched from any state."""
    if not (unit.exchange or unit.stepping):
        raise SystemFileError(
            f"{unit.path}: it offers neither model exchange nor co-simulation; export it for model "
            "exchange"
        )
    if not unit.exchange and any(each.start is None for each in unit.states):
        name = next(each.name for each in unit.states if each.start is None)
        raise SystemFileError(
            f"{unit.path}: it offers co-simulation only, and its state {name} has no start value "
            "that could be set; export it for model exchange"
        )
    if not unit.states:
        raise SystemFileError(
            f"{unit.path}: it has no continuous state whose derivative it names; give a model with "
            "states"
        )


def _second_reals(root: Element) -> Reals:
    """The real variables of FMI 2.0 by their places, counted from 1."""
    places = enumerate(root.findall("ModelVariables/ScalarVariable"), start=1)
    pairs = ((str(place), each, each.find("Real")) for place, each in places)
    return {place: (each, real) for place, each, real in pairs if real is not None}


def _third_reals(root: Element) -> Reals:
    """The real variables of FMI 3.0 by their references; arrays are left out."""
    found = (
        each for each in root.findall("ModelVariables/Float64") if not each.findall("Dimension")
    )
    return {each.get("valueReference", ""): (each, each) for each in found}


def _signal(variable: Element, real: Element) -> Signal:
    """A real variable."""
    unit = real.get("unit", "")
    parts = [variable.get("description", ""), f"in {unit}" if unit else ""]
    return Signal(
        name=variable.get("name", ""),
        reference=int(_number(variable.attrib, "valueReference", 0.0)),
        causality=variable.get("causality", "local"),
        variability=variable.get("variability", "continuous"),
        start=_number(real.attrib, "start", math.nan) if "start" in real.attrib else None,
        low=_number(real.attrib, "min", -math.inf),
        high=_number(real.attrib, "max", math.inf),
        initial=variable.get("initial", ""),
        meaning=" ".join(filter(None, parts)),
    )


def _number(attributes: Mapping[str, str], name: str, otherwise: float) -> float:
    try:
        value = float(attributes[name])
    except (KeyError, ValueError):
        return otherwise
    return value if math.isfinite(value) else otherwise


def _attributes(root: Element, name: str) -> Mapping[str, str]:
    found = root.find(name)
    return {} if found is None else found.attrib


def _states(root: Element, reals: Reals, path: Path) -> list[Signal]:
    """The variables whose derivatives the model structure lists, in its order."""
    structure = "ModelStructure/"
    listed = [each.get("index", "") for each in root.findall(structure + "Derivatives/Unknown")]
    listed += [
        each.get("valueReference", "")
        for each in root.findall(structure + "ContinuousStateDerivative")
    ]
    found = []
    for key in listed:
        _, derivative = reals.get(key.strip(), (None, None))
        state = None if derivative is None else reals.get(derivative.get("derivative", "").strip())
        if state is None:
            raise SystemFileError(
                f"{path}: its model structure lists what is no derivative of a real variable; "
                "export it again, without arrays as states"
            )
        found.append(_signal(*state))
    return found


def _platforms(names: list[str]) -> Iterator[str]:
    """The platforms for which it holds programs, as FMI calls them."""
    folders = {
        PurePosixPath(name).parts[1]
        for name in names
        if name.startswith("binaries/") and len(PurePosixPath(name).parts) > 2
    }
    yield from sorted(folders)
