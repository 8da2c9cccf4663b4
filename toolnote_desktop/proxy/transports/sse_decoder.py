"""Decoder for event streams (HTML, server-sent events) that works on bytes, so that data stays unchanged."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator

from msgspec import Struct

from toolnote_desktop.http_body import TURN, TURN_PAUSE

_LINE_END = re.compile(rb"\r\n|\n|\r")

_MAX_IGNORED = 256 * 1024
"""Bytes of comments, or number of empty events, since the last event with data, after which reading is slowed down."""

_PAUSE = 0.02
_LONGEST_RETRY = 300.0
"""Seconds. A longer ``retry`` is cut: one odd number must not end the notifications for good."""


class EventTooLong(Exception):  # noqa: N818
    """An event exceeds the limit."""


class Event(Struct, frozen=True):
    """Event; ``data`` is empty if it only carries an id."""

    kind: str
    data: bytes
    id: bytes | None
    retry: float | None
    """Seconds."""


class EventReader:
    """Splits the bytes of one stream into events.

    Attributes:
        last_id: id of the newest event that had one, for resuming the stream.
        retry: seconds that the server asks clients to wait before they reconnect.
        events: number of events with data.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pending = b""
        self._more: list[bytes] = []
        self._more_size = 0
        self._begun = False
        self._after_return = False
        self._ignored = 0
        self._data: list[bytes] = []
        self._size = 0
        self._kind = ""
        self._id: bytes | None = None
        self._retry: float | None = None
        self._turn_began = 0.0
        self.last_id: bytes | None = None
        self.retry: float | None = None
        self.events = 0

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Return the events that are complete now.

        Raises:
            EventTooLong: an event has more than ``limit`` bytes.
        """
        self._turn_began = time.monotonic()
        if self._after_return and chunk:  # the line ended with the last chunk; "\n" would be half of "\r\n"
            self._after_return = False
            chunk = chunk.removeprefix(b"\n")
        if b"\n" not in chunk and b"\r" not in chunk:
            self._more.append(chunk)  # the middle of a long line: joined once, when its end comes
            self._more_size += len(chunk)
            self._check(self._more_size + len(self._pending))
            return
        text = b"".join((self._pending, *self._more, chunk))
        self._more, self._more_size = [], 0
        if not self._begun:
            text, self._begun = text.removeprefix(b"\xef\xbb\xbf"), True
        self._after_return = text.endswith(b"\r")
        *lines, self._pending = _LINE_END.split(text)
        self._check(len(self._pending))
        for line in lines:
            if (event := self._line(line)) is not None:
                yield event

    async def take_turn(self) -> None:
        """Pause if the events of a chunk have taken long: others are served meanwhile."""
        if time.monotonic() - self._turn_began > TURN:
            await asyncio.sleep(TURN_PAUSE)
            self._turn_began = time.monotonic()

    async def slow_down(self) -> None:
        """Pause if the stream has sent much that is no event, such as endless comments, which must not cost a core."""
        if self._ignored > _MAX_IGNORED:
            await asyncio.sleep(_PAUSE)

    def _check(self, more: int) -> None:
        if self._size + more > self._limit:
            raise EventTooLong

    def _line(self, line: bytes) -> Event | None:
        if not line:
            return self._dispatch()
        if line.startswith(b":"):
            self._ignored += len(line) + 1
            return None
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
            self._size += len(value)
            self._check(0)
        elif field == b"event":
            self._kind = value.decode("utf-8", "replace")
        elif field == b"id" and b"\0" not in value:
            self._id = value
        elif field == b"retry" and value.isdigit():
            self._retry = min(int(value[:12]) / 1000, _LONGEST_RETRY)
        return None

    def _dispatch(self) -> Event | None:
        event = Event(self._kind or "message", b"\n".join(self._data), self._id, self._retry)
        self._data, self._size, self._kind, self._id, self._retry = [], 0, "", None, None
        if event.id is not None:
            self.last_id = event.id or None
        self.events += 1 if event.data else 0
        if event.retry is not None:
            self.retry = event.retry
        if event.data:
            self._ignored = 0
        else:
            self._ignored += 1
        return event if event.data or event.id is not None or event.kind != "message" else None
