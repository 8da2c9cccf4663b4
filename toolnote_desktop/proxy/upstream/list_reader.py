"""Reader of a server's complete lists: tools, prompts, resources, resource templates (case C01, C02)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Generator, Mapping
from typing import Any

from msgspec import Struct, field

from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.tools.tool import Unreadable
from toolnote_desktop.proxy.aio.time_slices import Sliced
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable
from toolnote_desktop.proxy.transports.strict_json import RequiredMemberError, loads_repaired
from toolnote_desktop.proxy.upstream.handshake import HandshakeResult, error_text, loads_lenient

MAX_PAGES = 1000
MAX_ENTRIES = 10_000
MAX_TOOLS = 6_000
"""Entries of a list of tools: each is named, described, compared, indexed and, in the end, read by a model."""

MAX_BYTES = 8 * 1024 * 1024
"""Bytes of a list, over all pages."""

MAX_ENTRY_BYTES = 1024 * 1024

_METHOD_NOT_FOUND = -32601

_NOTHING_ANNOUNCED = "its capabilities announce neither tools nor prompts nor resources, so none are requested"

_AT_ONCE = 64 * 1024
"""Bytes of entries that are parsed at once: it takes less than a millisecond, and shared keys become one string."""

_Read = tuple[tuple[Any, ...], Problem | None]
_Parsed = dict[bytes, Any]
"""The SHA-256 of an entry's text -> the entry."""

SendRequest = Callable[[str, bytes | None], Awaitable[Reply]]


class Listed(Struct, frozen=True):
    """Handshake result and lists of a ready server, raw, in its own order.

    Attributes:
        tools: entries of ``tools/list`` as parsed JSON of any type.
        by_era: capabilities by era, of those that the server was asked in.
        problems: lists that could not be read completely (``SERVER_PAGES``), the entries read so far being included; or
            ``SERVER_PROTOCOL`` if no list is announced.
    """

    tools: tuple[Any, ...] = ()
    prompts: tuple[Any, ...] = ()
    resources: tuple[Any, ...] = ()
    resource_templates: tuple[Any, ...] = ()
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    instructions: str | None = None
    server_info: Mapping[str, Any] = field(default_factory=dict)
    protocol_version: str = ""
    by_era: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


class _List(Struct, frozen=True):
    method: str
    key: str
    capability: str


_LISTS = {
    "tools": _List("tools/list", "tools", "tools"),
    "prompts": _List("prompts/list", "prompts", "prompts"),
    "resources": _List("resources/list", "resources", "resources"),
    "resource_templates": _List("resources/templates/list", "resourceTemplates", "resources"),
}

STALE_LISTS = {
    "notifications/tools/list_changed": frozenset({"tools"}),
    "notifications/prompts/list_changed": frozenset({"prompts"}),
    "notifications/resources/list_changed": frozenset({"resources", "resource_templates"}),
}
"""Notification -> fields of ``Listed`` that it invalidates."""

ALL_LISTS = frozenset(_LISTS)


