"""Pictures: one kind a file, each drawn on Axes that anybody may have made."""
