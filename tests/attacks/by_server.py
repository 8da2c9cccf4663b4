"""Attacks by servers, over pipes and over HTTP."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from tests.attacks.arena import AGENT, HERE, Arena, Attack
from tests.waiting import wait_until


def stdio(mode: str, seconds: float = 4.0) -> Callable[[Arena], None]:
    """Return the attack of a stdio server."""

    def run(arena: Arena) -> None:
        with hostile(arena, mode):
            time.sleep(seconds)

    return run


@contextlib.contextmanager
def hostile(arena: Arena, mode: str) -> Iterator[None]:
    """Have the stdio server, from its first list on."""
    listed = arena.folder / "listed"
    listed.unlink(missing_ok=True)
    words = ["-I", str(HERE / "hostile_stdio.py"), mode, str(listed)]
    with arena.server("hostile", {"type": "stdio", "command": sys.executable, "args": words}):
        with contextlib.suppress(AssertionError):  # it may not get so far
            wait_until(listed.exists, 15)
        yield


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
        with hostile(arena, mode):
            time.sleep(1)
            client = arena.client()
            for index in range(number):
                client.exchange(client.call("hostile_t", request_id=index))

    return run


def environment(arena: Arena) -> None:
    """Print its environment without an end; it must not have the user's agent."""
    found = arena.folder / "listed.environment"
    with hostile(arena, "environment"):
        wait_until(lambda: found.exists() and found.read_text().endswith("}"), 15)
        time.sleep(3)
    if AGENT in json.loads(found.read_text()):
        raise OSError(f"the server was given {AGENT}")


def refused_headers(arena: Arena) -> None:
    """Call a tool of the modern era 200 times, whose server refuses each call for its headers."""
    with http_server("mismatch") as url, arena.server("hostile", {"type": "http", "url": url}):
        time.sleep(2)
        client = arena.client()
        for index in range(200):
            client.exchange(client.call("hostile_t", request_id=index))


STDIO = {
    "one-name": ("-", "4,000 tools whose names become one"),
    "same-name": ("-", "20,000 tools of one name"),
    "references": ("-", "a schema whose references double 60 times"),
    "branches": ("-", "a schema of 260,000 branches"),
    "deep-schema": ("-", "100 schemas 150 levels deep"),
    "properties": ("-", "a schema of 20,000 properties"),
    "forged": ("H2", "1,000 tools with forged notes and hidden characters"),
    "combining": ("H1", "800,000 combining marks in descriptions and addresses"),
    "changing": ("L8", "1,000 descriptions that change with each list"),
    "renaming": ("L8", "1,000 tools whose names change with each list"),
    "big-tool": ("M3", "a tool of 7 MB"),
    "nan-list": ("U07", "NaN in a list of 6 MB"),
    "bad-objects": ("M3", "20 MB of objects and a stray byte, ten times"),
    "nan-objects": ("U07", "20 MB of objects and NaN, ten times"),
    "error-objects": ("M3", "errors of 20 MB of objects, ten times"),
    "request-objects": ("M3", "requests of 20 MB of objects, ten times"),
    "many-members": ("M3", "2 million members, ten times"),
    "batch": ("M3", "a batch of 600,000 messages, ten times"),
    "updated": ("-", "resources/updated of 20 MB, ten times"),
    "introduction": ("H2", "instructions of 7 MB"),
    "capabilities": ("-", "100,000 extensions"),
    "templates": ("-", "500 templates of 12 variables"),
    "fork": ("M6", "leaves 20 processes behind"),
}
"""Mode of ``hostile_stdio.py`` -> evidence and name of the attack."""

GUARD_OF = {
    "bad-objects": "exact",
    "nan-objects": "exact",
    "batch": "exact",
    "many-members": "members",
    "big-tool": "list",
}

HTTP = {
    "private": ("M2", "names an endless document on this computer for the sign-in"),
    "challenge-header": ("H1", "a challenge of 56 KB"),
    "busy": ("U25", "429 with a Retry-After of 4,000 digits"),
    "event-ids": ("L9", "event ids of 200 KB without an end"),
    "empty-events": ("L9", "events that are no messages, without an end"),
    "one-byte-chunks": ("-", "chunks of one byte, without an end"),
    "coding": ("U02", "a coding that was not asked for"),
}

