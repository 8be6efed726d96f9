"""Programs in any language as simulators: batches of states as lines on stdin, answers on stdout.

A program that says itself what it is answers the line `{"hello": 1}` with names and ranges,

    {"variables": {"angle": [-3, 3], "speed": [-5, 5]}, "inputs": {"torque": [-1, 1]}}

and then each line

    {"steps": [0.1, 0.1], "states": [[1, 0], [2, 0.5]], "inputs": {"torque": [0, 1]}}

with the states after these times, `{"states": [[...], [...]]}`; null or NaN stand for what it
cannot tell. If its hello has `"lines": "csv"`, or if nobody asks for one because names and ranges
are given, a line is one state as plain numbers: `step,angle,speed,torque`, answered by
`angle,speed`. It must not keep answers back (flush), and may print nothing else on stdout.
"""

from __future__ import annotations

import json
import shlex
import shutil
from typing import Any

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import SimulationError, UsageError
from odevsr.world.ranges import RangeLike
from odevsr.world.simulators.guard import TIME_LIMIT, HangingError, in_time
from odevsr.world.simulators.program import AskedProgram, EndedError
from odevsr.world.simulators.simulator import Limits

HELLO = b'{"hello": 1}\n'
LONGEST_HELLO = 1_000_000
ROOM, BYTES_A_NUMBER = 10_000, 100
"""How long an answer may be: some room, and more than any way to write a number takes."""
JSON, CSV = "json", "csv"


def command(
    program: str,
    *,
    inputs: Limits | None = None,
    timeout: float = TIME_LIMIT,
    **variables: RangeLike,
) -> Command:
    """A simulator that is a program, given as on a command line: its path, then its arguments.

    Without names and ranges of variables it is asked for them, and may take `timeout` seconds.
    """
    found = Command(program, CSV, dict(variables), dict(inputs or {}))
    if variables:
        return found
    if inputs:
        raise UsageError("inputs of a program are given beside its variables; give their ranges")
    try:
        return in_time(found.described, timeout)  # type: ignore[no-any-return]
    except (HangingError, EndedError) as error:
        why = "kept silent" if isinstance(error, HangingError) else str(error)
        raise SimulationError(
            f"{program} does not answer the line {HELLO.decode().strip()} ({why}); let it say what "
            "it is, or give names and ranges of its variables"
        ) from None
    finally:
        found.stop()


class Command:
    """A program as a simulator: moves states (m, n) on by steps (m,), with inputs by name."""

    def __init__(self, text: str, lines: str, variables: Limits, inputs: Limits) -> None:
        self.text = self.__name__ = text
        self.lines = lines
        self.variables, self.inputs = variables, inputs
        self._program = AskedProgram(_words(text))

    def __call__(self, states: FloatArray, steps: FloatArray, **inputs: FloatArray) -> object:
        """The states after the steps, as the program tells them."""
        longest = ROOM + BYTES_A_NUMBER * states.size
        if self.lines == CSV:
            rows = np.column_stack([steps, states, *inputs.values()]).tolist()
            request = "".join(",".join(map(repr, row)) + "\n" for row in rows)
            answer = self._program.ask(request.encode(), len(rows), longest)
            return [_row(line, self.text) for line in answer]
        asked: dict[str, Any] = {"steps": steps.tolist(), "states": states.tolist()}
        if inputs:
            asked["inputs"] = {name: values.tolist() for name, values in inputs.items()}
        request = json.dumps(asked) + "\n"
        (line,) = self._program.ask(request.encode(), 1, longest)
        return _object(line, "states", self.text)["states"]

    def described(self) -> Command:
        """The program with the variables and inputs that it says it has."""
        (line,) = self._program.ask(HELLO, 1, LONGEST_HELLO)
        said = _object(line, "variables", self.text)
        lines = said.get("lines", JSON)
        if lines not in (JSON, CSV):
            raise SimulationError(f"{self.text} wants lines of {lines!r}; let it say json or csv")
        return Command(self.text, lines, said["variables"], said.get("inputs") or {})

    def stop(self) -> None:
        """End the program, if it runs; it is started again when it is needed."""
        self._program.stop()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process runs a program of its own."""
        return Command, (self.text, self.lines, self.variables, self.inputs)


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"the command {text!r} cannot be read ({error}); mend it") from None
    if not words or shutil.which(words[0]) is None:
        raise UsageError(
            f"there is no program {words[0] if words else text!r} to run; give its path, such as "
            "./plant, and make it executable"
        )
    return words


def _object(line: bytes, key: str, name: str) -> dict[str, Any]:
    """A JSON object that has a key."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or key not in said:
        shown = repr(line[:60].decode(errors="replace"))
        raise SimulationError(
            f"{name} answered {shown}, which is no JSON object with {key!r}; have it print one on "
            "a line, and nothing else on stdout"
        )
    return said


def _row(line: bytes, name: str) -> list[float]:
    """The numbers of a line, between commas or blanks."""
    try:
        return [float(each) for each in line.replace(b",", b" ").split()]
    except ValueError:
        shown = repr(line[:60].decode(errors="replace"))
        raise SimulationError(
            f"{name} answered {shown}, which are no numbers; have it print those of the state on a "
            "line, and nothing else on stdout"
        ) from None
