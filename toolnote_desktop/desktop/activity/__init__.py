"""Activity: the calls that are recorded."""
