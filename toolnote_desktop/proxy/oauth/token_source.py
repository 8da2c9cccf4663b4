"""Access tokens for the connection to one server: stored, refreshed before they expire, replaced after a 401.

A token is refreshed once for all requests that wait for it. A request that is refused nevertheless is sent once more
with a refreshed token and never a third time: then the user has to sign in (case C32, C33).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.proxy.oauth.tokens import SignInError, SignInRecord, TokenRejected, refresh_tokens
from toolnote_desktop.proxy.urls import is_loopback
from toolnote_desktop.store.secrets.store import KEYCHAIN_PROBLEMS, SecretLocation, SecretStore
from toolnote_desktop.system.network_proxy import environment_proxy
from toolnote_desktop.system.threads import in_thread

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

SIGN_IN_RECORD: Final = "signed in"
"""Name of the record among a server's secrets; no ``${secret:NAME}`` can contain a space."""


_INSUFFICIENT: Final = re.compile(r'error="?insufficient_scope\b')
_SCOPE: Final = re.compile(r'\bscope=(?:"([^"]*)"|([^\s,]+))')


class Challenge(Struct, frozen=True):
    """HTTP 401, or 403 with ``insufficient_scope`` (RFC 6750, 3); ``header`` is its ``WWW-Authenticate``.

    Attributes:
        peers: the address that sent it; empty behind a proxy.
    """

    status: int
    header: str | None = None
    peers: tuple[str, ...] = ()

    @classmethod
    def of(cls, response: httpx2.Response) -> Challenge | None:
        """Return the challenge in a response, or None."""
        header = response.headers.get("www-authenticate")
        on_insufficient_scope = response.status_code == 403 and bool(_INSUFFICIENT.search(header or ""))
        if response.status_code != 401 and not on_insufficient_scope:
            return None
        return cls(response.status_code, header, _peers(response))

    @property
    def scope(self) -> str:
        """Scopes that it names, separated by spaces; "" if it names none."""
        found = _SCOPE.search(self.header or "")
        return (found.group(1) or found.group(2) or "") if found else ""


def _peers(response: httpx2.Response) -> tuple[str, ...]:
    stream, url = response.extensions.get("network_stream"), response.request.url
    if stream is None or (not is_loopback(url.host) and environment_proxy(str(url)) is not None):
        return ()
    with contextlib.suppress(OSError):  # closed meanwhile
        if (address := stream.get_extra_info("server_addr")) is not None:
            return (str(address[0]),)
    return ()


