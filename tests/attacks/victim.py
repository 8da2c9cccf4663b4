"""``victim.py URL TOKEN TOOL``: client that calls a tool all the time, and answers each line on stdin.

``reset`` forgets the waits so far; ``read`` prints the longest wait since then in seconds, also of a call that is still
waiting, and the number of answers.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from urllib.parse import urlsplit

PAUSE = 0.02
"""Seconds between two calls."""

CALLS = 5
"""Calls on a connection: those without a token must not keep new ones out."""


class Victim:
    """Calls in a thread of their own."""

    def __init__(self, url: str, token: str, tool: str) -> None:
        self._url = urlsplit(url)
        self._tool = tool
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        self._connection: http.client.HTTPConnection | None = None
        self._lock = threading.Lock()
        self._longest = 0.0
        self._answers = 0
        self._since: float | None = None

    def run(self) -> None:
        """Call for ever; a refused call is repeated and counts as one wait."""
        while True:
            began = time.monotonic()
            with self._lock:
                self._since = began
            while not self._call():
                time.sleep(0.005)
            if self._answers % CALLS == 0 and self._connection is not None:
                self._connection.close()  # the next request opens another one
            with self._lock:
                self._longest = max(self._longest, time.monotonic() - began)
                self._answers += 1
                self._since = None
            time.sleep(PAUSE)

    def _call(self) -> bool:
        try:
            if self._connection is None:
                self._open()
            answer = self._send("tools/call", {"name": self._tool, "arguments": {}})
            return bool(answer is not None and not answer.get("result", {"isError": True}).get("isError"))
        except (OSError, http.client.HTTPException, ValueError):
            self._close()
            return False

    def _open(self) -> None:
        self._headers.pop("Mcp-Session-Id", None)
        self._connection = http.client.HTTPConnection(self._url.hostname or "", self._url.port, timeout=120)
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "victim", "version": "1"}}
        self._send("initialize", client)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _send(self, method: str, params: object) -> dict[str, dict[str, object]] | None:
        assert self._connection is not None
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self._connection.request("POST", self._url.path, body, self._headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status == 404:
            self._close()
        if response.status != 200:
            return None
        session = response.getheader("mcp-session-id")
        if session:
            self._headers["Mcp-Session-Id"] = session
        found: dict[str, dict[str, object]] = json.loads(text if text.startswith(b"{") else text.split(b"data: ")[-1])
        return found

    def command(self, word: str) -> str:
        """Carry out one command and return its answer."""
        with self._lock:
            waiting = time.monotonic() - self._since if self._since is not None else 0.0
            found = {"longest": max(self._longest, waiting), "answers": self._answers}
            if word == "reset":
                self._longest, self._answers = 0.0, 0
                if self._since is not None:
                    self._since = time.monotonic()
            return json.dumps(found)


if __name__ == "__main__":
    victim = Victim(*sys.argv[1:])
    threading.Thread(target=victim.run, daemon=True).start()
    for line in sys.stdin:
        print(victim.command(line.strip()), flush=True)
