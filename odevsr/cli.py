"""The command `odevsr`: verbs without logic. Each imports what it needs when it is called."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from odevsr import __version__
from odevsr.errors import OdevsrError, UsageError

if TYPE_CHECKING:
    from odevsr.world.registry import Registry
    from odevsr.world.system import System

INTERRUPTED = 130

app = typer.Typer(
    name="odevsr",
    help="Discovers the ordinary differential equations of a system it can experiment on.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Target = Annotated[str, typer.Argument(metavar="SYSTEM", help="A name, or a path to a .toml file.")]
Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="SYSTEM", help="Names, or paths to .toml files."),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="Change a parameter; may be repeated."),
]
Varied = Annotated[
    list[str] | None,
    typer.Option(
        "--vary", metavar="NAME=LOW,HIGH", help="Make a parameter a variable; may be repeated."
    ),
]
Folders = Annotated[
    list[Path] | None,
    typer.Option("--systems", metavar="DIR", help="A folder of system files; may be repeated."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"odevsr {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the command itself."""


@app.command()
def systems(folders: Folders = None, as_json: AsJson = False) -> None:
    """List the registered systems: name, dimension, source."""
    from odevsr.showing import tables

    entries = registry(folders).entries()
    if as_json:
        tables.put_json(tables.systems_json(entries))
    else:
        tables.put(tables.systems_table(entries))


