"""The command as a whole: its verbs, its exit code, what it does about errors."""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, TextIO

import typer

from odevsr import __version__
from odevsr.cli.bench import benches
from odevsr.cli.check import check
from odevsr.cli.compare import compare
from odevsr.cli.discover import discover
from odevsr.cli.explain import explain
from odevsr.cli.export import export
from odevsr.cli.plot import plot
from odevsr.cli.replay import replay
from odevsr.cli.report import report
from odevsr.cli.show import show
from odevsr.cli.simulate import simulate
from odevsr.cli.study import study
from odevsr.cli.systems import systems
from odevsr.cli.validate import validate
from odevsr.cli.wording import MisreadError, sentence
from odevsr.errors import OdevsrError, TornFileWarning, UsageError
from odevsr.exit_codes import INTERRUPTED

app = typer.Typer(
    name="odevsr",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for verb in (  # in the order in which one comes to need them
    *(systems, show, check, simulate, discover, replay, study),
    *(explain, plot, report, export, compare, validate),
):
    app.command()(verb)
app.add_typer(benches, name="bench")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"odevsr {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Discovers the ordinary differential equations of a system it can experiment on."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; errors meant for people become one sentence."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        asked = shlex.join(["odevsr", *words])
        code = app(words, prog_name="odevsr", obj=asked, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except SystemExit as done:  # after the shell was told how words go on
        return done.code if isinstance(done.code, int) else 0
    except MisreadError as error:
        return _refused(sentence(error, words), UsageError.exit_code)
    except OdevsrError as error:
        return _refused(str(error), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED


def _refused(why: str, code: int) -> int:
    from odevsr.showing.output import say

    say(f"odevsr: error: {why}")
    return code


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning meant for people as a sentence; any other as Python shows it."""
    from odevsr.showing.output import say

    if issubclass(category, TornFileWarning):
        say(f"odevsr: warning: {message}")
    else:
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno))


def main() -> None:
    """Entry point of the installed command."""
    warnings.showwarning = _warned
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an umlaut must not fail an old terminal
    code = run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has what it wanted, as in `odevsr systems | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
