"""What the compiled engine does in a second, beside others."""
