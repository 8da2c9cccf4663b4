"""Bench: whether notes lead a model to the right calls, measured against a model's endpoint (docs/bench.md)."""
