"""Files that people did not write, or wrote to do harm, and what readers make of them."""
