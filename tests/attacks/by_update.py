"""Attacks by a release feed, and by what lies between it and the app (red team M5)."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.attacks.arena import PRIVATE_KEY, Arena, Attack
from tests.waiting import wait_until

PIECE = b"x" * 1_000_000


class Feed(ThreadingHTTPServer):
    """Release feed that sends what it is told.

    Attributes:
        pieces: megabytes of a feed without sense; 0: ``content`` and its signature.
        content: signed feed.
        requests: number of requests for a signature, which is the second of two.
    """

    daemon_threads = True

    def __init__(self, url: str) -> None:
        super().__init__(("127.0.0.1", urlsplit(url).port or 0), _Handler)
        self.pieces = 0
        self.content = b""
        self.requests = 0


class _Handler(BaseHTTPRequestHandler):
    server: Feed

    def do_GET(self) -> None:
        is_signature = self.path.endswith(".sig")
        self.server.requests += is_signature or self.server.pieces > 0
        self.send_response(200)
        self.end_headers()
        signature = (base64.b64encode(PRIVATE_KEY.sign(self.server.content)) + b"\n") * 1_000
        parts = [PIECE] * self.server.pieces or [signature if is_signature else self.server.content]
        with contextlib.suppress(OSError):
            for part in parts:
                self.wfile.write(part)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


@contextlib.contextmanager
def serving(arena: Arena) -> Iterator[Feed]:
    """Serve the feed of the arena's app."""
    with Feed(arena.feed) as feed:
        thread = threading.Thread(target=feed.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield feed
        finally:
            feed.shutdown()
            thread.join()


def check(arena: Arena, feed: Feed) -> None:
    """Let the app read the feed once."""
    before = feed.requests
    os.kill(arena.process.pid, signal.SIGUSR1)
    wait_until(lambda: feed.requests > before, 20)
    time.sleep(0.1)


def huge(arena: Arena) -> None:
    """Send 600 MB for a feed, ten times."""
    with serving(arena) as feed:
        feed.pieces = 600
        for _ in range(10):
            check(arena, feed)


def signed(version: str, day: datetime, notes: str = "") -> bytes:
    """Return a feed."""
    file = {"url": "http://127.0.0.1:9/x.tar.gz", "size": 1, "sha256": "0" * 64, "channel": "tar", "machine": "any"}
    dates = {"date": f"{day:%Y-%m-%d}", "expires": f"{day + timedelta(days=90):%Y-%m-%d}"}
    return json.dumps({"version": version, "notes": notes, "files": [file], **dates}).encode()


def replayed(arena: Arena) -> None:
    """Offer a version with notes of 900 KB, then an older one, time and again."""
    now = datetime.now(UTC)
    newest = signed("9.9.9", now, "# A heading\n" * 75_000)
    older = signed("9.9.8", now - timedelta(days=1), "x" * 900_000)
    seen = arena.home.updates / "seen.json"
    with serving(arena) as feed:
        for content in (newest, *[older, newest] * 10):
            feed.content = content
            check(arena, feed)
        wait_until(lambda: seen.exists() and "9.9.9" in seen.read_text(encoding="utf-8"), 20)


def attacks(*chosen: tuple[str, Callable[[Arena], None]]) -> list[Attack]:
    """Return the rows."""
    return [Attack(name, "server", "M5", run) for name, run in chosen]


ATTACKS = attacks(
    ("a release feed of 600 MB, read 10 times", huge),
    ("an older release feed in turns with one with notes of 900 KB", replayed),
)