ATTACKS = [
    Attack("refuses each message with a status line of 60 KB", "server", "H1", http("reason"), quick=True),
    Attack("redirects with a body of 600 MB", "server", "H4", http("redirect"), quick=True),
    Attack("redirects with a body of 300 MB, gzipped", "server", "H4", http("redirect-gzip")),
    Attack("answers 401 with a body of 600 MB", "server", "H4", http("challenge")),
    Attack("lists 4 million numbers over HTTP", "server", "M3", http("numbers"), "list"),
    Attack("lists 4 million numbers over a pipe", "server", "M3", stdio("numbers"), "list", quick=True),
    Attack("lists 60,000 tools", "server", "M3", stdio("many-tools")),
    Attack("lists pages without an end", "server", "M3", stdio("pages")),
    Attack("a description of 3 MB of addresses", "server", "H1", stdio("huge-tool")),
    Attack("a stream of comments without an end", "server", "L9", http("comments")),
    Attack("a stream of notifications that ends at once", "server", "U42", http("stream-ends")),
    Attack("a stream of notifications answered with HTML", "server", "U03", http("stream-html")),
    Attack("a result in JSON of 600 MB", "server", "-", http("endless-json"), "body"),
    Attack("an event of 600 MB", "server", "-", http("event-line")),
    Attack("a result of 300 MB in 300 KB gzipped", "server", "-", http("gzip-bomb")),
    Attack("a result that comes byte by byte", "server", "-", http("slow-bytes")),
    Attack("200,000 headers", "server", "-", http("headers")),
    Attack("a line without an end", "server", "-", stdio("endless-line"), "line"),
    Attack("arrays 4 million deep", "server", "-", stdio("deep")),
    Attack("a number of 8 million digits", "server", "-", stdio("digits")),
    Attack("text of 1.3 million escapes", "server", "-", stdio("escapes")),
    Attack("8 MB that are no UTF-8", "server", "U44", stdio("bad-utf8")),
    Attack("an object of 400,000 keys", "server", "-", stdio("wide-object")),
    Attack("log messages without an end", "server", "-", stdio("flood-log"), "turns", quick=True),
    Attack("progress without an end", "server", "-", stdio("flood-progress")),
    Attack("announces changes without an end", "server", "U39", stdio("flood-list-changed")),
    Attack("announces a change after each list", "server", "U39", stdio("relist")),
    Attack("elicitation/complete without an end", "server", "U11", stdio("flood-elicitation-complete")),
    Attack("resources/updated without an end", "server", "-", stdio("flood-resources-updated")),
    Attack("pings without an end, answers not read", "server", "-", stdio("flood-ping")),
    Attack("sampling without an end, answers not read", "server", "-", stdio("flood-sampling")),
    Attack("lines that are no messages, without an end", "server", "-", stdio("flood-noise")),
    Attack("replies to requests that were never sent", "server", "-", stdio("flood-unknown-replies")),
    Attack("stderr without line ends", "server", "H1", stdio("stderr")),
    Attack("stderr with addresses and passwords", "server", "H1", stdio("stderr-lines")),
    Attack("exits after each start", "server", "-", stdio("exit")),
    Attack("closes its output and goes on", "server", "U16", stdio("close-stdout")),
    *(Attack(name, "server", source, stdio(mode), GUARD_OF.get(mode, "")) for mode, (source, name) in STDIO.items()),
    *(Attack(name, "server", source, http(mode)) for mode, (source, name) in HTTP.items()),
    Attack("prints its environment without an end", "server", "L10", environment),
    Attack("refuses 200 calls for their headers", "server", "U42", refused_headers),
    Attack("500 tasks with long names", "server", "U27", calls("tasks", 500)),
    Attack("50 results with 4,000 links each", "server", "U10", calls("links", 50)),
    Attack("asks 300 questions in each of 10 calls", "server", "L7", calls("ask", 10)),
    Attack("40 results of 8 MB", "server", "-", calls("big-result", 40), "trim"),
]
