"""Similarity of questions and tools by a small bundled language model, in a process of its own (docs/search.md)."""
