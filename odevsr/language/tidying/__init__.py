"""Laws as a person would write them: shorter writings of the same function."""
