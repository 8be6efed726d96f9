"""What a System must satisfy; a refusal knows its place, so a file's reader can add the line."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from odevsr.errors import ExpressionError, nearest
from odevsr.kind import Kind
from odevsr.language.expression import (
    FUNCTIONS,
    ONE,
    ZERO,
    Constant,
    Expression,
    Hole,
    Op,
    Variable,
    variables,
    walk,
)
from odevsr.language.parse import parse_number
from odevsr.world.ranges import fault_of
from odevsr.world.systems.refusals import Mistakes, RefusalError

if TYPE_CHECKING:
    from odevsr.world.systems.system import Simulation, StateVariable, System

OPERATORS = (*(op.value for op in Op if not op.value.isalpha()), *FUNCTIONS)
TIME = "t"
RESERVED = (TIME, "time")
SECTIONS = {Kind.ODE: "equations", Kind.FUNCTION: "function", Kind.MAP: "map"}
"""Where a file has the laws of each kind."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SYSTEM_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def check_system(system: System) -> None:
    """Raise all that is wrong."""
    wrong = Mistakes()
    wrong.of(check_system_name, system.name)
    prose: dict[tuple[str, ...], str] = {("title",): system.title, ("source",): system.source}
    for place, text in prose.items():
        wrong.of(check_prose, place, text)
    judge_names(system.components, tuple(system.parameters), system.inputs, system.kind, wrong)
    if system.kind is not Kind.FUNCTION:
        wrong.of(_check_inputs, system)
    for variable in system.variables:
        section = "inputs" if variable.name in system.inputs else "state"
        wrong.of(check_variable, (section, variable.name), variable)
    wrong.of(_check_parameters, system)
    wrong.of(_check_equations, system)
    wrong.of(check_simulation, system.simulation)
    wrong.of(check_operators, system.operators or ())
    wrong.tell()


def check_system_name(name: str) -> None:
    """A system is called as its file can be."""
    if not _SYSTEM_NAME.fullmatch(name):
        raise RefusalError(
            ("name",), f"name {name!r} may hold only letters, digits, _ and -; rename it"
        )


def check_names(
    states: Sequence[str],
    parameters: Sequence[str],
    inputs: Sequence[str] = (),
    kind: Kind = Kind.ODE,
) -> None:
    """Raise all that is wrong with names."""
    wrong = Mistakes()
    judge_names(states, parameters, inputs, kind, wrong)
    wrong.tell()


def judge_names(
    states: Sequence[str],
    parameters: Sequence[str],
    inputs: Sequence[str],
    kind: Kind,
    wrong: Mistakes,
) -> None:
    """There is something to vary, every name is a fit one, and none is declared twice.

    What a function gives stands in the place of states.
    """
    wrong.of(_check_some, inputs if kind is Kind.FUNCTION else states, kind)
    seen: set[str] = set()
    first = SECTIONS[kind] if kind is Kind.FUNCTION else "state"
    sections = [(first, states), ("parameters", parameters), ("inputs", inputs)]
    for section, name in ((section, name) for section, names in sections for name in names):
        wrong.of(check_name, section, name)
        wrong.of(_check_new, (section, name), seen)
        seen.add(name)


def _check_some(varied: Sequence[str], kind: Kind) -> None:
    what, where = ("input", "inputs") if kind is Kind.FUNCTION else ("state variable", "state")
    if not varied:
        raise RefusalError((where,), f"there is no {what}; add at least one under [{where}]")


def _check_new(place: tuple[str, str], seen: Collection[str]) -> None:
    if place[1] in seen:
        raise RefusalError(place, f"{place[1]} is declared twice; rename one of the two")


def check_name(section: str, name: str) -> None:
    """A state variable or parameter has a plain name that nothing else in the language uses."""
    place = (section, name)
    if (section, name) == ("inputs", TIME):
        return
    if not _NAME.fullmatch(name):
        raise RefusalError(
            place, f"{name!r} is not a name; use a letter, then letters, digits and underscores"
        )
    if name in FUNCTIONS:
        raise RefusalError(place, f"{name} is the name of a function; choose another name")
    if keyword.iskeyword(name):
        raise RefusalError(place, f"{name} is a word of Python; choose another name")
    if name in RESERVED:
        raise RefusalError(place, f"{name} is kept for time; choose another name")


