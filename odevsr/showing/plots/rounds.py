"""The law growing: the derivative over the free variable, a colour a trial, and the form found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.errors import OdevsrError
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Number, substitute
from odevsr.showing.meanings import read
from odevsr.showing.plots.panel import Axes, Panel
from odevsr.showing.plots.style import COLOURS, MARKS, dressed, legend
from odevsr.showing.plots.subject import Subject, shortened
from odevsr.showing.plots.told_rounds import Shown, shown_rounds
from odevsr.showing.prose import formula, said
from odevsr.vertical.asking.story import Round


def panels(subject: Subject) -> Iterator[Panel]:
    """A panel a round."""
    for shown in shown_rounds(subject):
        yield Panel(shown.caption, partial(_round, subject=subject, shown=shown), width=6.6)


def _round(ax: Axes, subject: Subject, shown: Shown) -> None:
    told, about = shown.round, shown.about
    for trial, (moved, values) in enumerate(shown.curves[: len(COLOURS)]):
        colour, mark = COLOURS[trial], MARKS[trial]
        ax.plot(moved, values, mark, color=colour, markersize=3, label=_held(shown, trial))
        if len(told.free) == 1 and len(moved):
            line = np.linspace(moved.min(), moved.max(), 200)
            curve = _curve(told, trial, line)
            if curve is not None:
                ax.plot(line, curve, "-", color=colour, linewidth=0.8)
    form = shortened(_form(told), 52)
    found = f"{about} = {form}" if told.proposer else f"{about}: no form explains this"
    dressed(ax, f"{shown.free} free: {found}", subject.label(shown.free), shown.quantity)
    legend(ax, title="held" if told.setting.held else None, title_fontsize=8,
           loc="upper left", bbox_to_anchor=(1, 1))  # fmt: skip


def _held(shown: Shown, trial: int) -> str:
    """What was held in a trial."""
    if not shown.held:
        return ""
    pairs = zip(shown.held, shown.round.setting.values[trial], strict=True)
    return shortened(", ".join(f"{name} {value:.3g}" for name, value in pairs), 28)


def _form(told: Round) -> str:
    return said(formula(told.numbered or told.form, stands_for=told.place.stands_for)).text()


def _curve(told: Round, trial: int, x: FloatArray) -> FloatArray | None:
    """The form with the constants of a trial; None if nothing explains it."""
    form = read(told.numbered)
    if form is None or not told.constants:
        return None
    law = substitute(form, {each.name: Number(each.values[trial]) for each in told.constants})
    try:
        with np.errstate(all="ignore"):
            curve: FloatArray = compile_field([law], [told.variable])(x[:, None])[:, 0]
    except (OdevsrError, KeyError):  # a record that somebody has changed
        return None
    return curve
