"""A server's token on each request to it. Imported with the first connection that needs it: it imports ``httpx2``."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2

from toolnote_desktop.proxy.oauth.challenge import Challenge
from toolnote_desktop.proxy.oauth.token_requests import SignInTrouble
from toolnote_desktop.proxy.oauth.token_source import TokenSource

_HEADER = "authorization"


class TokenAuth(httpx2.Auth):
    """Sends the token; where it is refused, the request goes out once more with a renewed one, and no more often."""

    def __init__(self, sign_in: TokenSource) -> None:
        self._sign_in = sign_in

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """See ``httpx2.Auth``."""
        try:
            token = await self._sign_in.token()
            if token is not None:
                request.headers[_HEADER] = f"Bearer {token}"
            response = yield request
            if response.status_code == 401:
                token = await self._sign_in.instead_of(token)
                if token is not None:
                    request.headers[_HEADER] = f"Bearer {token}"
                    response = yield request
                    if response.status_code == 401:
                        self._sign_in.refused_anew(token)
        except SignInTrouble as error:
            raise httpx2.ConnectError(f"its token could not be renewed: {error}", request=request) from None
        challenge = Challenge.of(response)
        if challenge is not None:
            self._sign_in.challenged(challenge)
