"""Changes of a server's lists are noticed, also those announced before the stream of notifications was open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.proxy.upstream.harness import QUICK, Running, run, running
from tests.servers.launch import Record, control, http_server, raw_server_entry
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts

KINDS = {"handshake-http": "GET", "modern-http": "subscriptions/listen", "modern-stdio": "subscriptions/listen"}


def started(kind: str, path: Path, **settings: Any) -> tuple[AbstractContextManager[Any], Callable[[Any], Any], Record]:
    """A server of this kind (``path`` is its control file), its entry, and its record."""
    record = Record(path.with_name("record"))
    scenario: dict[str, Any] = {
        "era": kind.partition("-")[0],
        "control": str(path),
        "record": str(record.path),
        "later": [[]],
        **settings,
    }
    if kind.endswith("http"):
        return http_server(**scenario), lambda server: {"url": server.url}, record
    return nullcontext(), lambda server: raw_server_entry(**scenario), record


def tools(servers: Running) -> int:
    """Return the number of tools listed last."""
    return len(servers.events.lists[-1][1].tools)


async def stream_requested(kind: str, record: Record) -> None:
    """Wait until the server has received the request for the stream of notifications."""
    async with asyncio.timeout(20):
        while not (record.events("GET") if KINDS[kind] == "GET" else record.received(KINDS[kind])):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_change_before_the_stream_is_open_is_read_once_it_is(home: Home, tmp_path: Path, kind: str) -> None:
    """Ready does not wait for a slow stream; the change is announced to no stream and read all the same."""
    path = tmp_path / "control"
    server, entry_of, record = started(kind, path, holdStreams=True)

    async def work() -> None:
        with server as found:
            async with running(home, {"a": entry_of(found)}) as servers:
                await servers.ready("a")
                await stream_requested(kind, record)
                assert tools(servers)
                control(path, "change", "release")
                await servers.events.until(lambda: tools(servers) == 0)

    run(work())


@pytest.mark.parametrize("kind", KINDS)
def test_lists_are_read_once_where_the_stream_opens_in_time(home: Home, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "control"
    server, entry_of, record = started(kind, path)

    async def work() -> None:
        with server as found:
            timeouts = replace(QUICK, connection=ConnectionTimeouts(stream_open=20.0))  # in time on a busy machine too
            async with running(home, {"a": entry_of(found)}, timeouts=timeouts) as servers:
                await servers.ready("a")
                control(path, "change")
                await servers.events.until(lambda: tools(servers) == 0)

    run(work())
    assert len(record.received("tools/list")) == 2


def test_stream_that_is_refused_for_a_while_is_opened_later(home: Home, tmp_path: Path) -> None:
    """A server may take the stream before for alive (409), or be away behind its gateway (503)."""
    path = tmp_path / "control"
    server, entry_of, record = started("handshake-http", path, http={"refuseGets": [409, 503]})

    async def work() -> None:
        with server as found:
            async with running(home, {"a": entry_of(found)}) as servers:
                await servers.ready("a")
                await asyncio.to_thread(record.wait_for, "GET", 3)
                await servers.events.until(lambda: len(servers.events.lists) == 2)
                control(path, "change")
                await servers.events.until(lambda: tools(servers) == 0)

    run(work())


@pytest.mark.parametrize("kind", ["modern-http", "modern-stdio"])
def test_change_before_a_stream_that_is_never_acknowledged_is_read(home: Home, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "control"
    server, entry_of, record = started(kind, path, holdStreams=True, acknowledge=False)

    async def work() -> None:
        with server as found:
            async with running(home, {"a": entry_of(found)}) as servers:
                await servers.ready("a")
                await stream_requested(kind, record)
                control(path, "change", "release")
                await servers.events.until(lambda: tools(servers) == 0)

    run(work())
