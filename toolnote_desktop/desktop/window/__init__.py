"""Main window."""
