"""What `odevsr discover` found: a page for people, one object for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.discovery.result import Discovery, Unfinished
from odevsr.language.expression import Expression
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.limits import Limits
from odevsr.settings import Settings
from odevsr.showing.laws import NUMBER_HEADINGS, number_row, short_text
from odevsr.showing.output import law_table, plain_table
from odevsr.showing.sentences import status_told
from odevsr.showing.story_recorded import SHOWN, chi_text, rival_law, visited
from odevsr.showing.words import counted
from odevsr.verdict.equivalence import is_equivalent
from odevsr.vertical.equation import Equation, Status
from odevsr.vertical.judging.rivals import Alternative
from odevsr.world.experiments.oracle import Cost
from odevsr.world.systems.system import System

LONGEST_APPROXIMATION = 160
_STYLES = {
    Status.IDENTIFIED: "green",
    Status.UNDECIDED: "cyan",
    Status.APPROXIMATE: "yellow",
    Status.NOT_IDENTIFIED: "bold red",
}


def discovery_page(discovery: Discovery) -> RenderableType:
    """Each equation with what is known of it, then what it took in all."""
    parts: list[RenderableType] = []
    for equation in discovery.equations:
        facts = _facts(equation, discovery)
        parts += [_law(equation), Padding(Group(*facts), (0, 0, 1, 4))]
    parts += [Text(_unfinished_text(each)) for each in discovery.unfinished]
    parts += [Text(note) for note in discovery.notes]
    if discovery.recorded:
        parts.append(Text(f"visited: {visited(discovery)}"))
    return Group(*parts, Text(_totals(discovery)))


def discovery_json(discovery: Discovery, truth: System | None = None) -> dict[str, Any]:
    """The discovery as one object; `exact` is filled in where the truth is known."""
    result = discovery.to_json()
    if truth is None:
        return result
    laws = dict(zip(truth.left_sides, truth.closed_equations(), strict=True))
    for record, equation in zip(result["equations"], discovery.equations, strict=True):
        law = laws[equation.variable]
        record["exact"] = is_equivalent(equation.expression, law, truth.names, truth.box)
    return result


def _law(equation: Equation) -> RenderableType:
    law = rounded(equation.expression, equation.errors)
    whole = equation.status is Status.IDENTIFIED
    text = to_text(law) if whole else _approximation_text(law)
    return law_table([(equation.left, text)], style="bold")


def _approximation_text(law: Expression) -> str:
    """What is not the law need not be read to the end."""
    text = short_text(law, LONGEST_APPROXIMATION)
    return text if text == to_text(law) else f"{text}; --json has all"


def _facts(equation: Equation, discovery: Discovery) -> Iterator[RenderableType]:
    status, recorded = equation.status, discovery.recorded
    yield Text.assemble((status.value, _STYLES[status]), f": {status_told(status, discovery)}")
    if equation.note:
        yield Text(equation.note)
    good = (Status.IDENTIFIED, Status.UNDECIDED) if recorded else (Status.IDENTIFIED,)
    if equation.constants and status in good:
        yield plain_table(NUMBER_HEADINGS, map(number_row, equation.constants))
    for alternative in equation.alternatives[:SHOWN]:
        yield Text(
            _rival_text(alternative, equation)
            if recorded
            else _alternative_text(alternative, equation, discovery.settings.limits)
        )
    if (more := len(equation.alternatives) - SHOWN) > 0:
        yield Text(f"{more} more such laws: --json has them")
    left = f"its motion leaves {chi_text(equation.deviation)}; R2 of slopes"
    fit = left if recorded else "R2"
    yield Text(f"{fit} {_r2_text(equation)}, {_cost_text(equation.cost, discovery.settings)}")
    proposed = f" proposed by {', '.join(equation.proposers)}" if equation.proposers else ""
    tried = counted(equation.candidates, "candidate")
    yield Text(f"{tried}{proposed}, {equation.elapsed_s:.2f} CPU s")


def _alternative_text(alternative: Alternative, equation: Equation, limits: Limits) -> str:
    law = _approximation_text(rounded(alternative.expression))
    experiment = alternative.experiment
    if experiment is None:
        times = alternative.deviation / equation.deviation if equation.deviation else math.inf
        return f"simpler, but {times:.3g} times as far off: {law}"
    where = ", ".join(f"{value:.4g}" for value in experiment.state)
    measurements = f"{experiment.repeats(limits):,} measurements at ({where})"
    if alternative.is_refuted:
        return f"{measurements} speak against {law}"
    return f"cannot be told from the simpler {law}; {measurements} would tell (--decide makes them)"


def _rival_text(alternative: Alternative, equation: Equation) -> str:
    """Another law that explains the recordings."""
    law = _approximation_text(rival_law(alternative, equation))
    return f"rival, {chi_text(alternative.deviation)}: {law}"


def _r2_text(equation: Equation) -> str:
    if equation.is_constant:
        return "-"
    if not math.isfinite(equation.r2):
        return "undefined"
    if 0 < equation.nmse < 1e-4:
        return f"1 - {equation.nmse:.1e}"
    return f"{equation.r2:.6g}"


def _cost_text(cost: Cost, settings: Settings) -> str:
    if not cost.simulations:
        return f"{cost.states:,} samples" if cost.states else "no launches of its own"
    met = "crossings" if settings.sampling == "crossings" else "states"
    return f"{cost.states:,} {met}, {cost.simulations:,} launches"


def _unfinished_text(search: Unfinished) -> str:
    progress = f"{search.variable}: interrupted after {counted(search.candidates, 'candidate')}"
    if not search.best:
        return progress
    return f"{progress}; over {search.over}, the best form so far is {search.best}"


def _totals(discovery: Discovery) -> str:
    statuses = [equation.status for equation in discovery.equations]
    counts = [f"{statuses.count(each)} {each.value}" for each in Status if each in statuses]
    found = ", ".join(counts) or "nothing found"
    stopped = "interrupted; " if discovery.interrupted else ""
    search = sum(equation.elapsed_s for equation in discovery.equations)
    search += sum(each.elapsed_s for each in discovery.unfinished)
    cost = _cost_text(discovery.cost, discovery.settings)
    return (
        f"{discovery.target}, seed {discovery.seed}: {stopped}{found}; "
        f"{cost}; {search:.1f} CPU s of search, {discovery.elapsed_s:.1f} s"
    )
