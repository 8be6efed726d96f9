"""What kills, cuts and flips leave of a run."""
