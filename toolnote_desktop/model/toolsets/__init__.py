"""Toolsets and notes, and the edits of them."""
