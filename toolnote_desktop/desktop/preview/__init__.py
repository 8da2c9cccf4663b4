"""Preview of what an assistant reads."""
