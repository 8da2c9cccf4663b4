"""Texts for assistants: descriptions, instructions, the tool guide and dialect limits."""
