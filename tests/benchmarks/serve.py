"""``serve.py MCP_JSON HOME PORT``: a home made from a plain ``mcpServers`` file, then ``toolnote serve`` on it.

Every tool of every server joins one toolset that is in use, and each of its first tools has three notes, so that
the harness measures the product with its features on. The token comes from ``TOOLNOTE_TOKEN``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


def main() -> None:
    """Write the home, then become the server."""
    source, home, port = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    servers = json.loads(source.read_text())["mcpServers"]
    (home / "toolsets").mkdir(parents=True, exist_ok=True)
    entries = {name: {**entry, "toolnote": {"toolset": "bench"}} for name, entry in servers.items()}
    notes = [
        {
            "toolRef": {"namespacedName": f"{server}.{tool}"},
            "notes": [{"name": f"note-{n}", "note": f"Guidance {n}: ask the user before calling."} for n in range(3)],
        }
        for server in servers
        for tool in ("echo", "tool_0004", "tool_0005")
    ]
    toolset = {"name": "bench", "tools": [], "toolNotes": notes}
    (home / "servers.json").write_text(json.dumps({"mcpServers": entries}))
    (home / "settings.json").write_text(json.dumps({"equippedToolset": "bench"}))
    (home / "toolsets" / "bench.json").write_text(json.dumps(toolset))
    command = [sys.executable, "-m", "toolnote_desktop", "serve", "--home", str(home), "--port", port]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main()
