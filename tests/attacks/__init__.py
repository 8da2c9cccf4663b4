"""Attacks on a running app, and what they cost the others: ``python3 packaging/dev.py attack`` (docs/security.md)."""
