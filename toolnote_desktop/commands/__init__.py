"""The commands of docs/contract.md 4, one module for each group; ``RUN`` of a module has its commands by name.

They edit documents through the library; an app that runs notices and tells its clients. What cannot be done is a
``ToolnoteError``, which ``parser.py`` turns into one line.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from toolnote_desktop.paths import Home

Command = Callable[[argparse.Namespace, Home], int]
"""Does what the parsed words print_text, in a home; the exit status."""
