"""Laws as texts for other tools: one file a format, the table of them in `formats`."""
