"""Options of which only certain words make sense: `--help` and the shell's completion list them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import typer


def choice(known: Sequence[str], help: str, *names: str) -> Any:  # noqa: ANN401
    """An option that takes one of the known words; who uses it refuses others."""
    return typer.Option(
        *names, metavar="|".join(known), help=help, autocompletion=beginnings(lambda: known)
    )


def beginnings(known: Callable[[], Sequence[str]]) -> Callable[[str], list[str]]:
    """What the shell offers: the known words that begin as what was typed."""

    def begun(incomplete: str) -> list[str]:
        return [each for each in known() if each.startswith(incomplete)]

    return begun


def system_names() -> Sequence[str]:
    """Names of the registered systems."""
    from odevsr.world.systems.registry import process_registry

    return process_registry().names()
