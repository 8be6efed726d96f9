"""Who proposes expressions: readings, catalogue and policies, and the loop that fits them."""
