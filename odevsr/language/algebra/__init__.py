"""Algebra: the normal form, and what sums, products and powers do on the way to it."""
