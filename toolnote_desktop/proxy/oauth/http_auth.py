"""Authorization of HTTP requests with a server's token. Imported late, because it imports ``httpx2``."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2

from toolnote_desktop.proxy.oauth.token_source import Challenge, TokenSource
from toolnote_desktop.proxy.oauth.tokens import SignInError

_HEADER = "authorization"


class TokenAuth(httpx2.Auth):
    """Send the token; after a 401 repeat the request once with a refreshed one."""

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
                token = await self._sign_in.refresh_after_401(token)
                if token is not None:
                    request.headers[_HEADER] = f"Bearer {token}"
                    response = yield request
                    if response.status_code == 401:
                        self._sign_in.mark_rejected(token)
        except SignInError as error:
            raise httpx2.ConnectError(f"its token could not be refreshed: {error}", request=request) from None
        challenge = Challenge.of(response)
        if challenge is not None:
            self._sign_in.record_challenge(challenge)
