"""Single connections for commands that run without the app."""
