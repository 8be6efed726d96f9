"""Numbers into expressions: programs, compiled kernels that run them, and batched fitting."""
