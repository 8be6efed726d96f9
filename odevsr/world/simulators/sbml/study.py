"""A model in SBML as something to experiment on, and as the system that its file describes.

Its species are the state; its parameters and boundary species may be inputs, and so is time where
its rates hold it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odevsr.arrays import FloatArray
from odevsr.errors import ExpressionError, SystemFileError, UsageError, nearest
from odevsr.language.expression import Expression, Number, Real, substitute
from odevsr.language.parse import parse_number
from odevsr.world.box import box_of
from odevsr.world.ranges import Range, RangeLike, checked_range
from odevsr.world.simulators.free_run import observed, sizes_of, usual_size, widened
from odevsr.world.simulators.given import input_variable, state_variable, with_ranges
from odevsr.world.simulators.launch import Launch, field_launcher, telling
from odevsr.world.simulators.sbml.file import Model, parse_model, read_model
from odevsr.world.simulators.sbml.kinetics import Kinetics, kinetics, writable
from odevsr.world.simulators.sbml.runner import Runner
from odevsr.world.systems.checks import TIME, check_names, rate_of_input
from odevsr.world.systems.system import Simulation, StateVariable, System


@dataclass(frozen=True)
class Opened:
    """A model, its variables, of which `inputs` are the last, and what else its rates hold."""

    model: Model
    variables: tuple[StateVariable, ...]
    inputs: tuple[str, ...]
    fixed: Mapping[str, Real]
    """Values of parameters that differ from the file's."""
    parameters: Mapping[str, Real]
    kinetics: Kinetics
    duration: float

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, in order."""
        return tuple(each.name for each in self.variables)

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides how it moves, in hex."""
        said = (self.model.text, sorted(self.fixed.items()), self.variables)
        return hashlib.sha256(repr(said).encode()).hexdigest()

    def launcher(self) -> Launch:
        """Launches of the model by roadrunner."""
        runner = Runner(self.model, self.fixed, self.inputs)
        return field_launcher(runner.rates, box_of(each.range for each in self.variables).width)

    tells = True
    """Its rates are roadrunner's."""

    def teller(self) -> Launch:
        """Its rates, as roadrunner tells them."""
        return telling(Runner(self.model, self.fixed, self.inputs).rates)

    def __reduce__(self) -> tuple[Any, ...]:
        """Elements of XML take long to send to another process; the text is read again there."""
        rest = (self.variables, self.inputs, dict(self.fixed), dict(self.parameters))
        return _opened_again, (
            self.model.text,
            self.model.name,
            *rest,
            self.kinetics,
            self.duration,
        )

    def closed_equations(self) -> dict[str, Expression]:
        """The rates that can be written, with each parameter replaced by its number."""
        numbers: dict[str, Expression] = {
            name: Number(value) for name, value in self.parameters.items()
        }
        return {name: substitute(law, numbers) for name, law in self.kinetics.equations.items()}

    def truth(self) -> System | None:
        """The system that the file's own kinetics make; None if our language lacks words for it."""
        if self.kinetics.lacking:
            return None
        laws = [self.kinetics.equations[name] for name in self.model.states]
        return System(
            name=re.sub(r"[^A-Za-z0-9_-]", "_", self.model.name).lstrip("_-") or "model",
            title=self.model.title or self.model.name,
            source="an SBML file",
            variables=self.variables,
            equations=(*laws, *(rate_of_input(name) for name in self.inputs)),
            parameters=self.parameters,
            simulation=Simulation(self.duration / 1000, self.duration),
            inputs=self.inputs,
        )


def _opened_again(text: str, name: str, *rest: Any) -> Opened:  # noqa: ANN401
    return Opened(parse_model(text, f"{name}.xml"), *rest)


def open_model(
    path: str | Path,
    params: Mapping[str, Real | str] | None = None,
    vary: Mapping[str, RangeLike] | None = None,
    ranges: Mapping[str, RangeLike] | None = None,
) -> Opened:
    """The model in a file, with other values of its parameters, or with inputs in their place."""
    model = read_model(path)
    fixed = {name: _value(name, value, model) for name, value in (params or {}).items()}
    chosen = {name: checked_range(name, given) for name, given in (vary or {}).items()}
    for name in chosen:
        _check_settable(name, model, time=model.runs_with_time)
    varied = tuple(name for name in chosen if name != TIME or not model.runs_with_time)
    inputs = (*([TIME] if model.runs_with_time else []), *varied)
    check_names(model.states, (), inputs)
    runner = Runner(model, fixed, inputs)
    values = runner.values()
    start = runner.state()[: runner.count]
    lows, highs, duration = observed(runner)
    own = _states(model, start, lows, highs)
    given = {TIME: Range(0.0, duration, domain=(0.0, math.inf)), **chosen}
    held = [input_variable(name, given[name], values.get(name, 0.0)) for name in inputs]
    variables = with_ranges((*own, *held), ranges or {}, model.name)
    parameters: dict[str, Real] = {
        name: parse_number(values[name])
        for name in model.settable
        if name not in inputs and name in values and writable(name)
    }
    return Opened(model, variables, inputs, fixed, parameters, kinetics(model, values), duration)


def sbml_system(path: str | Path) -> System:
    """The system that a file's own kinetics make."""
    opened = open_model(path)
    truth = opened.truth()
    if truth is not None:
        return truth
    name, why = next(iter(opened.kinetics.lacking.items()))
    raise SystemFileError(
        f"{path}: the rate of {name} cannot be written ({why}); `odevsr discover` can still "
        "experiment on it"
    )


def _states(
    model: Model, start: FloatArray, lows: FloatArray, highs: FloatArray
) -> list[StateVariable]:
    """The states with the ranges of a free run; species are levels."""
    usual = usual_size(sizes_of(lows, highs))
    found = []
    for name, *values in zip(model.states, start, lows, highs, strict=True):
        first, low, high = map(float, values)
        species = model.species.get(name)
        given = widened(low, high, usual, is_level=species is not None)
        meaning = "parameter" if species is None else species.meaning
        found.append(state_variable(name, given, first, meaning))
    return found


def _value(name: str, value: Real | str, model: Model) -> Real:
    _check_settable(name, model)
    try:
        return parse_number(value)
    except ExpressionError as error:
        raise UsageError(f"parameter {name}: {error}") from None


def _check_settable(name: str, model: Model, *, time: bool = False) -> None:
    if name not in model.settable and not (time and name == TIME):
        raise UsageError(f"{model.name} has no parameter {name!r}; {nearest(name, model.settable)}")