def check_operators(operators: Iterable[str]) -> None:
    """Operators to search with are those of the language."""
    known = [operator_text(each) for each in OPERATORS]
    for operator in operators:
        if operator not in OPERATORS:
            raise RefusalError(
                ("search", "operators"),
                f"unknown operator {operator!r}; {nearest(operator, known)}",
            )


def operator_text(operator: str) -> str:
    """An operator as people write it: ^ for a power."""
    return "^" if operator == Op.POW.value else operator


def check_prose(place: tuple[str, ...], text: str) -> None:
    """Titles and the like are printed, so they must not be able to steer a terminal."""
    if not all(character.isprintable() or character in "\n\t" for character in text):
        raise RefusalError(place, f"{place[-1]!r} holds a control character; remove it")


def _check_inputs(system: System) -> None:
    if system.names[len(system.components) :] != system.inputs:
        raise RefusalError(
            ("inputs",),
            f"the inputs {', '.join(system.inputs)} are not the last variables; put them last",
        )
    own = system.equations[len(system.components) :]
    for name, law in zip(system.inputs, own, strict=False):
        if (law,) != laws_of_inputs(system.kind, [name]):
            raise RefusalError(
                ("inputs", name), f"{name} is an input and has no equation; make it a state"
            )


def laws_of_inputs(kind: Kind, names: Iterable[str]) -> tuple[Expression, ...]:
    """An input stays as it was set, but for time, which runs; a function has no law of them."""
    if kind is Kind.FUNCTION:
        return ()
    if kind is Kind.MAP:
        return tuple(Variable(name) for name in names)
    return tuple(rate_of_input(name) for name in names)


def rate_of_input(name: str) -> Expression:
    """An input stays as it was set; time runs."""
    return ONE if name == TIME else ZERO


def check_variable(place: tuple[str, str], variable: StateVariable) -> None:
    """A variable has a range that holds its start, and a meaning that can be printed."""
    check_prose(place, variable.meaning)
    name, low, high, start = variable.name, variable.low, variable.high, variable.start
    if not all(math.isfinite(value) for value in (low, high, start)):
        raise RefusalError(
            place, f"{name} has a range or start that is not finite; write plain numbers"
        )
    if fault := fault_of(variable.range):
        field, sentence = fault
        raise RefusalError((*place, field), f"{name} {sentence}")
    if not low <= start <= high:
        raise RefusalError(
            place,
            f"{name} starts at {start:g}, outside its range [{low:g}, {high:g}]; move one of them",
        )


def _check_parameters(system: System) -> None:
    for name, value in system.parameters.items():
        try:
            parse_number(value)
        except ExpressionError as error:
            raise RefusalError(("parameters", name), f"parameter {name}: {error}") from None


def _check_equations(system: System) -> None:
    section, of_whom = SECTIONS[system.kind], system.left_sides
    if len(system.equations) != len(of_whom):
        raise RefusalError(
            (section,),
            f"{len(of_whom)} state variables have {len(system.equations)} equations; "
            "write one for each",
        )
    known = {*system.names, *system.parameters}
    for name, equation in zip(of_whom, system.equations, strict=True):
        _check_equation((section, name), equation, known)


def _check_equation(place: tuple[str, str], equation: Expression, known: set[str]) -> None:
    name = place[1]
    for symbol in sorted(variables(equation) - known):
        raise RefusalError(
            place, f"unknown symbol {symbol} in the equation of {name}; {nearest(symbol, known)}"
        )
    if any(isinstance(node, Constant | Hole) for node in walk(equation)):
        raise RefusalError(place, f"the equation of {name} has an open constant; give it a number")


def check_simulation(simulation: Simulation) -> None:
    """A simulation goes on in time, by at least a step."""
    step, duration = simulation.step, simulation.duration
    for key, value in (("step", step), ("duration", duration)):
        if not (math.isfinite(value) and value > 0):
            raise RefusalError(("simulation", key), f"{key} is {value:g}; write a number above 0")
    if step > duration:
        raise RefusalError(
            ("simulation", "step"),
            f"step {step:g} is longer than duration {duration:g}; shorten it",
        )
