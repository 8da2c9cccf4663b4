"""Calls of tools as they are recorded: outcomes, classes of errors, and whether a note changed them."""
