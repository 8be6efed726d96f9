"""`python -m odevsr` is the command `odevsr`."""

import sys

from odevsr.exit_codes import INTERRUPTED
from odevsr.interrupts import acted_on, insist


def main() -> None:
    """Entry point of the command; interrupted while it is loaded, it ends quietly as well."""
    is_interrupted = insist()
    try:
        from odevsr.cli import main as command

        command()
    except (Exception, KeyboardInterrupt):
        if not is_interrupted():
            raise
        sys.exit(INTERRUPTED)
    finally:
        acted_on()


if __name__ == "__main__":
    main()
