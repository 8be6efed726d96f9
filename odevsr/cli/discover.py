"""`odevsr discover`: the equations of a target."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from odevsr.cli import options, search_options
from odevsr.cli.chosen import listed
from odevsr.cli.engines import Engine, Scheduler, Spread, workers
from odevsr.cli.shown import Shown
from odevsr.cli.subject import Changes, Subject, chosen_subject
from odevsr.exit_codes import FALLS_SHORT, INTERRUPTED
from odevsr.interrupts import acted_on

if TYPE_CHECKING:
    from odevsr.discovery.result import Discovery
    from odevsr.world.systems.system import System


def discover(
    targets: search_options.Studied = None,
    program: search_options.Program = None,
    formula: search_options.Formula = None,
    scale: search_options.Scale = None,
    inputs: options.Inputs = None,
    hold_out: search_options.HoldOut = None,
    prior: search_options.Prior = None,
    parameters: options.Parameters = None,
    varied: options.Varied = None,
    ranged: options.Ranged = None,
    components: options.Components = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    engine: Engine = "local",
    scheduler: Scheduler = None,
    spread: Spread = False,
    out: search_options.Out = None,
    resume: search_options.Resume = False,
    preset: search_options.Preset = "fast",
    operators: search_options.Operators = None,
    proposers: search_options.Proposers = None,
    expansion: search_options.Expansion = None,
    sampling: search_options.Sampling = None,
    difference: search_options.Difference = None,
    noise: options.Noise = None,
    decide: search_options.Decide = False,
    frugal: search_options.Frugal = False,
    budget: search_options.Budget = None,
    max_states: search_options.MaxStates = None,
    max_launches: search_options.MaxLaunches = None,
    timeout: search_options.Timeout = 60.0,
    folders: options.Folders = None,
    explain: search_options.Explain = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Find the equations of a system from experiments on its simulator, or from recordings.

    The exit code is 0 if every equation was identified, 1 if not, 130 if interrupted.
    """
    shown = Shown(as_json=as_json, explain=explain, verbose=verbose, quiet=quiet)
    changes = Changes(folders, parameters, varied, ranged, out if resume else None, timeout)
    subject = chosen_subject(targets or (), program, formula, scale, changes)
    _show(subject, workers(engine, scheduler, jobs), shown, components=components, inputs=inputs,
          hold_out=hold_out, prior=prior, preset=preset, seed=seed, timeout=timeout, spread=spread,
          out=out, resume=resume, operators=operators, proposers=proposers, expansion=expansion,
          sampling=sampling, difference=difference, noise=noise, decide=decide, frugal=frugal,
          most_seconds=budget, most_states=max_states, max_launches=max_launches)  # fmt: skip


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, lists as such."""
    names = ("operators", "proposers", "components", "inputs")
    lists = {name: listed(f"--{name}", options[name]) for name in names}
    return {name: value for name, value in (options | lists).items() if value is not None}


def _show(
    subject: Subject,
    workers: AbstractContextManager[dict[str, Any]],
    shown: Shown,
    **options: Any,  # noqa: ANN401
) -> None:
    """Discover, and print what was found, whatever stopped the search."""
    from odevsr.fitting.warm import load_engine

    load_engine(shown.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.discover import discover as method

    with workers as shared:
        asked = _given(options) | subject.asked | shared
        show_search(partial(method, **asked), subject.truth, shown)


def show_search(search: Callable[..., Discovery], truth: System | None, shown: Shown) -> None:
    """Search while a listener (`on_event`) shows how it goes, and print what was found."""
    from odevsr.discovery.passes import Interrupted, StoppedError
    from odevsr.showing.streams import stdout_kept_free

    with shown.progress() as listen, stdout_kept_free():
        try:
            found = search(on_event=listen)
        except Interrupted as stopped:
            acted_on()
            found = stopped.discovery
        except StoppedError as stopped:
            if stopped.discovery.equations:
                _put(stopped.discovery, truth, as_json=shown.as_json)
            raise
    _put(found, truth, as_json=shown.as_json)
    if shown.explain:
        _explain(found)
    if not found.identified:
        raise typer.Exit(INTERRUPTED if found.interrupted else FALLS_SHORT)


def _put(found: Discovery, truth: System | None, *, as_json: bool) -> None:
    from odevsr.showing import discovery as page
    from odevsr.showing import output

    if as_json:
        output.put_json(page.discovery_json(found, truth))
    else:
        output.put(page.discovery_page(found))


def _explain(found: Discovery) -> None:
    from odevsr.showing import output
    from odevsr.showing.prose import in_terminal
    from odevsr.showing.story import story

    print()
    output.put(in_terminal(story(found)))
