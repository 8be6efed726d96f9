"""Models in SBML, simulated by roadrunner.

The rates are roadrunner's; they are followed by the integrator of `launch`, which is more accurate
on short steps than roadrunner's own and goes backwards too. Launches are all that leaves here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import tostring

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SystemFileError
from odevsr.extras import optional_module
from odevsr.language.expression import Real
from odevsr.world.simulators.free_run import RUN_POINTS
from odevsr.world.simulators.sbml.file import Model
from odevsr.world.simulators.sbml.mathml import tag
from odevsr.world.simulators.xml_text import xml_root
from odevsr.world.systems.checks import TIME


class Runner:
    """A model in roadrunner, with some parameters changed, over states whose last are inputs."""

    def __init__(self, model: Model, fixed: Mapping[str, Real], inputs: Sequence[str]) -> None:
        roadrunner = optional_module("roadrunner", extra="sbml")
        roadrunner.Logger.setLevel(roadrunner.Logger.LOG_FATAL)
        self._model, self._inputs = model, tuple(inputs)
        self.count = len(model.states)
        try:
            self._engine = roadrunner.RoadRunner(_with_ruled_species_set(model))
            self._run = self._engine.model
            for name, value in fixed.items():
                self._run[self._key(name)] = float(value)
            self._engine.reset()
        except RuntimeError as error:
            raise SystemFileError(
                f"{model.name}: roadrunner cannot load the model ({' '.join(str(error).split())})"
            ) from None
        order = list(self._run.getFloatingSpeciesIds())
        self._species = [name for name in model.states if name not in model.rates]
        self._places = [order.index(name) for name in self._species]
        self._volumes = np.array([self._volume(name) for name in self._species])

    def values(self) -> dict[str, float]:
        """Compartments and what is settable, as far as they have values."""
        names = (*self._model.compartments, *self._model.settable)
        found = {name: float(self._run[self._key(name)]) for name in names}
        return {name: value for name, value in found.items() if math.isfinite(value)}

    def state(self) -> FloatArray:
        """Where the model is now, (n,): its states, then its inputs."""
        own = [self._run[self._key(name)] for name in self._model.states]
        held = [0.0 if self._is_time(name) else self._run[self._key(name)] for name in self._inputs]
        return np.array([*own, *held])

    def rates(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) at states (m, n)."""
        found = np.zeros_like(rows)
        for row, state in enumerate(rows):
            found[row] = self._rate(state) if np.isfinite(state).all() else np.nan
        return found

    def follow(self, begin: float, end: float) -> FloatArray:
        """States (RUN_POINTS, n) from where the model is now, at time `begin`, until `end`."""
        keys = [self._key(name) for name in self._model.states]
        return np.array(self._engine.simulate(begin, end, RUN_POINTS, keys))

    def put(self, state: FloatArray) -> None:
        """Set states and inputs, (n,)."""
        run, count = self._run, len(self._species)
        for name, value in zip((*self._model.rates, *self._inputs), state[count:], strict=True):
            if self._is_time(name):
                run.setTime(value)
            else:
                run[self._key(name)] = value
        levels = run.getFloatingSpeciesConcentrations()
        levels[self._places] = state[:count] / self._volumes
        run.setFloatingSpeciesConcentrations(levels)

    def _rate(self, state: FloatArray) -> FloatArray:
        self.put(state)
        run, count = self._run, len(self._species)
        rate = np.zeros_like(state)
        rate[:count] = run.getFloatingSpeciesConcentrationRates()[self._places] * self._volumes
        for place, name in enumerate(self._model.rates, start=count):
            rate[place] = run[f"{name}'"] / self._scale(name)
        if self._model.runs_with_time:
            rate[self.count] = 1.0
        return rate

    def _is_time(self, name: str) -> bool:
        return name == TIME and self._model.runs_with_time

    def _volume(self, name: str) -> float:
        """By what a concentration is multiplied to give what the species' symbol stands for."""
        species = self._model.species[name]
        return float(self._run[species.compartment]) if species.is_amount else 1.0

    def _scale(self, name: str) -> float:
        """By what roadrunner's rate is divided: it is that of the amount, whatever the symbol."""
        species = self._model.species.get(name)
        if species is None or species.is_amount:
            return 1.0
        return float(self._run[species.compartment])

    def _key(self, name: str) -> str:
        """How roadrunner calls what a symbol stands for."""
        species = self._model.species.get(name)
        return name if species is None or species.is_amount else f"[{name}]"


def _with_ruled_species_set(model: Model) -> str:
    """The model's text, in which no reaction may change species that have a rate by rule.

    None does; but roadrunner tells the rates of boundary species alone.
    """
    if not any(name in model.species for name in model.rates):
        return model.text
    root = xml_root(model.text, model.name)
    for each in root.iter():
        if tag(each) == "species" and each.get("id") in model.rates:
            each.set("boundaryCondition", "true")
    return tostring(root, encoding="unicode")
