"""Commands of docs/contract.md 4, one module per group; ``RUN`` of a module maps names to commands.

Commands edit documents through the library; a running app notices the change and notifies its clients. Failures are
``ToolnoteError``, which ``cli/parser.py`` turns into one line.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from toolnote_desktop.paths import Home

Command = Callable[[argparse.Namespace, Home], int]
"""Function that runs the parsed command in a home and returns the exit status."""