@app.command()
def show(
    target: Target,
    parameters: Parameters = None,
    varied: Varied = None,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Show a system: equations, ranges, parameters, citation."""
    from odevsr.showing import tables

    system = chosen_system(target, folders, parameters, varied)
    if as_json:
        tables.put_json(tables.system_json(system))
    else:
        tables.put(tables.system_page(system))


@app.command()
def check(targets: Targets = None, folders: Folders = None, as_json: AsJson = False) -> None:
    """Compare systems, and the files in data/, with pysindy's own definitions.

    Without SYSTEM, all that pysindy has too. Exits with 1 if any differs otherwise than known.
    """
    from odevsr.showing import check_table, tables
    from odevsr.verdict import reference

    known = registry(folders)
    chosen = [known.get(target) for target in targets or reference.comparable_names()]
    report = reference.check_systems(chosen, reference.data_folder())
    if as_json:
        tables.put_json(check_table.check_json(report))
    else:
        tables.put(check_table.check_table(report))
    if report.agreement is reference.Agreement.DIFFERS:
        raise typer.Exit(1)


@app.command()
def simulate(
    context: typer.Context,
    target: Target,
    parameters: Parameters = None,
    count: Annotated[
        int,
        typer.Option("-n", min=1, max=100_000, help="Trajectories; all but one start at random."),
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the random starts.")] = 0,
    duration: Annotated[float | None, typer.Option(help="Time simulated. [system's own]")] = None,
    step: Annotated[float | None, typer.Option(help="Time between samples. [system's own]")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE.h5", help="Write a new file.")] = None,
    append: Annotated[bool, typer.Option("--append", help="Keep what FILE.h5 holds.")] = False,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a system from its own start, and from random ones in its ranges."""
    from odevsr.showing import tables, trajectories
    from odevsr.world.recording import record

    if append and out is None:
        raise UsageError("--append needs --out FILE.h5, the file to append to")
    system = registry(folders).get(target).with_parameters(overrides(parameters))
    if out is not None:
        from odevsr.world import store

        store.check_destination(out, append=append)
    recording = record(system, count, seed, command=context.obj, duration=duration, step=step)
    if out is not None:
        store.save_trajectories(out, recording, append=append)
    if as_json:
        tables.put_json(trajectories.recording_json(recording, out))
    else:
        tables.put(trajectories.recording_table(recording, out))


@app.command()
def discover(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A system's name, a path to its .toml file, or package.module:function, a "
            "simulator of your own.",
        ),
    ],
    parameters: Parameters = None,
    varied: Varied = None,
    components: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Only these variables' equations.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is drawn at random.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; equations are shared out.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new folder for the record of the run.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")] = False,
    preset: Annotated[
        str, typer.Option(help="fast, or paper: the configuration of the method's paper.")
    ] = "fast",
    operators: Annotated[
        str | None, typer.Option(metavar="+,*,sin", help="Operators of the grammar.")
    ] = None,
    policy: Annotated[str | None, typer.Option(help="lstm, or uniform: no learning.")] = None,
    expansion: Annotated[
        str | None, typer.Option(help="factored: a summary constant at a time; joint: all at once.")
    ] = None,
    sampling: Annotated[
        str | None, typer.Option(help="launches, or crossings of trajectories that run freely.")
    ] = None,
    difference: Annotated[
        str | None, typer.Option(help="Finite differences: central, forward or backward.")
    ] = None,
    noise: Annotated[
        float | None, typer.Option(min=0, help="Noise added to derivatives, such as 0.01.")
    ] = None,
    decide: Annotated[
        bool, typer.Option("--decide", help="Make the experiments that tell rival laws apart.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(help="Seconds that a call of your own simulator may take.")
    ] = 60.0,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Find the equations of a system from experiments on its simulator.

    The exit code is 0 if every equation was identified, 1 if not, 130 if interrupted.
    """
    from contextlib import redirect_stdout

    from odevsr.fitting.warm import load_engine
    from odevsr.settings import preset as preset_settings
    from odevsr.world.studied import is_reference

    load_engine(say)  # before what imports it, so that a first compilation is announced
    from odevsr.showing import discovery as page
    from odevsr.showing import tables
    from odevsr.showing.progress import progress
    from odevsr.vertical import discover as method

    given = {
        "operators": tuple(operators.split(",")) if operators else None,
        "policy": policy,
        "expansion": expansion,
        "sampling": sampling,
        "difference": difference,
        "noise": noise,
        "decide": decide or None,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if is_reference(target) and (parameters or varied or folders):
        raise UsageError("a simulator of your own has no --param, --vary or --systems; leave them")
    truth = None if is_reference(target) else chosen_system(target, folders, parameters, varied)
    if truth is not None and truth.operators is not None:
        changes.setdefault("operators", truth.operators)
    # stdout is for the result alone, whatever a simulator prints.
    with progress() as listen, redirect_stdout(sys.stderr):
        try:
            found = method.discover(
                truth or target,
                components=components.split(",") if components else None,
                settings=preset_settings(preset, **changes),
                seed=seed,
                jobs=jobs,
                timeout=timeout,
                out=out,
                resume=resume,
                on_event=listen,
            )
        except method.Interrupted as stopped:
            found = stopped.discovery
    if as_json:
        tables.put_json(page.discovery_json(found, truth))
    else:
        tables.put(page.discovery_page(found))
    if not found.identified:
        raise typer.Exit(INTERRUPTED if found.interrupted else 1)


@app.command()
def validate(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET|RUN", help="A system's name or .toml file, or the folder of a run."
        ),
    ],
    parameters: Parameters = None,
    varied: Varied = None,
    bootstrap: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Errors of constants from N resamplings of the data."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is drawn at random.")] = 0,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Judge a discovery, and what SINDy makes of the same system, side by side.

    A system is discovered first. The exit code is 1 if a law is not the truth.
    """
    from odevsr.showing import tables
    from odevsr.showing import verdict_page as page
    from odevsr.showing.progress import progress
    from odevsr.verdict import validate as verdicts
    from odevsr.vertical.run import load

    if Path(target).is_dir():
        found = load(target)
        truth = chosen_system(found.target, folders, parameters, varied)
        verdict = verdicts.validate(found, system=truth, run=target, bootstrap=bootstrap, seed=seed)
    else:
        truth = chosen_system(target, folders, parameters, varied)
        with progress() as listen:
            verdict = verdicts.validate_target(
                truth, bootstrap=bootstrap, seed=seed, on_event=listen
            )
    if as_json:
        tables.put_json(page.verdict_json(verdict))
    else:
        tables.put(page.verdict_page(verdict))
    if not verdict.holds:
        raise typer.Exit(1)


@app.command()
def bench(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="What to measure: launches, fitting, recovery, paper-table-4, systems, "
            "dimension, parameters.",
        ),
    ],
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="systems: a folder of system files.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="systems: processes.")] = None,
    budget: Annotated[
        float | None, typer.Option(min=0.1, help="systems: CPU seconds for an equation. [120]")
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="recovery: how many seeds. [20]")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of a bench that takes one.")] = None,
    components: Annotated[
        str | None, typer.Option(metavar="X,Y", help="systems: only these variables' equations.")
    ] = None,
    share: Annotated[
        float | None, typer.Option(help="systems: per cent of exact laws to reach. [97]")
    ] = None,
    pure: Annotated[
        bool, typer.Option("--pure", help="systems: also the paper's method; slow.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="fitting: samples too small to judge by.")
    ] = False,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the rows as a Markdown table.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure what odevsr promises: figures beside their targets.

    The exit code is 1 if a figure misses its target.
    """
    from odevsr.bench.catalogue import bench_names, run_bench
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import bench as page
    from odevsr.showing import tables

    if name in bench_names() and name != "launches":
        load_engine(say)
    options = {
        "folder": folder,
        "jobs": jobs,
        "budget": budget,
        "seeds": seeds,
        "seed": seed,
        "components": components.split(",") if components else None,
        "share": share,
        "pure": pure or None,
        "quick": quick or None,
    }
    result = run_bench(name, options)
    if as_json:
        tables.put_json(result.to_json())
    elif as_markdown:
        print(page.bench_markdown(result))
    else:
        tables.put(page.bench_page(result))
    if not result.holds:
        raise typer.Exit(1)


def say(sentence: str) -> None:
    """Tell the user something that is not the result."""
    print(sentence, file=sys.stderr, flush=True)


def registry(folders: Sequence[Path] | None) -> Registry:
    """The process's registry, with the folders given on the command line."""
    from odevsr.world.registry import process_registry

    return process_registry().with_folders(folders or ())


def chosen_system(
    target: str,
    folders: Sequence[Path] | None,
    parameters: Sequence[str] | None,
    varied: Sequence[str] | None,
) -> System:
    """The system asked for, with its parameters changed (--param) or made variables (--vary)."""
    from odevsr.world.lifted import lift

    system = registry(folders).get(target).with_parameters(overrides(parameters))
    return lift(system, ranges(varied))


def ranges(varied: Sequence[str] | None) -> dict[str, tuple[float, float]]:
    """NAME=LOW,HIGH texts as a mapping.

    >>> ranges(["sigma=5,15"])
    {'sigma': (5.0, 15.0)}
    """
    result: dict[str, tuple[float, float]] = {}
    for text in varied or ():
        name, _, limits = text.partition("=")
        try:
            low, high = (float(limit) for limit in limits.split(","))
        except ValueError:
            raise UsageError(
                f"--vary {text!r} is not NAME=LOW,HIGH; write --vary sigma=5,15"
            ) from None
        if name.strip() in result:
            raise UsageError(f"--vary {name.strip()} is given twice; give it once")
        result[name.strip()] = (low, high)
    return result


def overrides(parameters: Sequence[str] | None) -> dict[str, str]:
    """NAME=VALUE texts as a mapping.

    >>> overrides(["sigma=10", "beta=8/3"])
    {'sigma': '10', 'beta': '8/3'}
    """
    result: dict[str, str] = {}
    for text in parameters or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--param {text!r} is not NAME=VALUE; write --param sigma=10")
        if name.strip() in result:
            raise UsageError(f"--param {name.strip()} is given twice; give it once")
        result[name.strip()] = value.strip()
    return result


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; errors meant for people become one sentence."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        app(words, prog_name="odevsr", obj=shlex.join(["odevsr", *words]))
    except SystemExit as done:  # typer's way to return
        return done.code if isinstance(done.code, int) else 0
    except OdevsrError as error:
        print(f"odevsr: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def main() -> None:
    """Entry point of the installed command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an umlaut must not fail an old terminal
    code = run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has what it wanted, as in `odevsr systems | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
