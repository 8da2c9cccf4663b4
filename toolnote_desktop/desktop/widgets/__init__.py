"""Widgets shared by pages and dialogs."""
