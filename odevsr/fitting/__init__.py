"""Numbers into expressions: programs, the compiled kernels that run them, and batched constant fitting."""
