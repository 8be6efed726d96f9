"""SINDy beside a discovery: its laws on trajectories, on our measurements, and as quotients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from odevsr.discovery.task import Event
from odevsr.language.expression import Expression
from odevsr.verdict.court import Court
from odevsr.verdict.judgement import IMPLICIT, ON_MEASUREMENTS, ON_TRAJECTORIES, Method
from odevsr.verdict.rival.libraries import Library, implicit_libraries, libraries_for
from odevsr.verdict.rival.sindy import Samples, SindyLaw, fit_sindy
from odevsr.verdict.spent import Spent

QUIET_SECONDS = 5.0
"""A method that takes longer says now and then how far it is."""


def sindy_methods(
    court: Court,
    measured: dict[str, Samples],
    on_trajectories: Samples | None,
    known: Sequence[Expression],
    spent: Spent,
    on_event: Callable[[Event], None],
) -> Iterator[Method]:
    """On trajectories, on our measurements, and there with implicit libraries where need be."""
    libraries = libraries_for(court.names, known)
    if on_trajectories is not None:
        on_event(Event(message=f"{ON_TRAJECTORIES}: on trajectories"))
        everywhere = dict.fromkeys(court.variables, on_trajectories)
        laws, seconds = _fitted(ON_TRAJECTORIES, court, everywhere, libraries, spent, on_event)
        yield _method(ON_TRAJECTORIES, court, laws, len(on_trajectories.states), seconds, spent)
    on_event(Event(message=f"{ON_MEASUREMENTS}: on measurements"))
    states = sum(len(each.states) for each in measured.values())
    laws, seconds = _fitted(ON_MEASUREMENTS, court, measured, libraries, spent, on_event)
    explicit = _method(ON_MEASUREMENTS, court, laws, states, seconds, spent)
    yield explicit
    unsettled = {law.variable: measured[law.variable] for law in laws if not law.is_settled}
    if unsettled:
        on_event(Event(message=f"{IMPLICIT}: quotients, for {', '.join(unsettled)}"))
    quotients = implicit_libraries(court.names)
    rational, more = _fitted(IMPLICIT, court, unsettled, quotients, spent, on_event)
    better = {
        new.variable: new
        for new in rational
        if new.nmse < next(old.nmse for old in laws if old.variable == new.variable)
    }
    if better:
        laws = [better.get(law.variable, law) for law in laws]
        yield _method(IMPLICIT, court, laws, states, seconds + more, spent)
    else:
        yield replace(explicit, name=IMPLICIT, elapsed_s=seconds + more)


def _fitted(
    method: str,
    court: Court,
    samples: dict[str, Samples],
    libraries: Sequence[Library],
    spent: Spent,
    on_event: Callable[[Event], None],
) -> tuple[list[SindyLaw], float]:
    """SINDy's law of each variable, and the seconds they took; now and then it tells how far."""
    laws: list[SindyLaw] = []
    seconds = told = 0.0
    for name, given in samples.items():
        with spent.on("sindy_regression"):
            found, took = fit_sindy(court.names, given, libraries, [name])
        laws += found
        seconds += took
        if seconds - told > QUIET_SECONDS:
            told = seconds
            on_event(Event(message=f"{method}: {len(laws)} of {len(samples)} equations"))
    return laws, seconds


def _method(
    name: str, court: Court, laws: Sequence[SindyLaw], states: int, seconds: float, spent: Spent
) -> Method:
    with spent.on("sindy_judging"):
        judgements = tuple(
            court.judged(
                law.variable,
                law.expression,
                law.constants,
                library=f"{law.library}, threshold {law.threshold:.2g}",
            )
            for law in laws
        )
        followed = court.followed({law.variable: law.expression for law in laws})
    return Method(name, judgements, states, seconds, followed)
