"""Pilot launches: where a simulator works, how finely and fast, and whether its state is all."""