class ListReader:
    """Lists of one connection, as last read."""

    def __init__(self, server: str, handshake_result: HandshakeResult, send_request: SendRequest) -> None:
        self._server = server
        self._introduction = handshake_result
        self._by_era: dict[str, Mapping[str, Any]] = {handshake_result.era.value: handshake_result.capabilities}
        self._send_request = send_request
        self._entries: dict[str, tuple[Any, ...]] = dict.fromkeys(_LISTS, ())
        self._problems: dict[str, Problem | None] = {}
        self._parsed: dict[str, _Parsed] = {}

    def add_era(self, other: HandshakeResult) -> None:
        """Record the capabilities that the server has in another era."""
        self._by_era.setdefault(other.era.value, other.capabilities)

    async def read(self, fields: frozenset[str], seconds: float | None) -> Listed:
        """Read these lists anew, all pages, concurrently. Lists without a capability are not requested.

        A list that is incomplete after ``seconds`` (None for no limit) stays as it was read before.

        Raises:
            TransportClosed: the connection was closed.
        """
        wanted = [name for name in _LISTS if name in fields and self._introduction.can(_LISTS[name].capability)]
        # Not a task group, which would raise an exception group.
        found = await asyncio.gather(*(self._read_in_time(name, seconds) for name in wanted))
        for name, (entries, problem) in zip(wanted, found, strict=True):
            self._entries[name], self._problems[name] = entries, problem
        return self.listed()

    def listed(self) -> Listed:
        """Return the lists as last read."""
        problems = [problem for problem in self._problems.values() if problem is not None]
        if not any(self._introduction.can(one.capability) for one in _LISTS.values()):
            problems.append(Problem(Code.SERVER_PROTOCOL, {"server": self._server, "reason": _NOTHING_ANNOUNCED}))
        return Listed(
            **self._entries,
            capabilities=self._introduction.capabilities,
            instructions=self._introduction.instructions,
            server_info=self._introduction.server_info,
            protocol_version=self._introduction.protocol_version,
            by_era=dict(self._by_era),
            problems=tuple(problems),
        )

    async def _read_in_time(self, name: str, seconds: float | None) -> tuple[tuple[Any, ...], Problem | None]:
        try:
            async with asyncio.timeout(seconds):
                return await self._read(_LISTS[name])
        except TimeoutError:
            return self._entries[name], self._problem(_LISTS[name], "it was not answered in time")

    async def _read(self, wanted: _List) -> _Read:
        """Return all entries, and the problem that prevented reading more. A list whose cursor is refused is read once
        more from its start.
        """
        entries: list[Any] = []
        parsed: _Parsed = {}
        try:
            return await self._read_pages(wanted, entries, parsed)
        except _CursorRefused as refused:
            # The list may have changed meanwhile, without a notification; its cursors are valid no more.
            again: list[Any] = []
            try:
                return await self._read_pages(wanted, again, parsed)
            except _CursorRefused:
                return tuple(again if len(again) > len(entries) else entries), self._problem(wanted, str(refused))
        finally:
            self._parsed[wanted.key] = parsed

    async def _read_pages(self, wanted: _List, entries: list[Any], parsed: _Parsed) -> _Read:
        cursors: set[bytes] = set()
        pages: set[bytes] = set()
        cursor: bytes | None = None
        room = _Room(MAX_TOOLS if wanted.key == "tools" else MAX_ENTRIES)
        most = room.entries
        while True:
            page, reason = await self._page(wanted, cursor, parsed, room)
            if page is None:
                return tuple(entries), self._problem(wanted, reason) if reason else None
            found, raw_cursor, text = page
            if pages or raw_cursor is not None:  # a single page of megabytes need not be hashed
                mark = hashlib.sha256(text).digest()
                if found and mark in pages:
                    return tuple(entries), self._problem(wanted, "its pages repeat")
                pages.add(mark)
            if len(found) > room.entries:
                entries += found[: room.entries]
                return tuple(entries), self._problem(wanted, f"there are more than {most} entries")
            room.entries -= len(found)
            entries += found
            if raw_cursor is None:
                return tuple(entries), None
            if raw_cursor in cursors:
                return tuple(entries), self._problem(wanted, "its pages repeat")
            if len(cursors) >= MAX_PAGES:
                return tuple(entries), self._problem(wanted, f"there are more than {MAX_PAGES} pages")
            cursors.add(raw_cursor)
            cursor = raw_cursor

    async def _page(
        self, wanted: _List, cursor: bytes | None, parsed: _Parsed, room: _Room
    ) -> tuple[tuple[list[Any], bytes | None, bytes] | None, str]:
        """Return a page (entries, raw next cursor, raw entries), or None and the reason; "" if the list is missing.

        Raises:
            _CursorRefused: the response to a page after the first is an error.
        """
        try:
            reply = await self._send_request(wanted.method, None if cursor is None else b'{"cursor":%s}' % cursor)
        except ReplyUnreadable as unreadable:
            if unreadable.result is None:
                is_missing = unreadable.not_found and cursor is None and wanted.key != "tools"
                return None, "" if is_missing else str(unreadable)
            reply = Reply(unreadable.result)
        if reply.result is None:
            error = loads_lenient(reply.error or b"null")
            code = error.get("code") if isinstance(error, dict) else None
            if cursor is not None:
                raise _CursorRefused(error_text(reply))
            return None, "" if code == _METHOD_NOT_FOUND else error_text(reply)
        if len(reply.result) > room.size:
            return None, f"it has more than {MAX_BYTES // (1024 * 1024)} MB"
        room.size -= len(reply.result)
        raw = await Sliced(jsonrpc.member_steps(reply.result, wanted.key, "nextCursor")).in_slices()
        if raw is None:
            return None, "the result is no object"
        text = raw.get(wanted.key, b"null")
        steps = _parse_steps(text, self._parsed.get(wanted.key, {}), parsed, room.entries + 1)
        found = await Sliced(steps).in_slices()
        if found is None:
            return None, f"the result has no list of {wanted.key}"
        following = loads_lenient(raw.get("nextCursor", b"null"))
        # Some servers end with an empty cursor, and some count in numbers.
        more = following not in (None, "", False)
        return (found, json_text.dumps(following) if more else None, raw[wanted.key]), ""

    def _problem(self, wanted: _List, reason: str) -> Problem:
        return Problem(Code.SERVER_PAGES, {"server": self._server, "method": wanted.method, "reason": reason})


