"""Dialogs for adding tool sources: by hand, from the registry, from files and links."""
