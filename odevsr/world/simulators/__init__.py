"""Simulators: what answers a launch, whoever wrote it."""
