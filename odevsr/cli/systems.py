"""`odevsr systems`: what is registered."""

from __future__ import annotations

from odevsr.cli.chosen import registry
from odevsr.cli.options import AsJson, Folders


def systems(folders: Folders = None, as_json: AsJson = False) -> None:
    """List the registered systems: name, dimension, source."""
    from odevsr.showing import output
    from odevsr.showing import systems as page

    entries = registry(folders).entries()
    if as_json:
        output.put_json(page.systems_json(entries))
    else:
        output.put(page.systems_table(entries))
