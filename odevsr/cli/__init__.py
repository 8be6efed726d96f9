"""The command `odevsr`: verbs without logic, one a file; each imports what it needs when called."""

from odevsr.cli.command import app, main, run

__all__ = ["app", "main", "run"]
