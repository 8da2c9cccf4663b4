"""Packs: a toolset as a ``FILE.toolnote`` for other people, with the tools that its notes were written for."""
