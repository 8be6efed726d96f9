"""Who proposes expressions: the policies and their training loop."""
