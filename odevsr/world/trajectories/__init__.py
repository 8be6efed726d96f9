"""Trajectories: motion followed from a start, and the files that keep it."""
