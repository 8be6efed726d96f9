"""What is asked and measured: quantities, which variables move them, rounds over single ones."""
