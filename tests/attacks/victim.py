"""``victim.py URL TOKEN TOOL``: client that calls a tool all the time, and answers each line on stdin.

``reset`` forgets the waits so far; ``read`` prints the longest wait since then in seconds, also of a call that is still
waiting, how much of it the machine was busy with others, and the number of answers. ``watch APP SERVER …`` names the
process ids of the app, any of whose threads may hold the interpreter that a call needs, and of servers.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import time
from urllib.parse import urlsplit

PAUSE = 0.02
"""Seconds between two calls."""

CALLS = 5
"""Calls on a connection: those without a token must not keep new ones out."""


def run_delay(path: str) -> float:
    """Return the seconds that a thread could run but waited for a processor; 0 where the system does not say."""
    try:
        with open(path, "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def run_delays(process: str) -> dict[str, float]:
    """Return the same for each thread of a process."""
    try:
        return {
            thread: run_delay(f"/proc/{process}/task/{thread}/schedstat")
            for thread in os.listdir(f"/proc/{process}/task")
        }
    except OSError:
        return {}


_Delays = tuple[float, dict[str, float], list[float]]


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
        self._app = ""
        self._servers: list[str] = []
        self._longest = (0.0, 0.0)
        self._answers = 0
        self._since: float | None = None
        self._delay: _Delays = (0.0, {}, [])
        self._thread = 0

    def _delays(self) -> _Delays:
        """Return the seconds that the victim, the app's threads and the servers have waited for a processor so far."""
        own = run_delay(f"/proc/self/task/{self._thread}/schedstat")
        return own, run_delays(self._app), [run_delay(f"/proc/{one}/schedstat") for one in self._servers]

    def _delay_since(self, before: _Delays) -> float:
        """Return the seconds for which the machine made a call wait: the victim, its server, a thread of the app."""
        own, app, servers = self._delays()
        of_app = max((delay - before[1].get(thread, 0.0) for thread, delay in app.items()), default=0.0)
        of_servers = sum(max(0.0, now - then) for now, then in zip(servers, before[2], strict=False))
        return own - before[0] + of_app + of_servers

    def run(self) -> None:
        """Call for ever; a refused call is repeated and counts as one wait."""
        self._thread = threading.get_native_id()
        while True:
            before = self._delays()
            began = time.monotonic()
            with self._lock:
                self._since, self._delay = began, before
            while not self._call():
                time.sleep(0.005)
            if self._answers % CALLS == 0 and self._connection is not None:
                self._connection.close()  # the next request opens another one
            wait, delay = time.monotonic() - began, self._delay_since(before)
            with self._lock:
                self._longest = max(self._longest, (wait, delay), key=_own)
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
            waiting = (0.0, 0.0)
            if self._since is not None:
                waiting = (time.monotonic() - self._since, self._delay_since(self._delay))
            longest = max(self._longest, waiting, key=_own)
            found = {"longest": longest[0], "machine": longest[1], "answers": self._answers}
            if word == "reset":
                self._longest, self._answers = (0.0, 0.0), 0
                if self._since is not None:
                    self._since, self._delay = time.monotonic(), self._delays()
            elif word.startswith("watch "):
                _, self._app, *self._servers = word.split()
            return json.dumps(found)


def _own(wait: tuple[float, float]) -> float:
    """Return a wait without the machine's share."""
    return wait[0] - wait[1]


if __name__ == "__main__":
    victim = Victim(*sys.argv[1:])
    threading.Thread(target=victim.run, daemon=True).start()
    for line in sys.stdin:
        print(victim.command(line.strip()), flush=True)
