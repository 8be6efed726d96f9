"""What the pages take from the program itself: every command with its options."""

from collections.abc import Iterator
from typing import Any

import click
import typer

from odevsr.cli import app


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page, with the commands where it asks for them."""
    return markdown.replace("<!-- commands -->", commands())


def commands() -> str:
    """All commands, each with its help, arguments and options."""
    group = typer.main.get_command(app)
    context = click.Context(group, info_name="odevsr")
    return "\n\n".join(_sections(group, context))


def _sections(group: click.Group, parent: click.Context) -> Iterator[str]:
    for command in group.commands.values():
        context = click.Context(command, info_name=command.name, parent=parent)
        if hasattr(command, "commands"):
            yield from _sections(command, context)
        else:
            yield _section(command, context)


def _section(command: click.Command, context: click.Context) -> str:
    usage = command.get_usage(context).removeprefix("Usage: ")
    records = filter(None, (parameter.get_help_record(context) for parameter in command.params))
    rows = [f"| `{_cell(name.split(' <')[0])}` | {_cell(words)} |" for name, words in records]
    table = "\n".join(["| option | what it does |", "| --- | --- |", *rows])
    heading = context.command_path.removeprefix("odevsr ")
    return f"## {heading}\n\n    {usage}\n\n{command.help}\n\n{table}"


def _cell(text: str) -> str:
    """Text that does not end a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
