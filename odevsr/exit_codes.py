"""What the command returns beside 0; errors carry codes of their own (see `odevsr.errors`)."""

FALLS_SHORT = 1
"""It ran, but a law was not identified, a system differs, or a figure misses its target."""
INTERRUPTED = 130
