"""Requests to the servers where one signs in: bounded, never redirected with secrets in them, never in the clear."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from toolnote_desktop.http_body import BodyTooLong, read_body
from toolnote_desktop.proxy.oauth.record import SignInRecord
from toolnote_desktop.proxy.urls import is_loopback

if TYPE_CHECKING:
    import httpx2

SECONDS: Final = 15.0
LONGEST: Final = 1024 * 1024
"""Bytes of an answer."""

_DROPPED: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class SignInTrouble(Exception):  # noqa: N818 - said to a person
    """A server where one signs in does not do as it should; the text says what, with no secret in it."""


def is_safe(url: str, server_url: str) -> bool:
    """Whether secrets may be sent to ``url``: over TLS, to this machine, or where the server itself is in the clear."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and (is_loopback(parts.hostname) or urlsplit(server_url).scheme == "http")


async def exchange(request: httpx2.Request) -> httpx2.Response:
    """Send one request of a sign-in; the answer is read to its end.

    Raises:
        SignInTrouble: there is no answer, or a too long one.
    """
    import httpx2

    host = request.url.host
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx2.AsyncClient(
                verify=request.url.scheme == "https", trust_env=not is_loopback(host), follow_redirects=False
            ) as client,
        ):
            response = await client.send(request, stream=True)
            try:
                body = await read_body(response, LONGEST)
            finally:
                await response.aclose()
    except BodyTooLong:
        raise SignInTrouble(f"{host} sends too much") from None
    except TimeoutError:
        raise SignInTrouble(f"{host} does not answer") from None
    except httpx2.TransportError as error:
        raise SignInTrouble(f"{host} cannot be reached ({type(error).__name__})") from None
    headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _DROPPED]
    whole = httpx2.Response(response.status_code, headers=headers, content=body, request=request)
    whole.next_request = response.next_request
    return whole


class TokenRefused(Exception):  # noqa: N818
    """A token is good for nothing any more: somebody has to sign in."""


async def renewed(record: SignInRecord) -> SignInRecord:
    """Have the tokens of a record renewed (RFC 6749, 6; RFC 8707).

    Raises:
        TokenRefused: the refresh token is not taken, or there is none.
        SignInTrouble: it could not be asked, and may be later.
    """
    import httpx2
    from mcp.shared.auth import OAuthToken

    if not record.refresh_token or not is_safe(record.token_endpoint, record.url):
        raise TokenRefused
    data = {"grant_type": "refresh_token", "refresh_token": record.refresh_token}
    if record.resource:
        data["resource"] = record.resource
    form, headers = _authenticated(record, data)
    request = httpx2.Request("POST", record.token_endpoint, data=form, headers=headers)
    response = await exchange(request)
    if response.status_code in (400, 401, 403):
        raise TokenRefused
    if response.status_code != 200:
        raise SignInTrouble(f"{request.url.host} answers HTTP {response.status_code}")
    try:
        token = OAuthToken.model_validate_json(response.content)
    except ValueError:
        raise SignInTrouble(f"{request.url.host} answers with no token") from None
    return record.with_tokens(token.access_token, token.refresh_token, token.scope, token.expires_in)


async def revoke(record: SignInRecord) -> None:
    """Tell the server that the tokens are not used any more (RFC 7009).

    Raises:
        SignInTrouble: it could not be told.
    """
    import httpx2

    token = record.refresh_token or record.access_token
    if not token or not record.revocation_endpoint or not is_safe(record.revocation_endpoint, record.url):
        return
    kind = "refresh_token" if record.refresh_token else "access_token"
    data = {"token": token, "token_type_hint": kind}
    form, headers = _authenticated(record, data)
    await exchange(httpx2.Request("POST", record.revocation_endpoint, data=form, headers=headers))


def _authenticated(record: SignInRecord, data: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """A form with who we are, in the way that we are registered for, as the SDK does it (RFC 6749, 2.3.1)."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    form = {**data, "client_id": str(record.client.get("client_id", ""))}
    secret, method = record.client.get("client_secret"), record.client.get("token_endpoint_auth_method")
    if secret and method == "client_secret_basic":
        pair = f"{quote(form['client_id'], safe='')}:{quote(secret, safe='')}"
        headers["authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    elif secret and method == "client_secret_post":
        form["client_secret"] = str(secret)
    return form, headers
