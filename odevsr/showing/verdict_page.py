"""A verdict as a page for people and as one object for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from odevsr.language.expression import Expression, variables
from odevsr.language.number import rounded
from odevsr.language.text import to_text
from odevsr.plain import finite
from odevsr.showing.laws import short_text
from odevsr.showing.output import SCHEMA, plain_table
from odevsr.verdict.judgement import LONGEST_LAW, Judgement, Method, Verdict
from odevsr.verdict.prediction import FOLLOWED
from odevsr.verdict.scores import r2_accuracy, r2_text
from odevsr.verdict.spent import Spent

_LAW_HEADINGS = ("method", "law", "exact", "R2", "NMSE", "terms", "right", "found", "error")
_METHOD_HEADINGS = ("method", "exact", "R2 >= 0.9999", "follows for", "states", "wall s")


def verdict_page(verdict: Verdict) -> RenderableType:
    """Each equation with every method's law of it, then the methods as a whole."""
    parts: list[RenderableType] = []
    for index, (name, truth) in enumerate(verdict.truth):
        known = "" if truth is None else f" = {to_text(truth)}"
        parts.append(Text(f"d{name}/dt{known}", style="bold"))
        varies = _varies(truth)
        rows = [_law_row(each, each.judgements[index], varies) for each in verdict.methods]
        parts.append(Padding(plain_table(_LAW_HEADINGS, rows), (0, 0, 1, 2)))
    rows = [_method_row(verdict, each) for each in verdict.methods]
    parts += [plain_table(_METHOD_HEADINGS, rows), Text()]
    return Group(*parts, *(Text(line) for line in _explanations(verdict)))


def _law_row(method: Method, judgement: Judgement, varies: bool) -> tuple[str, ...]:
    """What is known of a law; R2 and NMSE have no meaning for a derivative that does not vary."""
    form = judgement.form
    return (
        method.name,
        short_text(rounded(judgement.expression), LONGEST_LAW),
        "-" if form.exact is None else "yes" if form.exact else "no",
        r2_text(judgement.nmse) if varies else "-",
        f"{judgement.nmse:.1e}" if varies else "-",
        str(form.terms),
        _share(form.precision),
        _share(form.recall),
        _largest_error(judgement),
    )


def _varies(truth: Expression | None) -> bool:
    """Whether a derivative varies, as far as is known."""
    return truth is None or bool(variables(truth))


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _largest_error(judgement: Judgement) -> str:
    """The largest standard error of a constant, relative to the constant."""
    sizes = [abs(each.error / each.value) for each in judgement.constants if each.value]
    return f"{max(sizes):.1e}" if sizes else "-"


def _method_row(verdict: Verdict, method: Method) -> tuple[str, ...]:
    count = len(method.judgements)
    return (
        method.name,
        "-" if method.exact is None else f"{method.exact}/{count}",
        f"{r2_accuracy([each.r2 for each in method.judgements]):.0%}",
        _followed(verdict, method),
        f"{method.states:,}",
        f"{method.elapsed_s:.1f}",
    )


def _followed(verdict: Verdict, method: Method) -> str:
    time = method.valid_time
    if time is None:
        return "-"
    least = ">= " if time >= verdict.duration * (1 - 1e-9) else ""
    given_up = ", given up" if method.given_up else ""
    if verdict.exponent is not None and verdict.exponent.is_chaotic:
        return f"{least}{time * verdict.exponent.value:.1f} Lyapunov times{given_up}"
    return f"{least}{time:.4g}{given_up}"


def _explanations(verdict: Verdict) -> Iterator[str]:
    yield (
        "right: share of the law's terms that are in the truth; found: share of the true terms; "
        "error: largest relative standard error of a constant."
    )
    yield (
        "follows for: median time until the law's own motion is 0.3 standard deviations off a "
        f"held-out trajectory of length {verdict.duration:.4g}."
    )
    exponent = verdict.exponent
    if exponent is not None and exponent.is_chaotic:
        yield f"Largest Lyapunov exponent: {exponent.value:.3g} ± {exponent.error:.1g}."
    for method in verdict.methods:
        if method.given_up:
            yield _given_up(method)
    for note in verdict.notes:
        yield f"{note}."
    yield _cpu_seconds(verdict.cpu_s)


def _given_up(method: Method) -> str:
    """Where following a method's laws was given up; they are taken as followed until then."""
    times = ", ".join(f"{each.time:.4g}" for each in method.given_up)
    return (
        f"{method.name}: following its laws was given up on {len(method.given_up)} of "
        f"{len(method.followed)} held-out trajectories, at time {times}; each is allowed "
        f"{FOLLOWED.steps:,} steps and {FOLLOWED.seconds:g} CPU seconds."
    )


def _cpu_seconds(spent: Spent) -> str:
    return (
        f"CPU seconds: {spent.total:.1f}; discovery {spent.discovery:.1f}, held-out data "
        f"{spent.held_out:.1f}, judging our laws {spent.judging_ours:.1f}, SINDy {spent.sindy:.1f} "
        f"({spent.sindy_share:.0%}; judging its laws {spent.sindy_judging:.1f} of them)."
    )


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Everything on the page, in full precision; null where a number is not finite."""
    exponent = verdict.exponent
    return {
        "schema": SCHEMA,
        "target": verdict.target,
        "seed": verdict.seed,
        "truth": [
            {"variable": name, "expression": None if law is None else to_text(law)}
            for name, law in verdict.truth
        ],
        "duration": verdict.duration,
        "lyapunov_exponent": None
        if exponent is None
        else {
            "value": exponent.value,
            "error": finite(exponent.error),
            "chaotic": exponent.is_chaotic,
        },
        "methods": [_method_json(verdict, each) for each in verdict.methods],
        "notes": list(verdict.notes),
        "cpu_s": {
            **vars(verdict.cpu_s),
            "total": verdict.cpu_s.total,
            "sindy_share": verdict.cpu_s.sindy_share,
        },
    }


def _method_json(verdict: Verdict, method: Method) -> dict[str, Any]:
    pairs = zip(method.judgements, verdict.truth, strict=True)
    return {
        "method": method.name,
        "exact": method.exact,
        "r2_accuracy": r2_accuracy([each.r2 for each in method.judgements]),
        "valid_time": method.valid_time,
        "followed": [
            {"time": each.time, "status": each.status.value, "sentence": each.status.sentence}
            for each in method.followed
        ],
        "given_up": len(method.given_up),
        "states": method.states,
        "elapsed_s": method.elapsed_s,
        "equations": [_judgement_json(each, _varies(law)) for each, (_, law) in pairs],
    }


def _judgement_json(judgement: Judgement, varies: bool) -> dict[str, Any]:
    form = judgement.form
    return {
        "variable": judgement.variable,
        "expression": to_text(judgement.expression),
        "exact": form.exact,
        "r2": finite(judgement.r2) if varies else None,
        "nmse": finite(judgement.nmse) if varies else None,
        "terms": form.terms,
        "precision": form.precision,
        "recall": form.recall,
        "complexity": form.complexity,
        "constants": [
            {"value": each.value, "error": finite(each.error)} for each in judgement.constants
        ],
        "origin": judgement.origin,
    }