class _CursorRefused(Exception):  # noqa: N818
    """The server answered a page after the first with an error, which is the text."""


class _Room:
    """Rest of the limits of a list that is being read."""

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self.size = MAX_BYTES


def _parse_steps(text: bytes, before: _Parsed, parsed: _Parsed, most: int) -> Generator[None, None, list[Any] | None]:
    """Return the first ``most`` entries of a list, parsing some at a time; None if it is not a list.

    An entry whose text is in ``before`` is taken from there. New ones are added to ``parsed``.
    """
    # Without objects for millions of entries: there are no more entries than commas, and more are split one by one.
    pieces = jsonrpc.items(text) if text.count(b",") < most else None
    repair = pieces is None
    if pieces is None:
        pieces = yield from jsonrpc.element_steps(text, most)
    if pieces is None:
        return None
    yield
    digests = []
    unparsed: dict[bytes, bytes] = {}
    size = 0
    for piece in pieces:
        digest = hashlib.sha256(piece).digest()
        digests.append(digest)
        if len(piece) > MAX_ENTRY_BYTES:
            parsed[digest] = Unreadable(f"it has more than {MAX_ENTRY_BYTES // (1024 * 1024)} MB")
        elif digest in before:
            parsed[digest] = before[digest]
        elif digest not in parsed and digest not in unparsed:
            unparsed[digest] = piece
            size += len(piece)
        if size >= _AT_ONCE:
            _parse_batch(unparsed, parsed, repair=repair)
            unparsed, size = {}, 0
        yield
    _parse_batch(unparsed, parsed, repair=repair)
    return [parsed[digest] for digest in digests]


def _parse_batch(unparsed: Mapping[bytes, bytes], parsed: _Parsed, *, repair: bool) -> None:
    """Parse entries; ``repair``: their text may have to be made valid."""
    entries = None if repair else loads_lenient(b"[%s]" % b",".join(unparsed.values()))
    if entries is None:  # one of them cannot be read
        entries = map(_entry, unparsed.values())
    parsed.update(zip(unparsed, entries, strict=True))


def _entry(raw: bytes) -> Any:
    """Return an entry, made valid where possible (``strict_json``), else ``Unreadable``: it costs no other entry."""
    try:
        return loads_repaired(raw)
    except RequiredMemberError as error:
        return Unreadable(str(error), error.name)
    except ValueError as error:
        if str(error).startswith("it"):
            return Unreadable(str(error))
        return Unreadable("it has a number of thousands of digits, is nested too deeply, or is no JSON")
