"""What odevsr promises about itself, measured: every bench ends with figures and targets."""
