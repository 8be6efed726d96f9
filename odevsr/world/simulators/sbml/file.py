"""SBML file to its parts: species, reactions, rules; what cannot be studied is refused.

Nothing is computed here, and nothing but the file is read: no entity, no package, no other file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard
from xml.etree.ElementTree import Element

from odevsr.errors import SystemFileError
from odevsr.world.simulators.sbml.mathml import is_time, tag
from odevsr.world.simulators.xml_text import xml_root
from odevsr.world.systems.text_file import bounded_text

LARGEST_FILE = 5_000_000
DEEPEST_ELEMENTS = 200
SUFFIXES = (".xml", ".sbml")


@dataclass(frozen=True)
class Species:
    """One species; its symbol is an amount or, if not, a concentration in its compartment."""

    name: str
    compartment: str
    is_amount: bool
    is_set: bool
    """True if no reaction changes it."""
    is_converted: bool
    """True if its rate is that of its reactions times a conversion factor."""
    meaning: str


@dataclass(frozen=True)
class Reaction:
    """What happens at the rate of a kinetic law, None if it has none."""

    name: str
    element: Element
    law: Element | None
    local: Mapping[str, str]
    """Parameters of its own, as text."""


@dataclass(frozen=True)
class Model:
    """A file's parts by name; formulas are still `math` elements."""

    name: str
    title: str
    text: str
    species: Mapping[str, Species]
    compartments: tuple[str, ...]
    parameters: tuple[str, ...]
    reactions: tuple[Reaction, ...]
    functions: Mapping[str, Element]
    assigned: Mapping[str, Element]
    rates: Mapping[str, Element]
    """Parameters and species whose rate is given by a rule."""
    runs_with_time: bool
    """True if a formula holds the time."""

    @property
    def states(self) -> tuple[str, ...]:
        """What has a law of its own: species that reactions change, then what has a rate.

        What a rule assigns follows from the others.
        """
        ruled = {*self.assigned, *self.rates}
        own = (each.name for each in self.species.values() if not each.is_set)
        return (*(name for name in own if name not in ruled), *self.rates)

    @property
    def settable(self) -> tuple[str, ...]:
        """What stays as it is set: parameters and boundary species without a rule."""
        ruled = {*self.assigned, *self.rates}
        held = (each.name for each in self.species.values() if each.is_set)
        return tuple(name for name in (*self.parameters, *held) if name not in ruled)


def is_sbml(target: object) -> TypeGuard[str | Path]:
    """True for what names an SBML file.

    >>> is_sbml("model.xml"), is_sbml("lorenz")
    (True, False)
    """
    return isinstance(target, str | Path) and str(target).lower().endswith(SUFFIXES)


def read_model(path: str | Path) -> Model:
    """The model in a file."""
    path = Path(path).expanduser()
    return parse_model(_file_text(path), str(path))


def parse_model(text: str, where: str) -> Model:
    """The model that a text describes; `where` names the text's origin in refusals."""
    model = _model_element(text, where)
    rules = _named(model, "listOfRules", "variable")
    assigned = {name: each for name, each in rules.items() if tag(each) == "assignmentRule"}
    rates = {name: each for name, each in rules.items() if tag(each) == "rateRule"}
    result = Model(
        name=Path(where).stem,
        title=_printable(model.get("name") or model.get("id") or ""),
        text=text,
        species={
            name: _species(name, each, converted="conversionFactor" in model.attrib)
            for name, each in _named(model, "listOfSpecies", "id").items()
        },
        compartments=tuple(_named(model, "listOfCompartments", "id")),
        parameters=tuple(_named(model, "listOfParameters", "id")),
        reactions=tuple(_reactions(model)),
        functions=_lambdas(_named(model, "listOfFunctionDefinitions", "id")),
        assigned=_formulas(assigned),
        rates=_formulas(rates),
        runs_with_time=_holds_time(model),
    )
    _check(model, result, where)
    return result


def _file_text(path: Path) -> str:
    return bounded_text(path, LARGEST_FILE, "take a smaller model")


def _model_element(text: str, where: str) -> Element:
    root = xml_root(text, where)
    models = [each for each in root if tag(each) == "model"]
    if tag(root) != "sbml" or not models:
        raise SystemFileError(
            f"{where}: the file is XML but holds no SBML model; give an SBML file"
        )
    if _uses_package(root):
        raise SystemFileError(
            f"{where}: the model needs a package of SBML; flatten it to SBML core first"
        )
    if _depth(root) > DEEPEST_ELEMENTS:
        raise SystemFileError(
            f"{where}: the file is nested more than {DEEPEST_ELEMENTS} levels deep; simplify it"
        )
    return models[0]


