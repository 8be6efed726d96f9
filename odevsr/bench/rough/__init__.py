"""A battery of simulators, clean and rough, whose laws are known or known not to exist."""
