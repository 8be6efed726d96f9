"""`odevsr show`: one system."""

from __future__ import annotations

from odevsr.cli.chosen import chosen_system
from odevsr.cli.options import AsJson, Folders, Parameters, Target, Varied


def show(
    target: Target,
    parameters: Parameters = None,
    varied: Varied = None,
    folders: Folders = None,
    as_json: AsJson = False,
) -> None:
    """Show a system: equations, ranges, parameters, citation."""
    from odevsr.showing import output
    from odevsr.showing import systems as page

    system = chosen_system(target, folders, parameters, varied)
    if as_json:
        output.put_json(page.system_json(system))
    else:
        output.put(page.system_page(system))
