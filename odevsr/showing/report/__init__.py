"""A run as one page for a browser, which needs nothing else."""
