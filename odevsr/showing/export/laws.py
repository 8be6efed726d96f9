"""What every exporter writes down: names, right-hand sides, and how far each can be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import odevsr
from odevsr.language.expression import variables
from odevsr.showing.export.code import Language, code
from odevsr.showing.export.names import comment_text, safe_names
from odevsr.showing.sentences import status_told
from odevsr.vertical.equation import Equation, Status
from odevsr.world.systems.checks import TIME

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery


@dataclass(frozen=True)
class ExportedLaw:
    """An equation in another language, of a variable and the name it has there.

    `remark` is a comment behind it; empty if the law is identified.
    """

    variable: str
    name: str
    rate: str
    remark: str


@dataclass(frozen=True)
class Laws:
    """A discovery in another language.

    `inputs` are the names here and there of those that have no law; `used` are the names there of
    all that occurs in a law.
    """

    header: str
    laws: tuple[ExportedLaw, ...]
    inputs: tuple[tuple[str, str], ...]
    used: frozenset[str]

    def under_header(self, lines: Iterable[str]) -> str:
        """The lines of a text, under the comment that it begins with."""
        return "\n".join([self.header, *lines, ""])

    def used_states(self) -> list[tuple[int, str]]:
        """Places from 0 on and names of the states that laws use."""
        return [(place, law.name) for place, law in enumerate(self.laws) if law.name in self.used]

    def used_inputs(self) -> list[tuple[int, str]]:
        """Places from 0 on and names of the inputs that laws use."""
        names = [name for _, name in self.inputs]
        return [(place, name) for place, name in enumerate(names) if name in self.used]


def laws_in(found: Discovery, language: Language) -> Laws:
    """The laws of a discovery in another language."""
    states = [each.variable for each in found.equations]
    others = [name for name in found.names if name not in states]
    inputs = [name for name in others if name != TIME]
    names = safe_names([*states, *inputs], language.reserved)
    changed = {name: safe for name, safe in names.items() if name != safe}
    if TIME in others:
        names[TIME] = language.time
    laws = [
        ExportedLaw(
            each.variable,
            names[each.variable],
            code(each.expression, language, names),
            ""
            if each.status is Status.IDENTIFIED
            else f"  {language.comment} {how_sure(each, found)}",
        )
        for each in found.equations
    ]
    in_laws = {name for each in found.equations for name in variables(each.expression)}
    return Laws(
        header(found, language.comment, changed, inputs),
        tuple(laws),
        tuple((name, names[name]) for name in inputs),
        frozenset(names[name] for name in in_laws),
    )


def header(
    found: Discovery,
    comment: str,
    changed: dict[str, str] | None = None,
    inputs: list[str] | None = None,
) -> str:
    """The comment that a text begins with: whose laws, how they were found, how sure they are.

    The first two lines hold no word of a file: Python reads there how the text is encoded.
    """
    lines = _header_lines(found, changed or {}, inputs or [])
    return "".join(f"{comment} {comment_text(line)}\n" for line in lines)


def _header_lines(found: Discovery, changed: dict[str, str], inputs: list[str]) -> Iterator[str]:
    made_by = found.versions.get("odevsr", odevsr.__version__)
    yield f"Laws that were discovered from {'recordings' if found.recorded else 'experiments'}."
    yield "Keep these lines with them: they say how far each can be trusted."
    yield f"target: {found.target}"
    yield f"found by odevsr {made_by} with seed {found.seed}"
    for each in found.equations:
        yield f"{each.left}: {how_sure(each, found)}"
    if found.interrupted:
        yield "The search was interrupted: equations that were asked for are missing."
    if found.units:
        yield f"units: {', '.join(map(found.heading, found.units))}"
    if inputs:
        yield f"inputs, which have no equation: {', '.join(inputs)}"
    for name, safe in changed.items():
        yield f"{name} is called {safe} here"


def how_sure(equation: Equation, found: Discovery) -> str:
    """A law's status, and what it means."""
    return f"{equation.status.value}: {status_told(equation.status, found)}"
