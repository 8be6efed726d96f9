"""The status of each law, and why: what it explains, what rivals it, what it could hide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from odevsr.arrays import FloatArray
from odevsr.language.evaluate import compile_field
from odevsr.language.expression import Expression
from odevsr.recorded.choosing.sweeps import Choice
from odevsr.recorded.detail import detail, longest
from odevsr.recorded.judging.held import FEWEST, follows
from odevsr.recorded.judging.left_out import LeftOut, left_out
from odevsr.recorded.judging.notes import HIDDEN
from odevsr.recorded.judging.numbers import Written, as_fitted, with_simple_numbers
from odevsr.recorded.judging.one_sided import sign_rivals
from odevsr.recorded.judging.rivals import Rival, rivals_of
from odevsr.recorded.judging.stand_ins import has_stand_in, mixes_functions
from odevsr.recorded.motions.responses import responses_of
from odevsr.recorded.motions.stepwise import constant_costs
from odevsr.recorded.motions.systems import FittedSystem, closed
from odevsr.recorded.paths import Paths
from odevsr.recorded.score import NEAR, prior
from odevsr.vertical.equation import Equation, LeftOutTerm, Status
from odevsr.world.experiments.oracle import Cost

NEAR_ONE = 1.25
"""Residuals of a true law, in errors of noise that was estimated, are at most this large."""
CLEAN = 3.0
"""The same where there is next to no noise, and errors are those of rounding and of solvers."""
SIMPLE = 30.0
"""The largest prior of laws that are all looked at: twice the logarithm of three million of them,
which is about what the libraries of two variables hold. Of laws from runs with 5 % noise those that
are true have up to 22; one that was false had 37."""
TOLD = 4e3
"""How many times as uncertain as samples, as a share of itself, a constant of a law may be where
there is next to no noise. In 120 clean runs those of true laws were up to 1,300 times, those of
laws that only come near from 16,000 times on: their terms make up for each other."""
ROUGH = 0.05
"""The same however coarse samples are, in shares of itself."""
DROWNED = 1.0
"""Share of a law's rate that no left-out term may make up unseen, though a run that was held out is
followed: what stands still as far as it is seen may be the balance of any terms."""
NEEDED = 2 * NEAR
"""By how much a law must be worse without any of its constants, where there is noise: of thousands
of terms that were looked at, noise makes some worth more than what tells two laws apart."""
UNCONFIRMED = "noise may hide other terms; --hold-out RUN, with another run, can confirm it"
UNSURE = "noise may have made one of its terms; more samples, or runs from other starts, can tell"
CONSERVED = (
    "along these runs the square of a variable in it is a function of another, for which it may "
    "stand; a run from another start can tell"
)
MIXED = (
    "at this noise several functions of one variable come near any other; more samples, or less "
    "noise, can tell"
)
ALIKE = "these runs do not tell it from laws with other terms; runs from other starts may"
CLOSE = 0.9
"""R2 of smooth slopes from which on a law that does not explain them all is called approximate."""


def is_confirmed(choice: Choice, is_held: bool, hidden: Sequence[Sequence[LeftOut]]) -> bool:
    """Whether noisy runs decide, of which one `is_held` out: laws follow the others in one piece.

    Over short pieces too many laws do well, and noisy samples fit laws that nobody proposed.
    """
    is_seen = all(each.share <= DROWNED for terms in hidden for each in terms)
    return is_held and is_seen and choice.system.segments == 1 and not choice.paths.has_bounds


def is_powerful(choice: Choice, hidden: Sequence[Sequence[LeftOut]]) -> bool:
    """Whether runs would have shown any term of low order that a law has not.

    Noisy or rounded ones do not decide for laws of which more are as simple than were tried;
    nor do so few samples that none were held out to confirm them.
    """
    if len(choice.paths.times) < FEWEST or any(
        each.share > HIDDEN for terms in hidden for each in terms
    ):
        return False
    names = len(choice.paths.names)
    is_simple = all(prior(each.law, names) <= SIMPLE for each in choice.system.laws)
    return choice.paths.has_bounds or (choice.system.segments == 1 and is_simple)


def hidden_terms(paths: Paths, choice: Choice, rng: np.random.Generator) -> list[list[LeftOut]]:
    """For each equation the terms of low order that it has not."""
    laws = enumerate(choice.system.laws)
    if paths.clean.all():
        return [list(left_out(paths, law, k, None, rng)) for k, law in laws]
    responses = responses_of(choice.paths, choice.system)
    return [list(left_out(choice.paths, law, k, responses, rng)) for k, law in laws]


@dataclass(frozen=True, eq=False)
class Judged:
    """The law of one variable as people get it, and the terms of low order that it has not."""

    equation: Equation
    hidden: list[LeftOut]

    @property
    def is_explained(self) -> bool:
        """Whether no more of the samples is left than by rivals, or than noise."""
        return self.equation.status in (Status.IDENTIFIED, Status.UNDECIDED)

    def without_deciding_run(self) -> Judged:
        """The same, but for the run that would tell the law from its rivals."""
        alternatives = tuple(replace(each, experiment=None) for each in self.equation.alternatives)
        note = ALIKE if alternatives else self.equation.note
        return replace(self, equation=replace(self.equation, alternatives=alternatives, note=note))


def judge(
    paths: Paths, choice: Choice, held: Paths | None, confirming: bool, seed: int
) -> tuple[Judged, ...]:
    """The laws of a choice, judged by what it was not fitted to: what was `held` out, other runs.

    With neither, the end of each run is left out of one more fit. `confirming` says that a run was
    held out by name.
    """
    fitted, runs = len(choice.paths.bounds) - 1, len(paths.bounds) - 1
    judges = [] if held is None else [held]
    judges += [paths.runs(range(fitted, runs))] if fitted < runs else []
    ends: Sequence[Paths | None] = judges or [None]
    followed = all(follows(choice.paths, choice.system, each) for each in ends)
    rng = np.random.default_rng(seed)
    hidden = hidden_terms(paths, choice, rng)
    is_decisive = not choice.is_cut_short and (
        is_confirmed(choice, confirming, hidden) or is_powerful(choice, hidden)
    )
    seen = paths.runs(range(fitted))
    chis = [_chi(seen, k, choice.system.shot.path[:, k]) for k in range(paths.variables)]
    is_noise = bool((chis <= np.where(paths.clean, CLEAN, NEAR_ONE)).all())
    written = (with_simple_numbers if is_noise else as_fitted)(choice.paths, choice.system)
    equations = []
    for k, said in enumerate(written):
        others = rivals_of(choice, k, chis[k], rng)
        explained = is_noise and (followed or any(each.is_near for each in others))
        rivals = [*sign_rivals(choice, k, chis[k], judges, rng), *others]
        doubt = doubt_of(choice, k, judges)
        decided = is_decisive and not doubt and is_told(seen, choice.system, k)
        equations.append(
            _equation(
                seen, choice, k, said, rivals, doubt, is_explained=explained, is_decided=decided
            )
        )
    return tuple(map(_judged, equations, hidden))


def _judged(equation: Equation, hidden: list[LeftOut]) -> Judged:
    told = tuple(LeftOutTerm(each.term, each.most) for each in hidden)
    return Judged(replace(equation, left_out=told), hidden)


def _equation(
    paths: Paths,
    choice: Choice,
    k: int,
    said: Written,
    rivals: list[Rival],
    doubt: str,
    *,
    is_explained: bool,
    is_decided: bool,
) -> Equation:
    is_rivalled = any(each.is_near for each in rivals)
    r2 = _r2(said.law, paths, k)
    status = _status(is_explained, is_decided and not is_rivalled, r2)
    if status is Status.IDENTIFIED:
        rivals = []
    return Equation(
        variable=paths.names[k],
        expression=said.law,
        status=status,
        constants=said.constants,
        r2=r2,
        nmse=1 - r2,
        deviation=_chi(paths, k, said.path),
        rounds=(),
        cost=Cost(states=len(paths.times)),
        candidates=len(choice.ranked[k]),
        elapsed_s=0.0,
        note=_note(status, rivals, bool(paths.clean.all()), doubt),
        alternatives=tuple(rival.alternative for rival in rivals),
    )


def doubt_of(choice: Choice, k: int, judges: Sequence[Paths]) -> str:
    """What speaks against a law though no rival does, also in runs that judge; empty if nothing."""
    law = closed(choice.system.laws[k])
    if not is_needed(choice, k):
        return UNSURE
    if choice.paths.clean.all():
        return CONSERVED if has_stand_in([choice.paths, *judges], law) else ""
    return MIXED if mixes_functions(law) else ""


def is_told(paths: Paths, system: FittedSystem, k: int) -> bool:
    """Whether a law has few constants beside all there is to tell, each of which was told."""
    most = min(TOLD * paths.blur, ROUGH) if paths.clean.all() else np.inf
    own = system.constants_of(k)
    theta, errors = system.shot.theta[own], system.shot.errors[own]
    is_short = len(theta) <= longest(paths, detail(paths, k))
    return is_short and bool((errors <= most * np.abs(theta)).all())


def is_needed(choice: Choice, k: int) -> bool:
    """Whether noise leaves no doubt that a law has each of its constants."""
    paths, system = choice.paths, choice.system
    if paths.has_bounds:
        return True
    samples = paths.whole.count
    with np.errstate(all="ignore"):
        missed = np.nan_to_num((system.shot.theta / system.shot.errors) ** 2)
    worse = samples * np.log1p(missed / samples) - constant_costs(paths, system)
    return bool((worse[system.constants_of(k)] >= NEEDED).all())


def _status(explained: bool, is_decided: bool, r2: float) -> Status:
    """Identified only if all laws that were fitted together explain the samples, and no other can.

    One that follows only what it was fitted to is undecided if others explain that as well.
    """
    if explained:
        return Status.IDENTIFIED if is_decided else Status.UNDECIDED
    return Status.APPROXIMATE if r2 > CLOSE else Status.NOT_IDENTIFIED


def _note(status: Status, rivals: list[Rival], clean: bool, doubt: str) -> str:
    """What would decide."""
    if rivals or status is not Status.UNDECIDED:
        return rivals[0].sentence if rivals else ""
    return doubt or (ALIKE if clean else UNCONFIRMED)


def _chi(paths: Paths, k: int, path: FloatArray) -> float:
    """The root mean square of what a motion leaves of one variable, in errors of its samples."""
    measured = np.isfinite(paths.errors[:, k])
    off = (path - paths.samples[:, k])[measured] / paths.errors[measured, k]
    return float(np.sqrt(np.mean(off**2)))


def _r2(law: Expression, paths: Paths, k: int) -> float:
    """Of the smooth slopes."""
    slopes = paths.slopes[:, k]
    predicted = compile_field([law], paths.names)(paths.states)[:, 0]
    return float(1 - np.mean((predicted - slopes) ** 2) / (np.var(slopes) + 1e-300))
