"""What makes a quantity simpler: variables that act as one, other coordinates, outer functions."""
