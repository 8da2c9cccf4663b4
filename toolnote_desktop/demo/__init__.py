"""The demo library: two small MCP servers to try Toolnote with, and the toolset that goes with them.

``toolnote demo-server NAME`` runs one of them on stdio (a frozen build has no Python to run a script with). They keep
their data in memory, so that every start is a clean one. Standard library only: they answer at once.
"""

from __future__ import annotations

import sys

NAMES = ("tracker", "handbook")


def main(name: str) -> int:
    """Run the demo server of that name until stdin ends; the exit status (2: there is no such server)."""
    from toolnote_desktop.demo import handbook, tracker
    from toolnote_desktop.demo.server import serve

    if name == "tracker":
        return serve(tracker.tracker())
    if name == "handbook":
        return serve(handbook.handbook())
    sys.stderr.write(f"toolnote demo-server: there is no demo server {name!r}, only {' and '.join(NAMES)}\n")
    return 2
