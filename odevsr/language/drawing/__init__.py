"""Expressions drawn from a grammar: its rules, derivations under way, whole batches."""
