"""Helpers for asyncio tasks, time slices and worker threads."""
