"""`odevsr compare`: runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odevsr.cli.options import AsJson


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Folders of runs.")],
    as_json: AsJson = False,
) -> None:
    """Put the laws of several runs side by side: status, cost, and whether they are the same."""
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.showing.comparison import compare as method
    from odevsr.showing.comparison import comparison_page

    compared = method(*runs)
    if as_json:
        output.put_json(compared.to_json())
    else:
        output.put(comparison_page(compared))
