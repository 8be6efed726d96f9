"""FMUs for model exchange, run by fmpy: rates at any state, time and setting of their inputs.

The rates are followed by the integrator of `launch`. Launches are all that leaves here.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from ctypes import POINTER, c_double
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SystemFileError
from odevsr.world.simulators.fmu.file import Signal, Unit
from odevsr.world.simulators.fmu.program import UnsettledError, call_error, loaded
from odevsr.world.simulators.free_run import RUN_POINTS

MOST_CALLS = 200_000
"""Rates that one stretch of a free run may take."""
MOST_UPDATES = 100
"""An event that is not settled after so many updates never is."""


class Runner:
    """An FMU over states whose last are inputs; None among these stands for time."""

    short = 0.0
    """The time that rates are taken over: none passes."""

    def __init__(
        self, unit: Unit, fixed: Mapping[int, float], inputs: Sequence[Signal | None]
    ) -> None:
        self.count = len(unit.states)
        self._unit, self._fixed, self._inputs = unit, dict(fixed), tuple(inputs)
        signals = [(place, each) for place, each in enumerate(inputs) if each is not None]
        self._flowing = [place for place, each in signals if each.is_continuous_input]
        self._held = [place for place, each in signals if not each.is_continuous_input]
        self._fmu = loaded(unit, self)
        self._x, self._dx = np.zeros(self.count), np.zeros(self.count)
        self._now = self._first()

    def _first(self) -> FloatArray:
        """Where it starts, (n,)."""
        starts = [(each and each.start) or 0.0 for each in self._inputs]
        try:
            self._begin([starts[place] for place in self._held])
            self._fmu.getContinuousStates(_pointer(self._x), self.count)
        except (call_error(), UnsettledError) as error:
            raise SystemFileError(
                f"{self._unit.path}: it cannot be initialised ({error}); give it parameters that "
                "it takes"
            ) from None
        return np.array([*self._x, *starts])

    def state(self) -> FloatArray:
        """Where it is now, (n,): its states, then its inputs."""
        return self._now.copy()

    def rates(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) at states (m, n); nan where it has none."""
        found = np.full_like(rows, np.nan)
        for row, state in enumerate(rows):
            if np.isfinite(state).all():
                found[row] = self._rate(state)
        return found

    def put(self, state: FloatArray) -> None:
        """Set states and inputs, (n,)."""
        self._now = state.copy()
        values = state[self.count :]
        held = [float(values[place]) for place in self._held]
        if held != self._begun:
            self._begin(held)
        if None in self._inputs:
            self._fmu.setTime(float(values[self._inputs.index(None)]))
        self._x[:] = state[: self.count]
        self._fmu.setContinuousStates(_pointer(self._x), self.count)
        if self._flowing:
            references = [self._reference(place) for place in self._flowing]
            self._fmu.setReal(references, [float(values[place]) for place in self._flowing])
        if self._unit.indicators:
            self._fmu.enterEventMode()
            self._settle()

    def follow(self, begin: float, end: float) -> FloatArray:
        """States (RUN_POINTS, count) from where it is now, at time `begin`, until `end`."""
        from scipy.integrate import solve_ivp

        row, calls = self.state(), 0

        def rate(time: float, own: FloatArray) -> FloatArray:
            nonlocal calls
            calls += 1
            if calls > MOST_CALLS:
                raise RuntimeError("the free run takes too long")
            row[: self.count] = own
            if None in self._inputs:
                row[self.count + self._inputs.index(None)] = time
            return self._rate(row)[: self.count]

        grid = np.linspace(begin, end, RUN_POINTS)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = solve_ivp(rate, (begin, end), row[: self.count], "LSODA", grid, rtol=1e-8)
        if not found.success:
            raise RuntimeError(found.message)
        self._now[: self.count] = found.y[:, -1]
        states: FloatArray = found.y.T
        return states

    def _rate(self, state: FloatArray) -> FloatArray:
        rate = np.array([float(each is None) for each in (*self._unit.states, *self._inputs)])
        try:
            self.put(state)
            self._fmu.getDerivatives(_pointer(self._dx), self.count)
        except (call_error(), UnsettledError):
            self._begin(self._begun)
            return np.full_like(state, np.nan)
        rate[: self.count] = self._dx
        return rate

    def _begin(self, held: Sequence[float]) -> None:
        """Initialise it anew, with what can be set only before."""
        fmu = self._fmu
        fmu.reset()
        settings = {**self._fixed, **dict(zip(map(self._reference, self._held), held, strict=True))}
        if settings:
            fmu.setReal(list(settings), list(settings.values()))
        fmu.setupExperiment(startTime=0.0)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        self._begun = list(held)
        self._settle(at_start=True)

    def _settle(self, *, at_start: bool = False) -> None:
        """Leave event mode; what moves the state then is an error, but at the start."""
        for _ in range(MOST_UPDATES):
            again, ended, _, moved, *_ = self._fmu.newDiscreteStates()
            if ended or (moved and not at_start):
                raise UnsettledError
            if not again:
                self._fmu.enterContinuousTimeMode()
                return
        raise UnsettledError

    def _reference(self, place: int) -> int:
        signal = self._inputs[place]
        assert signal is not None  # time has none
        return signal.reference


def _pointer(values: FloatArray) -> Any:  # noqa: ANN401
    return values.ctypes.data_as(POINTER(c_double))
