"""A law at its best, what speaks against it, and others beside it."""
