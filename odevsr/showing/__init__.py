"""What the user sees: tables, JSON, plots, reports, exporters."""
