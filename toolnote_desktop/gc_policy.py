"""Garbage collector policy: no collection during start-up, and none of what start-up leaves for good.

A full collection takes 20 ms over what is imported (docs/speed.md).
"""

from __future__ import annotations

import gc


def pause() -> None:
    """Disable automatic collection while modules are imported, which creates no garbage worth collecting."""
    gc.disable()


def resume() -> None:
    """Enable automatic collection."""
    gc.enable()


def start_after_startup() -> None:
    """Exclude the objects created so far from all collections and enable automatic collection. Call it once."""
    gc.freeze()
    gc.enable()


def keep_import() -> None:
    """Exclude what a large module brought with its import, half a million objects, from further collections."""
    gc.freeze()
