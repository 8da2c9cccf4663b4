"""Check that a frozen build works on this machine: `python packaging/smoke.py PATH/TO/toolnote`. Standard library only.

`doctor` finds nothing wrong with an empty home, and a client that lists the tools of `serve --demo` sees a note.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 60
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "smoke", "version": "1"}}


def main(program: str) -> int:
    """Return the exit status; raise AssertionError if something is wrong."""
    with tempfile.TemporaryDirectory(prefix="toolnote-smoke-") as home:
        Path(home, "settings.json").write_text(json.dumps({"port": free_port()}), encoding="utf-8")
        subprocess.run([program, "doctor", "--home", home], check=True, timeout=PATIENCE_SECONDS)
    with tempfile.TemporaryDirectory(prefix="toolnote-smoke-", ignore_cleanup_errors=True) as home:
        command = [program, "serve", "--demo", "--port", "0", "--home", home]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                ready = json.loads(process.stdout.readline())
                wait_for_a_note(Client(ready["url"], ready["token"]))
            finally:
                process.terminate()
                process.wait(PATIENCE_SECONDS)
    print(f"{program} works")
    return 0


def free_port() -> int:
    """Return a free port: the doctor reports one that is in use."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Client:
    """Minimal client over streamable HTTP."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        self.request("initialize", INITIALIZE)

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a request."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        question = urllib.request.Request(self._url, body, self._headers)
        with urllib.request.urlopen(question, timeout=PATIENCE_SECONDS) as answer:
            self._headers["Mcp-Session-Id"] = answer.headers.get("Mcp-Session-Id") or self._headers["Mcp-Session-Id"]
            text = answer.read().decode()
        lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
        return json.loads(lines[-1] if lines else text)["result"]


def wait_for_a_note(client: Client) -> None:
    """Wait until the demo's servers have started and a tool has a note."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        tools = client.request("tools/list", {})["tools"]
        if any("### Additional Tool Notes" in tool.get("description", "") for tool in tools):
            return
        time.sleep(0.5)
    raise TimeoutError("no tool with a note was served")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
