"""Answers to plain ``tools/list`` and ``tools/call`` requests without an ASGI cycle (docs/fast-path.md)."""
