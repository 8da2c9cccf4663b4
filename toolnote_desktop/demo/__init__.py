"""Demo library: two small MCP servers to try Toolnote with, and a toolset for them.

``toolnote demo-server NAME`` runs one of them on stdio (a frozen build has no Python to run a script with). Data are in
memory, so each start is a clean one. Standard library only: the servers start at once.
"""

from __future__ import annotations

import sys

NAMES = ("tracker", "handbook")


def main(name: str) -> int:
    """Run the demo server of that name until stdin ends; return the exit status (2: unknown name)."""
    from toolnote_desktop.demo import handbook, tracker
    from toolnote_desktop.demo.server import serve

    if name == "tracker":
        return serve(tracker.tracker())
    if name == "handbook":
        return serve(handbook.handbook())
    sys.stderr.write(f"toolnote demo-server: there is no demo server {name!r}, only {' and '.join(NAMES)}\n")
    return 2
