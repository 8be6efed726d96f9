"""Proposers of expressions (readings, catalogue, policies), and the loop that fits them."""
