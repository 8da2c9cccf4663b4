"""``toolnote serve``: the proxy with no window, nothing of Qt imported (docs/contract.md 4)."""

from __future__ import annotations

import contextlib
import os
import sys

from toolnote_desktop import gc_policy
from toolnote_desktop.error_messages import english
from toolnote_desktop.exit_signals import StopRequest
from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escape_controls
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import EndpointFailed, ProxyEvent
from toolnote_desktop.proxy.thread import ProxyThread
from toolnote_desktop.publishing.keeper import PublicationKeeper
from toolnote_desktop.store.home_lock import HomeOwner
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.store.secrets.removed_servers import RemovedServers
from toolnote_desktop.store.secrets.store import SecretStore

TOKEN_VARIABLE = "TOOLNOTE_TOKEN"

FORGET_SECONDS = 0.5
KEEPER_SECONDS = 0.3
STOP_SECONDS = 3.0
SAVE_SECONDS = 1.0
"""Time limits for deleting removed secrets from the keychain, finishing a published file, stopping the proxy and
saving: together under 5 s.
"""


def run(home: Home, *, port: int | None, toolset: str | None, demo: bool) -> int:
    """Serve until SIGINT or SIGTERM; return the exit status.

    Print one JSON line on stdout when the proxy is ready. The token is new for each run unless ``TOOLNOTE_TOKEN`` is
    set.

    Raises:
        ToolnoteError: ``home-owned`` if another Toolnote uses this home; ``setting-invalid``.
    """
    token = _given_token()
    failures: list[Problem] = []

    with StopRequest() as stop:

        def listen(event: ProxyEvent) -> None:
            if isinstance(event, EndpointFailed):
                failures.append(event.problem)
                stop.set()

        owner = HomeOwner.acquire(home, "serve")
        try:
            library = Library.open(home)
            try:
                if demo:
                    from toolnote_desktop.demo.library import add_demo

                    add_demo(library)
                if toolset is not None and toolset not in library.snapshot.toolsets:
                    _print_problem(Problem(Code.TOOLSET_NOT_FOUND, {"name": toolset}))
                for problem in library.snapshot.problems:
                    _print_problem(problem)
                secrets = SecretStore.of(library)
                removed = RemovedServers(library, secrets)
                unsubscribe = library.subscribe(_SignInsWanted().note)
                thread = ProxyThread(
                    library,
                    home,
                    secrets=secrets,
                    owner=owner,
                    port=port,
                    toolset=toolset,
                    token=token,
                    listener=listen,
                )
                thread.ready.add_done_callback(lambda _: _print_ready(thread, stop))
                thread.start()
                keeper = PublicationKeeper(library)
                keeper.start()
                try:
                    stop.wait()
                finally:
                    unsubscribe()
                    library.stop_watching()
                    keeper.stop(KEEPER_SECONDS)
                    removed.close(FORGET_SECONDS)
                    thread.stop(STOP_SECONDS)
            finally:
                library.close(SAVE_SECONDS)
        finally:
            owner.release()
    for problem in failures:
        _print_problem(problem)
    return 1 if failures else 0


def _given_token() -> str | None:
    """Return the token that the environment gives, without the space around it, which a header loses."""
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token.isprintable():
        raise ToolnoteError(Code.SETTING_INVALID, setting=TOKEN_VARIABLE, reason="a header cannot contain it")
    return token or None


def _print_ready(thread: ProxyThread, stop: StopRequest) -> None:
    # Called by the thread that became ready: a signal during start-up ends the run at once, so no thread waits.
    if thread.ready.cancelled() or thread.ready.exception() is not None or stop.is_set():
        return  # reported by the listener
    gc_policy.start_after_startup()
    endpoint = thread.ready.result()
    if endpoint.problem is not None:
        _print_problem(endpoint.problem)
    line = {"event": "ready", "url": endpoint.url, "token": endpoint.token, "pid": os.getpid()}
    sys.stdout.write(json_text.dumps(line).decode("utf-8") + "\n")
    sys.stdout.flush()


class _SignInsWanted:
    """Prints once per server that a sign-in is needed: there is no window to show it in."""

    def __init__(self) -> None:
        self._reported: set[str] = set()

    def note(self, change: Change) -> None:
        """Check a change of the library; called in the thread that made it."""
        if change.snapshot.catalogue is change.previous.catalogue:
            return
        for server, listing in change.snapshot.catalogue.servers.items():
            state = listing.status.state
            if state is ServerState.READY:
                self._reported.discard(server)
            elif (
                state is ServerState.NEEDS_SIGN_IN
                and server not in self._reported
                and listing.status.problem is not None
            ):
                self._reported.add(server)
                _print_problem(listing.status.problem)


def _print_problem(problem: Problem) -> None:
    if sys.stderr is not None:  # closed by the caller
        with contextlib.suppress(OSError):  # its reader has gone
            print(f"toolnote: {escape_controls(english(problem))}", file=sys.stderr, flush=True)