class TokenSource:
    """Sign-in to the server at ``url``, for use on one event loop.

    Attributes:
        challenge: latest challenge of the server; None after a sign-in.
        on_insufficient_scope: called with the scopes that the granted token lacks.
    """

    def __init__(self, server: str, url: str, store: SecretStore) -> None:
        self.server = server
        self.url = url
        self.challenge: Challenge | None = None
        self.on_insufficient_scope: Callable[[str], None] = lambda scope: None
        self._store = store
        self._record: SignInRecord | None = None
        self._loaded = False
        self._refused: str | None = None
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def record(self) -> SignInRecord | None:
        """Record as loaded so far."""
        return self._record

    async def load(self) -> None:
        """Load the record, if there is one. The keychain is only read if it is known to hold one.

        Raises:
            ToolnoteError: the keychain has trouble.
        """
        if not self._loaded:
            try:
                self._record = await self._stored()
            except ToolnoteError as error:
                parameters = {**error.problem.parameters, "field": "sign-in"}
                raise ToolnoteError(error.problem.code, **parameters) from None
            self._loaded = True

    def invalidate(self) -> None:
        """Load the record anew before its next use: another process may have changed it."""
        self._loaded = False
        self._refused = None

    async def store(
        self, record: SignInRecord, place: SecretLocation | None = None, *, by_user: bool = True
    ) -> SecretLocation:
        """Use ``record`` from now on and store it.

        ``by_user``: the user signs in now and may be asked to unlock the keychain; a token is renewed without that.
        Without a keychain it is stored where it was or where the user chose to store secrets, else for this run only.

        Returns:
            The location it is stored at.
        """
        self._record, self._loaded, self._refused = record, True, None
        self.challenge = None
        if place is None:
            names = await in_thread(self._store.names, self.server)
            place = SecretLocation.FILE if names.get(SIGN_IN_RECORD) is SecretLocation.FILE else None
        write, text = self._store.write, record.to_json()
        try:
            return await in_thread(write, self.server, SIGN_IN_RECORD, text, place=place, may_prompt=by_user)
        except ToolnoteError as error:
            if error.problem.code not in KEYCHAIN_PROBLEMS:
                log.warning("the sign-in to server %r could not be stored: %s", self.server, error.problem.code)
            else:
                log.warning("the sign-in to server %r is stored for this run only: %s", self.server, error.problem.code)
            return await in_thread(write, self.server, SIGN_IN_RECORD, text, place=SecretLocation.RUN)

    # -- tokens for requests ------------------------------------------------------------------------------------------

    async def token(self) -> str | None:
        """Return the token to send now; None if the user is not signed in.

        Raises:
            SignInError: the token has expired and the authorization server cannot be reached.
        """
        record = self._record
        if record is None or not record.access_token:
            return None
        if record.expires_soon() and record.refresh_token:
            try:
                await self._refresh_once(record.access_token)
            except SignInError as error:
                if record.is_expired():
                    raise
                log.info("the token of server %r could not be refreshed in time: %s", self.server, error)
        return self._current()

    async def refresh_after_401(self, token: str | None) -> str | None:
        """Return another token after ``token`` was refused; None if the user has to sign in.

        Raises:
            SignInError: the authorization server cannot be reached.
        """
        if token is None or token == self._refused:
            return None
        if self._current() == token:
            await self._refresh_once(token)
        return self._current() if self._current() != token else None

    def mark_rejected(self, token: str) -> None:
        """Stop using a token that is refused although it was just refreshed."""
        self._refused = token

    def record_challenge(self, challenge: Challenge) -> None:
        """Record that the server demands a sign-in, or one with more scopes."""
        self.challenge = challenge
        if challenge.status == 403:
            self.on_insufficient_scope(challenge.scope)

    def _current(self) -> str | None:
        return self._record.access_token or None if self._record is not None else None

    async def _refresh_once(self, token: str) -> None:
        """Refresh the tokens, once for all requests that wait."""
        if self._refreshing is None:
            self._refreshing = asyncio.ensure_future(self._refresh(token))
            self._refreshing.add_done_callback(self._refresh_finished)
        await asyncio.shield(self._refreshing)

    def _refresh_finished(self, task: asyncio.Task[None]) -> None:
        self._refreshing = None
        if not task.cancelled():
            task.exception()  # raised in each waiting request, of which none may be left

    async def _refresh(self, token: str) -> None:
        """Raises SignInError."""
        stored = await self._stored_or_none()
        if stored is not None and stored.access_token not in ("", token) and not stored.expires_soon():
            self._record = stored  # another process was quicker, and a refresh token may be valid only once
            return
        record = self._record
        if record is None or record.access_token != token:
            return
        try:
            await self.store(await refresh_tokens(record), by_user=False)
        except TokenRejected:
            log.info("server %r: the sign-in has ended", self.server)
            await self.store(record.without_tokens(), by_user=False)

    async def _stored(self) -> SignInRecord | None:
        if SIGN_IN_RECORD not in await in_thread(self._store.names, self.server):
            return None
        text = await in_thread(self._store.read, self.server, SIGN_IN_RECORD)
        record = SignInRecord.from_json(text) if text is not None else None
        return record if record is not None and record.matches_url(self.url) else None

    async def _stored_or_none(self) -> SignInRecord | None:
        try:
            return await self._stored()
        except ToolnoteError:  # the record in memory is good enough
            return None
