"""Studies: a grid of discoveries, and the one table that comes of it."""
