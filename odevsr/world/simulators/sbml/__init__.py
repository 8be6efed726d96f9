"""Models in SBML: what their file says, what roadrunner makes of them, and how they are studied."""
