"""Is it right: scores, equivalence to a known truth, other definitions and methods beside it."""
