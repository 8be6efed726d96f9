"""What is wrong with a command line, in sentences like those of every other error."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

import typer

from odevsr.errors import visible

MisreadError: type[Exception] = typer.BadParameter.__mro__[2]
"""What typer raises about a command line, wherever its versions keep that class."""


def sentence(error: Any, words: Sequence[str]) -> str:  # noqa: ANN401
    """What an error of typer's says, and what to do next; `words` are the command line."""
    command = error.ctx.command_path if getattr(error, "ctx", None) else "odevsr"
    see = f"`{command} --help` tells more"
    match type(error).__name__:
        case "NoSuchOption":
            near = _nearest_option(error.option_name, error.ctx.command.params)
            return visible(f"{command} has no option {error.option_name}; {near or see}")
        case "MissingParameter":
            return f"{command} needs {_name(error.param)}; {see}"
        case "BadParameter":
            name = _name(error.param)
            said = " ".join([name, *_given(error.param.opts, words)])
            return visible(f"{said} is refused: {_plain(error.message).partition(',')[0]}; {see}")
    wrong, meant, near = _plain(error.message).partition(". Did you mean ")
    return visible(f"{wrong}; did you mean {near}" if meant else f"{wrong}; {see}")


def _nearest_option(name: str, parameters: Sequence[Any]) -> str:
    """A question about the option that was meant; nothing if none is near."""
    known = [each.lstrip("-") for parameter in parameters for each in parameter.opts]
    near = difflib.get_close_matches(name.lstrip("-"), known, n=1)
    return f"did you mean --{near[0]}?" if near else ""


def _name(parameter: Any) -> str:  # noqa: ANN401
    """An option as it is written, or what stands for an argument."""
    option = parameter.opts[-1]
    return str(option if option.startswith("-") else parameter.metavar or option.upper())


def _given(options: Sequence[str], words: Sequence[str]) -> Sequence[str]:
    """What stands after an option, if it can be seen."""
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in options:
            return [repr(value if equals else after)]
    return []


def _plain(message: str) -> str:
    """A sentence of typer's as a part of ours."""
    return message[:1].lower() + message[1:].rstrip(".")
