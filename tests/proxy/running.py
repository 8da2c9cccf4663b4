"""A real proxy in its thread, on a library of its own, in front of real servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.proxy.live import ModernClient
from tests.proxy.raw_client import RawClient
from tests.servers.launch import raw_server_entry
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER, Home
from toolnote_desktop.proxy.events import Endpoint, ProxyEvent
from toolnote_desktop.proxy.thread import ProxyThread
from toolnote_desktop.store.library import Library

TOOLSET = "work"


def raw_server(**scenario: Any) -> dict[str, Any]:
    """A ``servers.json`` entry for the raw server whose new tools join the toolset ``work``."""
    options = scenario.pop("toolnote", {"toolset": TOOLSET})
    return {**raw_server_entry(**scenario), "toolnote": options}


class Running:
    """What a test holds of a running proxy."""

    def __init__(self, library: Library, thread: ProxyThread, events: list[ProxyEvent]) -> None:
        self.library = library
        self.thread = thread
        self.events = events
        self.endpoint: Endpoint = thread.ready.result(30)

    def client(self, **options: Any) -> RawClient:
        """A client of the run's own token, not yet initialized."""
        return RawClient(self.endpoint.url, self.endpoint.token, **options)

    def bridge(self, client: str, toolset: str | None = None) -> RawClient:
        """A client as a bridge signs it in."""
        headers = {CLIENT_HEADER: client} | ({TOOLSET_HEADER: toolset} if toolset else {})
        return RawClient(self.endpoint.url, self.endpoint.bridge_secret, **headers)

    def wait(self, condition: Callable[[Snapshot], bool], timeout: float = 30) -> Snapshot:
        """Wait until the library's snapshot is so."""
        changed = threading.Event()
        unsubscribe = self.library.subscribe(lambda change: changed.set())
        try:
            while not condition(snapshot := self.library.snapshot):
                changed.clear()
                if not condition(self.library.snapshot):
                    assert changed.wait(timeout), f"never so: {snapshot.catalogue.servers}"
            return snapshot
        finally:
            unsubscribe()

    def wait_ready(self, *servers: str) -> Snapshot:
        """Wait until these servers are ready."""
        return self.wait(lambda s: all(_is_ready(s, name) for name in servers))


def _is_ready(snapshot: Snapshot, server: str) -> bool:
    listing = snapshot.catalogue.servers.get(server)  # a server that was just added may not be known yet
    return listing is not None and listing.status.state is ServerState.READY


def handshake_client(proxy: Running, **capabilities: Any) -> RawClient:
    """A client of the handshake era, initialized with the run's own token."""
    client = proxy.client()
    client.initialize(capabilities=capabilities)
    return client


def modern_client(proxy: Running, **capabilities: Any) -> ModernClient:
    """A client of the modern era with the run's own token."""
    return ModernClient(proxy.endpoint.url, proxy.endpoint.token, capabilities)


def said(result: Any) -> str:
    """The text of a tool's result."""
    return str(result["content"][0]["text"])


@contextmanager
def running(
    home: Home,
    servers: dict[str, dict[str, Any]],
    *,
    toolset: dict[str, Any] | None = None,
    ready: bool = True,
    of_the_run: str | None = None,
    has_window: bool = False,
) -> Iterator[Running]:
    """A proxy with these servers and the toolset ``work`` in use; ``of_the_run`` is what ``serve --toolset`` says."""
    with _opened(home) as library:
        content = {"name": TOOLSET, "title": "Work", "tools": [], "toolNotes": [], **(toolset or {})}
        library.submit(
            CreateDocument(toolset_document(TOOLSET), content),
            SetFields(SETTINGS, {"equippedToolset": TOOLSET}),
            *(AddEntry(SERVERS, SERVER_ENTRIES, name, entry) for name, entry in servers.items()),
        )
        with _started(home, library, of_the_run, has_window=has_window) as proxy:
            if ready:
                proxy.wait_ready(*servers)
            yield proxy


@contextmanager
def restarted(home: Home) -> Iterator[Running]:
    """A proxy on what an earlier one left in this home."""
    with _opened(home) as library, _started(home, library) as proxy:
        yield proxy


@contextmanager
def _opened(home: Home) -> Iterator[Library]:
    library = Library.open(home)
    try:
        yield library
    finally:
        library.close()


@contextmanager
def _started(
    home: Home, library: Library, of_the_run: str | None = None, *, has_window: bool = False
) -> Iterator[Running]:
    events: list[ProxyEvent] = []
    thread = ProxyThread(library, home, port=0, toolset=of_the_run, listener=events.append, has_window=has_window)
    thread.start()
    try:
        yield Running(library, thread, events)
    finally:
        assert thread.stop(10)
