"""Messages of the scripts in ``packaging/`` to the person who runs them. Standard library only."""

from __future__ import annotations

import sys


class SetupError(Exception):
    """A missing requirement that these scripts cannot install; the text says what to do."""


def say(text: str) -> None:
    """Print a line to standard error that explains a long wait."""
    print(f"dev.py: {text}", file=sys.stderr, flush=True)
