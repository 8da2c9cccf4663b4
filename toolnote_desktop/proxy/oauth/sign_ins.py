"""Everybody's sign-ins: one for each server, and the ones that a person is in the middle of."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.events import SignInProgress, SignInStage
from toolnote_desktop.proxy.oauth.flow import PATIENCE, sign_in
from toolnote_desktop.proxy.oauth.token_requests import SignInTrouble, revoke
from toolnote_desktop.proxy.oauth.token_source import SIGN_IN_RECORD, TokenSource
from toolnote_desktop.proxy.urls import gives_authorization
from toolnote_desktop.store.secrets.store import SecretStore

log = logging.getLogger(__name__)

_REVOKING: Final = 5.0
"""Seconds that a server is given to hear that somebody signs out."""

Expanded = Callable[[], Awaitable[Server]]
"""A server's entry with all its places filled; raises ToolnoteError where one has no value."""


class SignIns:
    """For one loop.

    Args:
        wants_more: told a server and the scopes that a token of it lacks.
    """

    def __init__(self, store: SecretStore, wants_more: Callable[[str, str], None] = lambda server, scope: None) -> None:
        self._store = store
        self._wants_more = wants_more
        self._of: dict[str, TokenSource] = {}
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._urls: dict[str, str] = {}
        self.patience = PATIENCE

    async def of(self, server: str, entry: Server) -> TokenSource | None:
        """The sign-in that an HTTP server's connections use; None where its (expanded) entry says who we are.

        Raises:
            ToolnoteError: the keychain has trouble with one that is there.
        """
        url = entry.url or ""
        if gives_authorization(url, entry.headers):
            return None
        found = self._of.get(server)
        if found is None or found.url != url:
            found = self._of[server] = TokenSource(server, url, self._store)
            found.wants_more = lambda scope: self._wants_more(server, scope)
        await found.load()
        return found

    def look_again(self, server: str) -> None:
        """Another process has signed in to it, or out."""
        if server in self._of:
            self._of[server].look_again()

    # -- what a person does -------------------------------------------------------------------------------------------

    def begin(
        self, server: str, expanded: Expanded, tell: Callable[[SignInProgress], None], done: Callable[[], None]
    ) -> None:
        """Sign in; ``tell`` hears of every stage, ``done`` is called once somebody is signed in.

        One that is under way goes on, and its address is told once more: the browser's page may have been closed.
        """
        if server in self._under_way:
            if server in self._urls:
                tell(SignInProgress(server, SignInStage.IN_BROWSER, self._urls[server]))
            return
        task = asyncio.ensure_future(self._sign_in(server, expanded, tell, done))
        self._under_way[server] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self, server: str) -> None:
        """Nobody waits for the browser any more."""
        task = self._under_way.pop(server, None)
        self._urls.pop(server, None)
        if task is not None:
            task.cancel()

    def _end(self, server: str) -> None:
        """Over: before that is told, so that whoever hears it can begin anew."""
        if self._under_way.get(server) is asyncio.current_task():
            del self._under_way[server]
            self._urls.pop(server, None)

    async def _sign_in(
        self, server: str, expanded: Expanded, tell: Callable[[SignInProgress], None], done: Callable[[], None]
    ) -> None:
        tell(SignInProgress(server, SignInStage.BEGUN))

        def in_browser(url: str) -> None:
            self._urls[server] = url
            tell(SignInProgress(server, SignInStage.IN_BROWSER, url))

        try:
            entry = await expanded()
            known = await self.of(server, entry)
            if known is None:
                raise ToolnoteError(Code.AUTHORIZATION_REFUSED, server=server)
            options = entry.toolnote.sign_in
            record = await sign_in(server, known.url, known.challenge, known.record, options, in_browser, self.patience)
            await known.take(record)
        except asyncio.CancelledError:
            self._end(server)
            tell(SignInProgress(server, SignInStage.CANCELLED))
            raise
        except ToolnoteError as error:
            log.warning("signing in to server %r: %s", server, error.problem.code)
            self._end(server)
            tell(SignInProgress(server, SignInStage.FAILED, problem=error.problem))
        except Exception as error:  # the supervising boundary: it is told, and nothing else ends with it
            log.exception("signing in to server %r failed", server)
            problem = Problem(Code.SIGN_IN_FAILED, {"server": server, "reason": type(error).__name__})
            self._end(server)
            tell(SignInProgress(server, SignInStage.FAILED, problem=problem))
        else:
            self._end(server)
            tell(SignInProgress(server, SignInStage.DONE))
            done()

    async def sign_out(self, server: str) -> None:
        """Tell the server, if it can be told, and forget everything of the sign-in.

        Raises:
            ToolnoteError: the keychain has trouble.
        """
        known = self._of.pop(server, None)
        record = known.record if known is not None else None
        if record is not None:
            try:
                async with asyncio.timeout(_REVOKING):
                    await revoke(record)
            except (SignInTrouble, TimeoutError):
                log.info("server %r could not be told of signing out", server)
        await self._store.delete(server, SIGN_IN_RECORD)

    async def close(self) -> None:
        """Nobody is in the middle of a sign-in any more."""
        await cancel_all(list(self._tasks))
