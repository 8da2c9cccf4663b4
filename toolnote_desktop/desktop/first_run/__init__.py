"""First-run setup."""
