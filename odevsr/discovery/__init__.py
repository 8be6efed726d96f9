"""Whole discoveries: tasks, processes, run folders, results."""
