"""From forms of single variables to a law: strategies, planes, and the paper's algorithm."""
