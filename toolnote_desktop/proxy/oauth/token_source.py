"""One server's sign-in as its connection uses it: which token is sent, and what happens when it is refused.

A token is renewed before it ends, once for all requests that wait for it. A request that is refused in spite of it is
sent once more with a renewed token, never a third time: then somebody has to sign in (case C32, C33).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.proxy.oauth.challenge import Challenge
from toolnote_desktop.proxy.oauth.record import SignInRecord
from toolnote_desktop.proxy.oauth.token_requests import SignInTrouble, TokenRefused, renewed
from toolnote_desktop.store.secrets.store import KEYCHAIN_TROUBLE, SecretLocation, SecretStore

log = logging.getLogger(__name__)

SIGN_IN_RECORD: Final = "signed in"
"""The record's name among a server's secrets: no ``${secret:NAME}`` can have a space."""


class TokenSource:
    """What is known of the sign-in to the server at ``url``. For one loop."""

    def __init__(self, server: str, url: str, store: SecretStore) -> None:
        self.server = server
        self.url = url
        self.challenge: Challenge | None = None
        self.wants_more: Callable[[str], None] = lambda scope: None
        """Told the scopes that a granted token lacks."""
        self._store = store
        self._record: SignInRecord | None = None
        self._loaded = False
        self._refused: str | None = None
        self._renewing: asyncio.Task[None] | None = None

    @property
    def record(self) -> SignInRecord | None:
        """The record as far as it has been loaded."""
        return self._record

    async def load(self) -> None:
        """Read the record, if there is one. The keychain is asked only where it is known to hold one.

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

    def look_again(self) -> None:
        """The record may be another."""
        self._loaded = False
        self._refused = None

    async def take(self, record: SignInRecord, place: SecretLocation | None = None) -> SecretLocation:
        """Somebody has signed in, or out: use this from now on, and keep it.

        Where there is no keychain it is kept where it is, or as a person chose for secrets, else for this run.

        Returns:
            Where it is kept.
        """
        self._record, self._loaded, self._refused = record, True, None
        self.challenge = None
        if place is None and (await self._store.list(self.server)).get(SIGN_IN_RECORD) is SecretLocation.FILE:
            place = SecretLocation.FILE
        try:
            return await self._store.set(self.server, SIGN_IN_RECORD, record.text(), place=place)
        except ToolnoteError as error:
            if error.problem.code not in KEYCHAIN_TROUBLE:
                log.warning("the sign-in to server %r could not be kept: %s", self.server, error.problem.code)
            else:
                log.warning("the sign-in to server %r is kept for this run only: %s", self.server, error.problem.code)
            return await self._store.set(self.server, SIGN_IN_RECORD, record.text(), place=SecretLocation.RUN)

    # -- what a connection asks ---------------------------------------------------------------------------------------

    async def token(self) -> str | None:
        """The token to send now; None: nobody is signed in.

        Raises:
            SignInTrouble: the token has ended, and whoever renews it cannot be reached.
        """
        record = self._record
        if record is None or not record.access_token:
            return None
        if record.ends_soon() and record.refresh_token:
            try:
                await self._renewed(record.access_token)
            except SignInTrouble as error:
                if record.has_ended():
                    raise
                log.info("the token of server %r could not be renewed in time: %s", self.server, error)
        return self._current()

    async def instead_of(self, token: str | None) -> str | None:
        """Another token, where one was refused; None: there is none, and somebody has to sign in.

        Raises:
            SignInTrouble: whoever renews it cannot be reached.
        """
        if token is None or token == self._refused:
            return None
        if self._current() == token:
            await self._renewed(token)
        return self._current() if self._current() != token else None

    def refused_anew(self, token: str) -> None:
        """A token that was just renewed is refused too: it is not tried again."""
        self._refused = token

    def challenged(self, challenge: Challenge) -> None:
        """The server wants a sign-in, or a wider one."""
        self.challenge = challenge
        if challenge.status == 403:
            self.wants_more(challenge.scope)

    def _current(self) -> str | None:
        return self._record.access_token or None if self._record is not None else None

    async def _renewed(self, token: str) -> None:
        """Have the tokens renewed, once for everybody who waits."""
        if self._renewing is None:
            self._renewing = asyncio.ensure_future(self._renew(token))
            self._renewing.add_done_callback(self._renewal_ended)
        await asyncio.shield(self._renewing)

    def _renewal_ended(self, task: asyncio.Task[None]) -> None:
        self._renewing = None
        if not task.cancelled():
            task.exception()  # told to whoever waited, if somebody still did

    async def _renew(self, token: str) -> None:
        """Raises SignInTrouble."""
        stored = await self._stored_or_none()
        if stored is not None and stored.access_token not in ("", token) and not stored.ends_soon():
            self._record = stored  # another process was quicker: a refresh token may be good only once
            return
        record = self._record
        if record is None or record.access_token != token:
            return
        try:
            await self.take(await renewed(record))
        except TokenRefused:
            log.info("server %r: the sign-in has ended", self.server)
            await self.take(record.signed_out())

    async def _stored(self) -> SignInRecord | None:
        if SIGN_IN_RECORD not in await self._store.list(self.server):
            return None
        text = await self._store.get(self.server, SIGN_IN_RECORD)
        record = SignInRecord.read(text) if text is not None else None
        return record if record is not None and record.is_for(self.url) else None

    async def _stored_or_none(self) -> SignInRecord | None:
        try:
            return await self._stored()
        except ToolnoteError:  # what is in memory is good enough
            return None
