"""Toolnote Desktop: notes on the tools that AI assistants use."""

__version__ = "0.1.0"
