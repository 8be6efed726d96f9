"""What counts: measurements, agreement with them, laws and forms fitted to them, exact numbers."""
