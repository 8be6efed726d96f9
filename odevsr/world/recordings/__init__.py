"""Recordings as people have them: files, tables and arrays, read into runs of one system."""
