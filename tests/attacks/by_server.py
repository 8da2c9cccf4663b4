"""Attacks by servers, over pipes and over HTTP."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from tests.attacks.arena import HERE, Arena, Attack


def stdio(mode: str, seconds: float = 4.0) -> Callable[[Arena], None]:
    """Return the attack of a stdio server."""

    def run(arena: Arena) -> None:
        entry = {"type": "stdio", "command": sys.executable, "args": ["-I", str(HERE / "hostile_stdio.py"), mode]}
        with arena.server("hostile", entry):
            time.sleep(seconds)

    return run


@contextlib.contextmanager
def http_server(mode: str) -> Iterator[str]:
    """Run the HTTP server and return its address."""
    command = [sys.executable, "-I", str(HERE / "hostile_http.py"), mode]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def http(mode: str, seconds: float = 5.0) -> Callable[[Arena], None]:
    """Return the attack of an HTTP server."""

    def run(arena: Arena) -> None:
        with http_server(mode) as url, arena.server("hostile", {"type": "http", "url": url}):
            time.sleep(seconds)

    return run


def calls(mode: str, number: int) -> Callable[[Arena], None]:
    """Return calls of the tool of a stdio server that answers them in a hostile way."""

    def run(arena: Arena) -> None:
        entry = {"type": "stdio", "command": sys.executable, "args": ["-I", str(HERE / "hostile_stdio.py"), mode]}
        with arena.server("hostile", entry):
            time.sleep(2)
            client = arena.client()
            for index in range(number):
                client.exchange(client.call("hostile_t", request_id=index))

    return run


ATTACKS = [
    Attack("refuses each message with a status line of 60 KB", "server", "H1", http("reason"), quick=True),
    Attack("redirects with a body of 600 MB", "server", "H4", http("redirect"), quick=True),
    Attack("redirects with a body of 300 MB, gzipped", "server", "H4", http("redirect-gzip")),
    Attack("answers 401 with a body of 600 MB", "server", "H4", http("challenge")),
    Attack("lists 4 million numbers over HTTP", "server", "M3", http("numbers")),
    Attack("lists 4 million numbers over a pipe", "server", "M3", stdio("numbers"), quick=True),
    Attack("lists 60,000 tools", "server", "M3", stdio("many-tools")),
    Attack("lists pages without an end", "server", "M3", stdio("pages")),
    Attack("a description of 3 MB of addresses", "server", "H1", stdio("huge-tool")),
    Attack("a stream of comments without an end", "server", "L9", http("comments")),
    Attack("a stream of notifications that ends at once", "server", "U25", http("stream-ends")),
    Attack("a stream of notifications answered with HTML", "server", "U25", http("stream-html")),
    Attack("a result in JSON of 600 MB", "server", "-", http("endless-json"), "body"),
    Attack("an event of 600 MB", "server", "-", http("event-line")),
    Attack("a result of 300 MB in 300 KB gzipped", "server", "-", http("gzip-bomb")),
    Attack("a result that comes byte by byte", "server", "-", http("slow-bytes")),
    Attack("200,000 headers", "server", "-", http("headers")),
    Attack("a line without an end", "server", "-", stdio("endless-line"), "line"),
    Attack("arrays 4 million deep", "server", "-", stdio("deep")),
    Attack("a number of 8 million digits", "server", "-", stdio("digits")),
    Attack("text of 1.3 million escapes", "server", "-", stdio("escapes")),
    Attack("8 MB that are no UTF-8", "server", "U36", stdio("bad-utf8")),
    Attack("an object of 400,000 keys", "server", "-", stdio("wide-object")),
    Attack("log messages without an end", "server", "-", stdio("flood-log"), "turns", quick=True),
    Attack("progress without an end", "server", "-", stdio("flood-progress")),
    Attack("announces changes without an end", "server", "U19", stdio("flood-list-changed")),
    Attack("announces a change after each list", "server", "U19", stdio("relist")),
    Attack("elicitation/complete without an end", "server", "-", stdio("flood-elicitation-complete")),
    Attack("resources/updated without an end", "server", "-", stdio("flood-resources-updated")),
    Attack("pings without an end, answers not read", "server", "-", stdio("flood-ping")),
    Attack("sampling without an end, answers not read", "server", "-", stdio("flood-sampling")),
    Attack("lines that are no messages, without an end", "server", "-", stdio("flood-noise")),
    Attack("replies to requests that were never sent", "server", "-", stdio("flood-unknown-replies")),
    Attack("stderr without line ends", "server", "H1", stdio("stderr")),
    Attack("stderr with addresses and passwords", "server", "H1", stdio("stderr-lines")),
    Attack("exits after each start", "server", "-", stdio("exit")),
    Attack("closes its output and goes on", "server", "M6", stdio("close-stdout")),
    Attack("40 results of 8 MB", "server", "-", calls("big-result", 40), "trim"),
]
