"""What can be said: expressions, how they are read and written, their normal form, and the grammar."""
