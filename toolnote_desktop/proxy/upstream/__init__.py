"""Supervised connections to all configured servers."""
