"""FMUs for co-simulation, run by fmpy: they move by themselves, from states they are started in.

A co-simulation goes on from where it is. For each launch it is brought back to where it was before
its start, by the state that it gave then (get/setFMUstate) or else by a reset, and started with
other values of its states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SystemFileError
from odevsr.world.simulators.fmu.file import Signal, Unit
from odevsr.world.simulators.fmu.program import UnsettledError, call_error, loaded
from odevsr.world.simulators.free_run import RUN_POINTS

MOST_STEPS = 100_000
"""Steps of its own that one launch may take."""
SAME = 1e-9
"""A state that was set is read as it is, up to this share of it."""


class Stepped:
    """An FMU that moves by itself, over states whose last are inputs; None stands for time."""

    def __init__(
        self, unit: Unit, fixed: Mapping[int, float], inputs: Sequence[Signal | None]
    ) -> None:
        self.count = len(unit.states)
        self._unit, self._fixed, self._inputs = unit, dict(fixed), tuple(inputs)
        self._states = [each.reference for each in unit.states]
        self._fmu = loaded(unit, self)
        self._before = self._fmu.getFMUstate() if unit.can_return else None
        starts = [(each and each.start) or 0.0 for each in (*unit.states, *inputs)]
        self._now = np.array(starts)
        self._check()

    @property
    def short(self) -> float:
        """A time in which little happens, as far as its file tells: a step of its own."""
        return self._unit.step or self._unit.duration / 1000

    def state(self) -> FloatArray:
        """Where it is now, (n,): its states, then its inputs."""
        return self._now.copy()

    def put(self, state: FloatArray) -> None:
        """Set states and inputs, (n,)."""
        self._now = state.copy()

    def launch(self, states: FloatArray, step: float | FloatArray) -> FloatArray:
        """States (m, n) after a step, which is one number or (m,); nan where it cannot go."""
        steps = np.broadcast_to(np.asarray(step, dtype=np.float64), len(states))
        ends = np.full(states.shape, np.nan)
        for row, (state, length) in enumerate(zip(states, steps.tolist(), strict=True)):
            if length < 0 or not np.isfinite(state).all():
                continue
            try:
                ends[row] = self._moved(state, [length])[-1]
            except (call_error(), UnsettledError):
                continue
        return ends

    def rates(self, rows: FloatArray) -> FloatArray:
        """Rates (m, n) at states (m, n), over a short time."""
        return (self.launch(rows, self.short) - rows) / self.short

    def follow(self, begin: float, end: float) -> FloatArray:
        """States (RUN_POINTS, count) from where it is now, at time `begin`, until `end`."""
        if None in self._inputs:
            self._now[self.count + self._inputs.index(None)] = begin
        lengths = np.diff(np.linspace(begin, end, RUN_POINTS)).tolist()
        try:
            states = np.array([self._now, *self._moved(self._now, lengths)])
        except (call_error(), UnsettledError) as error:
            raise RuntimeError(str(error)) from None
        self._now = states[-1]
        return states[:, : self.count]

    def _check(self) -> None:
        """Refuse what does not begin in the states it is given."""
        try:
            self._start(self._now + 0.125 * (1 + np.abs(self._now)))
        except (call_error(), UnsettledError) as error:
            returns = "" if self._unit.can_return else " (nor has it get/setFMUstate)"
            raise SystemFileError(
                f"{self._unit.path}: it offers co-simulation only, and does not start in states it "
                f"is given{returns}; export it for model exchange ({error or 'they stay'})"
            ) from None

    def _start(self, state: FloatArray) -> float:
        """Begin anew in a state, (n,); the time at which that is."""
        fmu, values = self._fmu, state[self.count :].tolist()
        if self._before is None:
            fmu.reset()
        else:
            fmu.setFMUstate(self._before)
        signals = zip(self._inputs, values, strict=True)
        settings = {each.reference: value for each, value in signals if each is not None}
        given = {**self._fixed, **settings, **dict(zip(self._states, state.tolist(), strict=False))}
        fmu.setReal(list(given), list(given.values()))
        time = float(values[self._inputs.index(None)]) if None in self._inputs else 0.0
        fmu.setupExperiment(startTime=time)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        own = state[: self.count]
        if not np.allclose(self._read(), own, rtol=SAME, atol=SAME):
            raise UnsettledError
        return time

    def _moved(self, state: FloatArray, lengths: Sequence[float]) -> list[FloatArray]:
        """States (n,) after each of the lengths, one after the other."""
        time = self._start(state)
        found = []
        for length in lengths:
            time = self._advance(time, length)
            state = state.copy()
            state[: self.count] = self._read()
            if None in self._inputs:
                state[self.count + self._inputs.index(None)] = time
            found.append(state)
        return found

    def _advance(self, time: float, length: float) -> float:
        """Go on from a time, in steps of its own if it takes no others; when that is."""
        fixed = self._unit.step if self._unit.has_fixed_step else 0.0
        count = round(length / fixed) if fixed else int(length > 0)
        if count > MOST_STEPS:
            raise UnsettledError("so many steps take too long")
        for place in range(count):
            own = fixed or length
            told = self._fmu.doStep(time + place * own, own, False)
            if told and any(told[1:3]):  # of FMI 3.0: it ends, or returns early
                raise UnsettledError("it ends")
        return time + length

    def _read(self) -> FloatArray:
        return np.array(self._fmu.getReal(self._states))
