"""Policies over a grammar: its prior, and a network that learns."""
