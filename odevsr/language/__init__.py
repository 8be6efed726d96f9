"""What can be said: expressions, how they are read and written, normal form, and grammar."""
