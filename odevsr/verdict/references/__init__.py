"""Our systems beside the definitions of others."""
