"""What the pages take from the program itself: every command with its options."""

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
    return "\n\n".join(_section(group.commands[name], context) for name in group.commands)


def _section(command: click.Command, parent: click.Context) -> str:
    context = click.Context(command, info_name=command.name, parent=parent)
    usage = command.get_usage(context).removeprefix("Usage: ")
    records = filter(None, (parameter.get_help_record(context) for parameter in command.params))
    rows = [f"| `{_cell(name.split(' <')[0])}` | {_cell(words)} |" for name, words in records]
    table = "\n".join(["| option | what it does |", "| --- | --- |", *rows])
    return f"## {command.name}\n\n    {usage}\n\n{command.help}\n\n{table}"


def _cell(text: str) -> str:
    """Text that does not end a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
