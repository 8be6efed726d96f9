"""Experiments: the only door through which a search sees the truth."""
