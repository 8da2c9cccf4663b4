"""``toolnote serve``: the proxy with no window, nothing of Qt imported (docs/contract.md 4)."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator

from toolnote_desktop.error_messages import english
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import EndpointFailed, ProxyEvent
from toolnote_desktop.proxy.thread import ProxyThread
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.store.secrets.removed_servers import RemovedServers
from toolnote_desktop.store.secrets.store import SecretStore

TOKEN_VARIABLE = "TOOLNOTE_TOKEN"

MANY_TOOLS = 100
"""So many that are new at once are not looked through for garbage again: it takes 60 ms for 2,000."""

FORGET_SECONDS = 0.5
STOP_SECONDS = 3.0
SAVE_SECONDS = 1.0
"""How long the keychain may take to forget what was removed, the proxy to end everything, and the last changes to be
written: together less than five."""


def run(home: Home, *, port: int | None, toolset: str | None, demo: bool) -> int:
    """Serve until SIGINT or SIGTERM; the exit status.

    Prints one JSON line on stdout when the proxy answers. The token is new for each run unless ``TOOLNOTE_TOKEN``
    gives it.

    Raises:
        ToolnoteError: ``home-owned``, where another Toolnote has this home.
    """
    ended = threading.Event()
    failures: list[Problem] = []

    def listen(event: ProxyEvent) -> None:
        if isinstance(event, EndpointFailed):
            failures.append(event.problem)
            ended.set()

    with _ended_by_signals(ended):
        owner = HomeOwner.acquire(home, "serve")
        try:
            library = Library.open(home)
            try:
                if demo:
                    from toolnote_desktop.demo.adding import add_demo

                    add_demo(library)
                if toolset is not None and toolset not in library.snapshot.toolsets:
                    _say(Problem(Code.TOOLSET_NOT_FOUND, {"name": toolset}))
                for problem in library.snapshot.problems:
                    _say(problem)
                secrets = SecretStore.of(library)
                removed = RemovedServers(library, secrets)
                unsubscribe = library.subscribe(_SignInsWanted().note)
                library.subscribe(_keep_many_tools)
                thread = ProxyThread(
                    library,
                    home,
                    secrets=secrets,
                    owner=owner,
                    port=port,
                    toolset=toolset,
                    token=os.environ.get(TOKEN_VARIABLE) or None,
                    listener=listen,
                )
                thread.ready.add_done_callback(lambda _: _print_ready(thread, ended))
                thread.start()
                try:
                    ended.wait()
                finally:
                    unsubscribe()
                    removed.close(FORGET_SECONDS)
                    thread.stop(STOP_SECONDS)
            finally:
                library.close(SAVE_SECONDS)
        finally:
            owner.release()
    for problem in failures:
        _say(problem)
    return 1 if failures else 0


def _print_ready(thread: ProxyThread, ended: threading.Event) -> None:
    # A signal during start-up ends the run at once, so the line is printed by whoever is ready, and nobody waits.
    if thread.ready.cancelled() or thread.ready.exception() is not None or ended.is_set():
        return  # the listener has the problem
    gc.freeze()  # what is imported by now stays for good: looking through it takes 20 ms each time
    endpoint = thread.ready.result()
    if endpoint.problem is not None:
        _say(endpoint.problem)
    line = {"event": "ready", "url": endpoint.url, "token": endpoint.token, "pid": os.getpid()}
    sys.stdout.write(json_text.dumps(line).decode("utf-8") + "\n")
    sys.stdout.flush()


@contextlib.contextmanager
def _ended_by_signals(ended: threading.Event) -> Iterator[None]:
    def end(number: int, frame: object) -> None:
        del number, frame
        ended.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _keep_many_tools(change: Change) -> None:
    """Many tools that are new at once stay for good too, as what is imported does."""
    before = change.previous.catalogue.servers
    if change.snapshot.catalogue.servers is before:
        return
    for server, listing in change.snapshot.catalogue.servers.items():
        known = before[server].tools if server in before else ()
        if listing.tools is not known and len(set(listing.tools) - set(known)) >= MANY_TOOLS:
            # Rings that wait to be found now would stay as well. The youngest are looked through in half a millisecond;
            # all of it takes 90, and found none (docs/speed.md).
            gc.collect(0)
            gc.freeze()
            return


class _SignInsWanted:
    """Says once of each server that somebody has to sign in to it: there is no window to see it in."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def note(self, change: Change) -> None:
        """A change of the library, in whichever thread made it."""
        if change.snapshot.catalogue is change.previous.catalogue:
            return
        for server, listing in change.snapshot.catalogue.servers.items():
            state = listing.status.state
            if state is ServerState.READY:
                self._said.discard(server)
            elif state is ServerState.NEEDS_SIGN_IN and server not in self._said and listing.status.problem is not None:
                self._said.add(server)
                _say(listing.status.problem)


def _say(problem: Problem) -> None:
    sys.stderr.write(f"toolnote: {english(problem)}\n")
    sys.stderr.flush()
