"""``serve.py MCP_JSON HOME PORT``: a home made from a plain ``mcpServers`` file, then ``toolnote serve`` on it.

Every tool of every server joins one toolset that is in use, and each of its first tools has three notes, so that
the harness measures the product with its features on. The token comes from ``TOOLNOTE_TOKEN``; with ``BENCH_NOTES=N``
the first N tools of each server (as ``server.py`` names them) have notes; with ``BENCH_NO_RECORDING`` no call is
recorded; with ``BENCH_WINDOW=FILE`` it is the app with
its window (``gui.py``) on the port that its settings say.
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
    many = int(os.environ.get("BENCH_NOTES", "0"))
    noted = ["echo", "blob", *(f"tool_{n:04}" for n in range(2, many))] if many else ["echo", "tool_0004", "tool_0005"]
    notes = [
        {
            "toolRef": {"namespacedName": f"{server}.{tool}"},
            "notes": [{"name": f"note-{n}", "note": f"Guidance {n}: ask the user before calling."} for n in range(3)],
        }
        for server in servers
        for tool in noted
    ]
    toolset = {"name": "bench", "tools": [], "toolNotes": notes}
    (home / "servers.json").write_text(json.dumps({"mcpServers": entries}))
    (home / "settings.json").write_text(json.dumps({"equippedToolset": "bench", "port": int(port)}))
    (home / "toolsets" / "bench.json").write_text(json.dumps(toolset))
    command = [sys.executable, "-m", "toolnote_desktop", "serve", "--home", str(home), "--port", port]
    if os.environ.get("BENCH_NO_RECORDING"):
        words = ["serve", "--home", str(home), "--port", port]
        program = (
            "from toolnote_desktop.proxy.routing.call_records import CallRecorder; "
            "CallRecorder.call_ended = lambda *_, **__: None; "
            f"from toolnote_desktop.cli import parser; parser.run({words!r})"
        )
        command = [sys.executable, "-c", program]
    if figures := os.environ.get("BENCH_WINDOW"):
        command = [sys.executable, str(Path(__file__).with_name("gui.py")), str(home), figures]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main()
