"""Sign-ins to all servers: one token source for each, and the sign-in flows in progress."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from toolnote_desktop.model.problem import UNEXPECTED, Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.events import SignInProgress, SignInStage
from toolnote_desktop.proxy.oauth.flow import BROWSER_TIMEOUT, sign_in
from toolnote_desktop.proxy.oauth.token_source import SIGN_IN_RECORD, TokenSource
from toolnote_desktop.proxy.oauth.tokens import SignInError, revoke
from toolnote_desktop.proxy.urls import gives_authorization
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system.threads import in_thread

log = logging.getLogger(__name__)

_REVOKE_TIMEOUT: Final = 5.0
"""Seconds for the revocation request when the user signs out."""

Expanded = Callable[[], Awaitable[Server]]
"""Return a server's entry with all variables expanded; raises ToolnoteError if one has no value."""


class SignIns:
    """Sign-ins of all servers, for use on one event loop.

    Args:
        on_insufficient_scope: called with a server and the scopes that its token lacks.
    """

    def __init__(
        self, store: SecretStore, on_insufficient_scope: Callable[[str, str], None] = lambda server, scope: None
    ) -> None:
        self._store = store
        self._report_insufficient_scope = on_insufficient_scope
        self._sources: dict[str, TokenSource] = {}
        self._flows: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._urls: dict[str, str] = {}
        self.browser_timeout = BROWSER_TIMEOUT

    async def token_source(self, server: str, entry: Server) -> TokenSource | None:
        """Return the loaded token source of an HTTP server; None if its expanded entry carries credentials itself.

        Raises:
            ToolnoteError: the keychain cannot be read.
        """
        url = entry.url or ""
        if gives_authorization(url, entry.headers):
            return None
        found = self._sources.get(server)
        if found is None or found.url != url:
            found = self._sources[server] = TokenSource(server, url, self._store)
            found.on_insufficient_scope = lambda scope: self._report_insufficient_scope(server, scope)
        await found.load()
        return found

    def invalidate(self, server: str) -> None:
        """Load the server's record anew: another process has signed in or out."""
        if server in self._sources:
            self._sources[server].invalidate()

    # -- sign-in flows ------------------------------------------------------------------------------------------------

    def start(
        self, server: str, expanded: Expanded, report: Callable[[SignInProgress], None], done: Callable[[], None]
    ) -> None:
        """Start a sign-in; ``report`` is called at each stage, ``done`` after success.

        If one is in progress, it continues and its URL is reported again: the user may have closed the browser's page.
        """
        if server in self._flows:
            if server in self._urls:
                report(SignInProgress(server, SignInStage.IN_BROWSER, self._urls[server]))
            return
        task = asyncio.ensure_future(self._sign_in(server, expanded, report, done))
        self._flows[server] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self, server: str) -> None:
        """Cancel a sign-in in progress."""
        task = self._flows.pop(server, None)
        self._urls.pop(server, None)
        if task is not None:
            task.cancel()

    def _forget(self, server: str) -> None:
        """Forget the flow before its end is reported, so that a new one can be started in response."""
        if self._flows.get(server) is asyncio.current_task():
            del self._flows[server]
            self._urls.pop(server, None)

    async def _sign_in(
        self, server: str, expanded: Expanded, report: Callable[[SignInProgress], None], done: Callable[[], None]
    ) -> None:
        report(SignInProgress(server, SignInStage.BEGUN))

        def in_browser(url: str) -> None:
            self._urls[server] = url
            report(SignInProgress(server, SignInStage.IN_BROWSER, url))

        try:
            entry = await expanded()
            source = await self.token_source(server, entry)
            if source is None:
                raise ToolnoteError(Code.AUTHORIZATION_REFUSED, server=server)
            options = entry.toolnote.sign_in
            record = await sign_in(
                server, source.url, source.challenge, source.record, options, in_browser, self.browser_timeout
            )
            await source.store(record)
        except asyncio.CancelledError:
            self._forget(server)
            report(SignInProgress(server, SignInStage.CANCELLED))
            raise
        except ToolnoteError as error:
            log.warning("signing in to server %r: %s", server, error.problem.code)
            self._forget(server)
            report(SignInProgress(server, SignInStage.FAILED, problem=error.problem))
        except Exception:  # the supervising boundary: the failure is reported and affects nothing else
            log.exception("signing in to server %r failed", server)
            problem = Problem(Code.SIGN_IN_FAILED, {"server": server, "reason": UNEXPECTED})
            self._forget(server)
            report(SignInProgress(server, SignInStage.FAILED, problem=problem))
        else:
            self._forget(server)
            report(SignInProgress(server, SignInStage.DONE))
            done()

    async def sign_out(self, server: str) -> None:
        """Revoke the tokens, if the server can be reached, and delete the record.

        Raises:
            ToolnoteError: the keychain cannot be changed.
        """
        source = self._sources.pop(server, None)
        record = source.record if source is not None else None
        if record is not None:
            try:
                async with asyncio.timeout(_REVOKE_TIMEOUT):
                    await revoke(record)
            except (SignInError, TimeoutError):
                log.info("the tokens of server %r could not be revoked", server)
        await in_thread(self._store.remove, server, SIGN_IN_RECORD)

    async def close(self) -> None:
        """Cancel all sign-ins in progress."""
        await cancel_all(list(self._tasks))
