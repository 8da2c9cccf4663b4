"""Documents on disk: read, edited, backed up and watched."""
