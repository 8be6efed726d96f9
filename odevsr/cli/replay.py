"""`odevsr replay`: the search again on what a run measured."""

from __future__ import annotations

from functools import partial

from odevsr.cli.chosen import listed
from odevsr.cli.discover import show_search
from odevsr.cli.options import AsJson, Components, Jobs, Quiet, Run, Verbose
from odevsr.cli.search_options import (
    Budget,
    Decide,
    Expansion,
    MaxLaunches,
    MaxStates,
    Operators,
    Proposers,
)
from odevsr.cli.shown import Shown


def replay(
    run: Run,
    components: Components = None,
    jobs: Jobs = 1,
    operators: Operators = None,
    proposers: Proposers = None,
    expansion: Expansion = None,
    decide: Decide = False,
    budget: Budget = None,
    max_states: MaxStates = None,
    max_launches: MaxLaunches = None,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Search again on what a run measured, without its simulator; other settings may be tried.

    Where a search asks for what was not measured it ends, and the note of its equation says so.
    The exit code is that of discover.
    """
    from odevsr.fitting.warm import load_engine

    shown = Shown(as_json=as_json, verbose=verbose, quiet=quiet)
    load_engine(shown.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.folder import header_if_begun
    from odevsr.discovery.replay import replay as method
    from odevsr.world.systems.file import parse_system

    settings = {
        "operators": listed("--operators", operators),
        "proposers": listed("--proposers", proposers),
        "expansion": expansion,
        "decide": decide or None,
        **{"most_seconds": budget, "most_states": max_states, "max_launches": max_launches},
    }
    changes = {name: value for name, value in settings.items() if value is not None}
    file = header_if_begun(run).get("system_file", "")
    truth = parse_system(file, "the run's system") if file else None
    search = partial(method, run, components=listed("--components", components), jobs=jobs)
    show_search(partial(search, **changes), truth, shown)
