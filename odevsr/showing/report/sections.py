"""The sections of a report, one function each; what a run does not hold is left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

from odevsr.discovery.result import Discovery
from odevsr.errors import OdevsrError
from odevsr.language.expression import Expression
from odevsr.language.number import rounded
from odevsr.showing.laws import NUMBER_HEADINGS, number_row, short_text
from odevsr.showing.plots.draw import KINDS, MOST_PANELS
from odevsr.showing.plots.panel import Panel
from odevsr.showing.plots.subject import Subject
from odevsr.showing.plots.told_rounds import shown_rounds, undrawn
from odevsr.showing.prose import Formula
from odevsr.showing.report.beside import beside_sindy
from odevsr.showing.report.figures import figure
from odevsr.showing.report.making import command
from odevsr.showing.report.markup import Html, element, joined, maths, parts_html, table
from odevsr.showing.report.space import experiment, portrait
from odevsr.showing.sentences import status_told
from odevsr.showing.story import equation_story
from odevsr.showing.story_recorded import recordings_told, rest_told
from odevsr.showing.words import counted
from odevsr.vertical.equation import Equation

MOST_SPACES = 12
"""Figures that can be turned; each holds its points twice."""
MOST_OPEN = 12
"""Laws whose numbers are shown without being asked for."""
LONGEST_LAW = 600
"""Letters of a law that is shown whole."""
Section = Callable[[Subject], Html]


def equations(subject: Subject) -> Html:
    """Each law with its status and its numbers."""
    found = subject.discovery()
    if not found.equations:
        return element("p", "No equation has been found yet.")
    told = parts_html(recordings_told(found)) if found.recorded else ""
    return joined([*(_law(each, found) for each in found.equations), told])


def _law(equation: Equation, found: Discovery) -> Html:
    law = rounded(equation.expression, equation.errors)
    status = equation.status
    said = element("span", status.value, class_=f"status {status.value.replace(' ', '-')}")
    rows = [number_row(each) for each in equation.constants if math.isfinite(each.error)]
    numbers = table(NUMBER_HEADINGS, rows) if rows else Html()
    if rows and len(found.equations) > MOST_OPEN:
        numbers = element("details", element("summary", counted(len(rows), "number")), numbers)
    return element(
        "div",
        _formula(law, equation.left),
        element("p", said, f": {status_told(status, found)}"),
        numbers,
        parts_html(rest_told(equation)) if found.recorded else _note(equation),
        class_="law",
    )


def _note(equation: Equation) -> Html:
    return element("p", equation.note, class_="sub") if equation.note else Html()


def _formula(law: Expression, left: str) -> Html:
    """The law typeset; one too long to be read is told in short, with the whole behind it."""
    formula = Formula(law, left)
    if len(formula.text()) <= LONGEST_LAW:
        return element("div", maths(formula, block=True), class_="formula", tabindex="0")
    short = element("code", f"{left} = {short_text(law, LONGEST_LAW)}")
    whole = element("details", element("summary", "The whole law"), element("code", formula.text()))
    return joined([element("p", short), whole])


def motion(subject: Subject) -> Html:
    """The phase portrait and each variable over time: measured against re-simulated."""
    if not subject.motions:
        return Html()
    portraits = _figures(subject, "phase") if len(subject.names) > 1 else []
    if len(subject.names) > 2:
        caption = element("figcaption", ", ".join(map(subject.label, subject.names[:3])))
        portraits = [element("figure", portrait(subject), caption)]
    over_time = _figures(subject, "time")
    grids = [_grid(each, "broad") for each in (portraits, over_time) if each]
    return joined([element("p", _motion_words(subject)), *grids])


def _motion_words(subject: Subject) -> str:
    """What is drawn of the truth, and what of the laws."""
    laws = any(each.by_laws for each in subject.motions)
    true = next((each for each in subject.motions if not each.by_laws), None)
    if true is None:
        return "What the laws found do, from three quarters of all ranges on."
    if subject.discovery().recorded:
        do = "what the laws found do, begun where they follow each run longest (orange, dashed)"
        return f"What was measured (dots), and {do}." if laws else "What was measured (dots)."
    how = "blue, dots" if true.dotted else "blue, solid"
    found = "crosses" if true.dotted else "dashed"
    words = f"What the studied system does ({how})"
    return f"{words}, and what the laws found do (orange, {found})." if laws else f"{words}."


def experiments(subject: Subject) -> Html:
    """Where was launched, what was held, beside the attractor; recordings have nothing of it."""
    if subject.discovery().recorded:
        return Html()
    few = len(subject.names) < 3
    figures = _figures(subject, "experiments") if few else _spaces(subject)
    words = (
        "Each round frees one variable and holds the others: a colour a trial, the mesh a plane in "
        "which one of them is held, in grey the motion from above."
    )
    missing = undrawn(subject)
    drawn = [element("p", words), _grid(figures)] if figures else []
    return joined([*drawn, element("p", missing)] if missing else drawn)


def _spaces(subject: Subject) -> list[Html]:
    """Figures to turn; none where no measurements are kept."""
    if subject.discovery().folder is None:
        return []
    shown = [each for each in shown_rounds(subject) if each.trials]
    figures = [
        element("figure", experiment(subject, each), element("figcaption", each.caption))
        for each in shown[:MOST_SPACES]
    ]
    return [*figures, *_left_out(len(shown), MOST_SPACES)]


def rounds(subject: Subject) -> Html:
    """The law growing: pictures of the rounds, and the story of each equation."""
    found = subject.discovery()
    if found.recorded:
        return Html()
    words = "Lines are the form found, with the constants that each trial has of its own."
    stories = [
        element("details", element("summary", f"How {each.left} was found, step by step"),
                parts_html(equation_story(each, found)))
        for each in found.equations
    ]  # fmt: skip
    figures = _figures(subject, "rounds")
    drawn = [element("p", words), _grid(figures, "broad")] if figures else []
    return joined([*drawn, *stories])


_RESIDUALS = (
    "What the laws leave of all that was measured, in units of the measurement errors; dotted "
    "lines: what counts as explained."
)
_RECORDED_RESIDUALS = "What the motion by the laws leaves of the samples, over each variable."
_LEARNING = (
    "The best loss so far in each round, the mean reward of a batch (1: all fit perfectly), and "
    "how much of a batch had not been proposed before."
)
_FRONT = (
    "The law found, and what is left of it without its weakest terms, each fitted anew to all that "
    "was measured."
)


def residuals(subject: Subject) -> Html:
    """What the laws leave unexplained."""
    words = _RECORDED_RESIDUALS if subject.discovery().recorded else _RESIDUALS
    return _described("residuals", words, subject)


def _described(kind: str, words: str, subject: Subject) -> Html:
    """All pictures of a kind, and what they show."""
    figures = _figures(subject, kind)
    broad = "broad" if kind == "front" else ""
    return joined([element("p", words), _grid(figures, broad)]) if figures else Html()


def making(subject: Subject) -> Html:
    """Cost, seed, versions, and the command that makes it again."""
    found = subject.discovery()
    line, needs = command(found)
    rows = [
        *_spent(found),
        ("candidates", f"{sum(each.candidates for each in found.equations):,}"),
        ("CPU seconds of search", f"{sum(each.elapsed_s for each in found.equations):.2f}"),
        ("seconds", f"{found.elapsed_s:.1f}"),
        ("seed", str(found.seed)),
        *sorted(found.versions.items()),
    ]
    file = [element("details", element("summary", "The system's file"),
                    element("pre", found.system_file))] if found.system_file else []  # fmt: skip
    return joined([table(("", ""), rows), element("p", "The command that makes it again:"),
                   element("pre", line), element("p", needs) if needs else "", *file])  # fmt: skip


def _spent(found: Discovery) -> list[tuple[str, str]]:
    """What was measured."""
    cost = found.cost
    if found.recorded:
        return [("samples", f"{cost.states:,}")]
    return [("experiments", f"{cost.experiments:,}"), ("states", f"{cost.states:,}"),
            ("launches", f"{cost.simulations:,}")]  # fmt: skip


SECTIONS: tuple[tuple[str, Section], ...] = (
    ("Equations", equations),
    ("Motion", motion),
    ("Controlled experiments", experiments),
    ("The law growing, round by round", rounds),
    ("Residuals", residuals),
    ("Learning", partial(_described, "learning", _LEARNING)),
    ("Complexity and error", partial(_described, "front", _FRONT)),
    ("Beside SINDy", beside_sindy),
    ("How it was made", making),
)


def _figures(subject: Subject, kind: str) -> list[Html]:
    """The panels of a kind; none where the run does not hold what it takes."""
    try:
        panels: list[Panel] = list(KINDS[kind](subject))
        shown = enumerate(panels[:MOST_PANELS])
        figures = [figure(each, f"{kind}{number}") for number, each in shown]
    except OdevsrError:
        return []
    return [*figures, *_left_out(len(panels), MOST_PANELS)]


def _left_out(there_are: int, most: int) -> Iterator[Html]:
    if there_are > most:
        yield element("p", f"The first {most} of {there_are:,} are shown.", class_="sub")


def _grid(figures: list[Html], more: str = "") -> Html:
    return element("div", *figures, class_=f"grid {more}".strip())


def summary(found: Discovery) -> Iterator[str]:
    """What was found, in a line."""
    statuses = [each.status.value for each in found.equations]
    counts = [f"{statuses.count(each)} {each}" for each in dict.fromkeys(statuses)]
    yield ", ".join(counts) or "nothing found"
    if found.interrupted:
        yield "interrupted: equations that were asked for are missing"
    yield f"seed {found.seed}"
