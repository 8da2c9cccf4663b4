"""Guidance in other programs' files, seen through the command and the files."""
