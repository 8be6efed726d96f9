"""`odevsr check`: systems beside pysindy's own."""

from __future__ import annotations

import typer

from odevsr.cli.chosen import registry
from odevsr.cli.options import AsJson, Folders, Targets
from odevsr.exit_codes import FALLS_SHORT


def check(targets: Targets = None, folders: Folders = None, as_json: AsJson = False) -> None:
    """Compare systems, and the files in data/, with pysindy's own definitions.

    Without SYSTEM, all that pysindy has too. Exits with 1 if any differs otherwise than known.
    """
    from odevsr.showing import check_table, output
    from odevsr.verdict.references import reference

    known = registry(folders)
    chosen = [known.get(target) for target in targets or reference.comparable_names()]
    report = reference.check_systems(chosen, reference.data_folder())
    if as_json:
        output.put_json(check_table.check_json(report))
    else:
        output.put(check_table.check_table(report))
    if report.agreement is reference.ReferenceAgreement.DIFFERS:
        raise typer.Exit(FALLS_SHORT)
