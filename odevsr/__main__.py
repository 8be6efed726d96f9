"""`python -m odevsr` is the command `odevsr`."""

from odevsr.cli import main

if __name__ == "__main__":
    main()
