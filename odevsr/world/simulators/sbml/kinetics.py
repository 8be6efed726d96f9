"""What an SBML file itself says the rates are: stoichiometry times kinetic laws, written out.

Only who judges reads this. Whoever experiments sees launches (see `sbml`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from xml.etree.ElementTree import Element

from odevsr.errors import ExpressionError, SystemFileError
from odevsr.language.algebra.fold import folded
from odevsr.language.algebra.term import multiplied
from odevsr.language.expression import (
    ZERO,
    Apply,
    Expression,
    Number,
    Op,
    Variable,
    substitute,
    variables,
)
from odevsr.language.parse import parse_number
from odevsr.world.simulators.sbml.file import Model, Reaction
from odevsr.world.simulators.sbml.mathml import formula, tag
from odevsr.world.systems.checks import TIME, check_name

DEEPEST_RULES = 50
_SIDES = {"listOfReactants": -1, "listOfProducts": 1}


@dataclass(frozen=True)
class Kinetics:
    """The rates that can be written, by variable, and why the others cannot."""

    equations: Mapping[str, Expression]
    lacking: Mapping[str, str]


def kinetics(model: Model, values: Mapping[str, float]) -> Kinetics:
    """The rate of each state; `values` are those of compartments and of what is settable.

    What is settable stays a symbol, unless its name is none in our language.
    """
    equations: dict[str, Expression] = {}
    lacking: dict[str, str] = {}
    for name in model.states:
        try:
            equations[name] = folded(_closed(_rate(name, model, values), model, values))
        except ExpressionError as error:
            lacking[name] = str(error)
    return Kinetics(equations, lacking)


def writable(name: str) -> bool:
    """True if our language can call a parameter so."""
    try:
        check_name("parameters", name)
    except SystemFileError:
        return False
    return True


def _rate(name: str, model: Model, values: Mapping[str, float]) -> Expression:
    if name in model.rates:
        return formula(model.rates[name], model.functions)
    species = model.species[name]
    if species.is_converted:
        raise ExpressionError(f"{name} has a conversion factor")
    volume = Fraction(1) if species.is_amount else _volume(species.compartment, values)
    terms = [
        multiplied([*_coefficient(reference, sign / volume, model), _law(reaction, model)])
        for reaction in model.reactions
        for sign, reference in _places(reaction, name)
    ]
    return Apply(Op.ADD, tuple(terms)) if len(terms) > 1 else (*terms, ZERO)[0]


def _volume(compartment: str, values: Mapping[str, float]) -> Fraction:
    if not values.get(compartment):
        raise ExpressionError(f"compartment {compartment} has no size")
    return Fraction(parse_number(values[compartment]))


def _places(reaction: Reaction, name: str) -> list[tuple[int, Element]]:
    """Where a species stands in a reaction, with the sign of the side."""
    return [
        (sign, reference)
        for side in reaction.element
        if (sign := _SIDES.get(tag(side)))
        for reference in side
        if reference.get("species") == name
    ]


def _coefficient(reference: Element, share: Fraction, model: Model) -> list[Expression]:
    """The factors of a kinetic law: the share of one molecule, and how many of them there are."""
    given = next((each for each in reference if tag(each) == "stoichiometryMath"), None)
    if given is not None and len(given):
        return [Number(share), formula(given[0], model.functions)]
    return [Number(share * Fraction(parse_number(reference.get("stoichiometry", "1"))))]


def _law(reaction: Reaction, model: Model) -> Expression:
    if reaction.law is None:
        raise ExpressionError(f"reaction {reaction.name} has no kinetic law")
    if TIME in reaction.local and model.runs_with_time:
        raise ExpressionError(f"a parameter is called {TIME}, as time is")
    local: dict[str, Expression] = {
        name: Number(parse_number(value)) for name, value in reaction.local.items()
    }
    return substitute(formula(reaction.law, model.functions), local)


def _closed(rate: Expression, model: Model, values: Mapping[str, float]) -> Expression:
    """The rate over states, time and what is settable: rules and numbers are put in."""
    for _ in range(DEEPEST_RULES):
        meant = {
            name: _meaning(name, model, values)
            for name in variables(rate)
            if name not in model.states
        }
        changed = {name: each for name, each in meant.items() if each != Variable(name)}
        if not changed:
            return rate
        rate = substitute(rate, changed)
    raise ExpressionError("rules refer to each other in a circle")


def _meaning(name: str, model: Model, values: Mapping[str, float]) -> Expression:
    if name in model.assigned:
        return formula(model.assigned[name], model.functions)
    for reaction in model.reactions:
        if reaction.name == name:
            return _law(reaction, model)
    if name == TIME and model.runs_with_time:
        if name in values:
            raise ExpressionError(f"a parameter is called {TIME}, as time is")
        return Variable(TIME)
    if name in values:
        is_symbol = name in model.settable and writable(name)
        return Variable(name) if is_symbol else _number(values[name])
    raise ExpressionError(f"{name} has no value that can be known")


def _number(value: float) -> Number:
    return Number(parse_number(value))
