"""What is studied: systems and their registry, simulation, trajectory files, and experiments."""
