"""`odevsr explain`: the story of each equation of a run."""

from __future__ import annotations

from odevsr.cli.options import Run


def explain(run: Run) -> None:
    """Tell how each equation of a run was found, in words and formulas."""
    from odevsr.fitting.warm import load_engine
    from odevsr.showing import output

    load_engine(output.say)  # before what imports it, so that a first compilation is announced
    from odevsr.discovery.folder import load
    from odevsr.showing.prose import in_terminal
    from odevsr.showing.story import story

    output.put(in_terminal(story(load(run))))
