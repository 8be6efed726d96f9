"""The choice: the best system of laws, and what comes near it."""
