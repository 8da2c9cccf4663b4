"""Figures of search, guide, scanner and change review on labelled sets (docs/guidance.md, docs/security.md)."""