def _uses_package(root: Element) -> bool:
    """True if the file holds elements of a package without which its rates cannot be known."""
    needed = tuple(
        name.removesuffix("required")
        for name, value in root.items()
        if name.endswith("}required") and value == "true"
    )
    return bool(needed) and any(str(each.tag).startswith(needed) for each in root.iter())


def _depth(root: Element) -> int:
    level, depth = [root], 0
    while level and depth <= DEEPEST_ELEMENTS:
        level, depth = [child for each in level for child in each], depth + 1
    return depth


def _check(element: Element, model: Model, where: str) -> None:
    """Refuse what is no system of rates, or has variables that cannot be set."""
    if _children(element, "listOfEvents"):
        raise SystemFileError(f"{where}: it has events, at which states jump; remove them")
    if any(tag(each) == "algebraicRule" for each in _children(element, "listOfRules")):
        raise SystemFileError(
            f"{where}: it has an algebraic rule, which gives no rate; solve it for a variable"
        )
    if any(each.element.get("fast") == "true" for each in model.reactions):
        raise SystemFileError(f"{where}: it has a fast reaction, which has no rate; give it one")
    for name in (*model.assigned, *model.rates):
        _check_rule(name, model, where)
    if not model.states:
        raise SystemFileError(
            f"{where}: no species or parameter of it changes; give a model with reactions"
        )


def _check_rule(name: str, model: Model, where: str) -> None:
    rule = "an assignment rule" if name in model.assigned else "a rate rule"
    if name in model.species:
        if not _is_changed(name, model):
            return
        raise SystemFileError(
            f"{where}: species {name} follows {rule}, and reactions change it; leave one"
        )
    if name not in model.parameters:
        what = "compartment" if name in model.compartments else "stoichiometry"
        raise SystemFileError(f"{where}: {what} {name} follows {rule}; give it a constant value")


def _is_changed(name: str, model: Model) -> bool:
    """True if reactions would change a species."""
    sides = ("listOfReactants", "listOfProducts")
    places = (_children(each.element, side) for each in model.reactions for side in sides)
    is_there = any(each.get("species") == name for references in places for each in references)
    return is_there and not model.species[name].is_set


def _species(name: str, element: Element, *, converted: bool) -> Species:
    amount, *held = (
        element.get(key) == "true"
        for key in ("hasOnlySubstanceUnits", "boundaryCondition", "constant")
    )
    units = element.get("substanceUnits", "")
    said = element.get("name", "")
    parts = ["amount" if amount else "concentration", *([f"in {units}"] if units else [])]
    meaning = " ".join([*([f"{said}:"] if said and said != name else []), *parts])
    return Species(
        name=name,
        compartment=element.get("compartment", ""),
        is_amount=amount,
        is_set=any(held),
        is_converted=converted or "conversionFactor" in element.attrib,
        meaning=_printable(meaning),
    )


def _printable(text: str) -> str:
    return "".join(each for each in text if each.isprintable())


def _reactions(model: Element) -> Iterator[Reaction]:
    for name, element in _named(model, "listOfReactions", "id").items():
        law = _child(element, "kineticLaw")
        lists = ("listOfParameters", "listOfLocalParameters")
        local = {} if law is None else {k: v for key in lists for k, v in _values(law, key)}
        found = None if law is None else _child(law, "math")
        yield Reaction(name, element, found, local)


def _values(law: Element, key: str) -> Iterator[tuple[str, str]]:
    for name, element in _named(law, key, "id").items():
        yield name, element.get("value", "")


def _holds_time(model: Element) -> bool:
    """True if a formula that decides rates holds the time."""
    lists = ("listOfReactions", "listOfRules", "listOfFunctionDefinitions")
    return any(
        is_time(each) for key in lists for child in _children(model, key) for each in child.iter()
    )


def _formulas(elements: Mapping[str, Element]) -> dict[str, Element]:
    """The `math` of each element that has one."""
    found = {name: _child(each, "math") for name, each in elements.items()}
    return {name: each for name, each in found.items() if each is not None}


def _lambdas(elements: Mapping[str, Element]) -> dict[str, Element]:
    """What function definitions say, where they say something."""
    found = {name: _child(each, "lambda") for name, each in _formulas(elements).items()}
    return {name: each for name, each in found.items() if each is not None and len(each)}


def _named(parent: Element, key: str, attribute: str) -> dict[str, Element]:
    """The children of a list, by the name that an attribute gives them."""
    named = ((each.get(attribute), each) for each in _children(parent, key))
    return {name: each for name, each in named if name}


def _children(parent: Element, key: str) -> list[Element]:
    group = _child(parent, key)
    return [] if group is None else list(group)


def _child(parent: Element, name: str) -> Element | None:
    return next((each for each in parent if tag(each) == name), None)
