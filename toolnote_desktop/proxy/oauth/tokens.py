"""Tokens of a sign-in: the record in the keychain, and the requests that refresh and revoke it.

Requests are bounded, never follow a redirect and never carry a secret in the clear.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import quote

from msgspec import field
from msgspec.structs import asdict, replace

from toolnote_desktop.http_body import BodyTooLong, failure_text, read_body
from toolnote_desktop.log import hide_tokens
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.proxy.aio.worker_thread import import_in_thread
from toolnote_desktop.proxy.urls import is_loopback
from toolnote_desktop.system.network_proxy import proxy_problem

if TYPE_CHECKING:
    import httpx2

REQUEST_TIMEOUT: Final = 15.0
BODY_LIMIT: Final = 1024 * 1024
"""Bytes of a response."""

REFRESH_MARGIN: Final = 60.0
"""Seconds before its expiry at which a token is refreshed; a fifth of its lifetime if that is less."""


_MAX_HOST: Final = 100
_DROPPED_HEADERS: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class SignInRecord(SecretStruct, frozen=True):
    """Sign-in of one server, stored as JSON.

    Attributes:
        url: server that it was made for; its tokens are sent nowhere else.
        access_token: "" if the user is signed out and only the registration is left.
        expires_at: seconds since the epoch; None if the server did not state it.
        lifetime: seconds between the issue of the token and its expiry.
        client: client registration: ``client_id``, and perhaps a secret and its authentication method.
        redirect_port: port of the registered redirect URI.
        peers: addresses at which the server answered: only what is as public as they are is requested in its name.
    """

    secret_fields: ClassVar = frozenset({"access_token", "refresh_token", "client"})

    url: str
    access_token: str = ""
    refresh_token: str | None = None
    scope: str | None = None
    expires_at: float | None = None
    lifetime: float | None = None
    token_endpoint: str = ""
    revocation_endpoint: str | None = None
    resource: str | None = None
    client: Mapping[str, Any] = field(default_factory=dict)
    redirect_port: int = 0
    peers: Sequence[str] = ()

    @classmethod
    def from_json(cls, text: str) -> SignInRecord | None:
        """Parse a stored record; None if ``text`` is not one."""
        try:
            raw = json.loads(text)
            record = cls(**{name: raw[name] for name in cls.__struct_fields__ if name in raw})
        except (ValueError, TypeError):
            return None
        record.hide_secrets()
        return record

    def to_json(self) -> str:
        """Return the record as it is stored."""
        return json.dumps({key: value for key, value in asdict(self).items() if value is not None})

    def hide_secrets(self) -> None:
        """Redact its secrets in all logs from now on."""
        secrets = (self.access_token, self.refresh_token, self.client.get("client_secret"))
        hide_tokens(secret for secret in secrets if secret)

    def matches_url(self, url: str) -> bool:
        """Return True if this is a sign-in to the server at ``url``, ignoring the query."""
        one, other = split_url(self.url), split_url(url)
        return (one.scheme, one.netloc.lower(), one.path) == (other.scheme, other.netloc.lower(), other.path)

    def expires_soon(self) -> bool:
        """Return True if the token should be refreshed before its next use."""
        if self.expires_at is None:
            return False
        return time.time() >= self.expires_at - min(REFRESH_MARGIN, (self.lifetime or REFRESH_MARGIN * 5) / 5)

    def is_expired(self) -> bool:
        """Return True if the token has certainly expired."""
        return self.expires_at is not None and time.time() >= self.expires_at

    def with_tokens(self, access: str, refresh: str | None, scope: str | None, lifetime: float | None) -> SignInRecord:
        """Return a copy with newer tokens; members that the response leaves out stay as they were (RFC 6749, 6)."""
        expires_at = time.time() + lifetime if lifetime is not None else None
        newer = replace(
            self,
            access_token=access,
            refresh_token=refresh or self.refresh_token,
            scope=scope or self.scope,
            lifetime=lifetime,
            expires_at=expires_at,
        )
        newer.hide_secrets()
        return newer

    def without_tokens(self) -> SignInRecord:
        """Return a copy with the registration only."""
        return replace(self, access_token="", refresh_token=None, expires_at=None, lifetime=None)


class SignInError(Exception):
    """An authorization server misbehaves; the text says how, in English and without secrets."""


def may_send_secrets(url: str, server_url: str) -> bool:
    """Return True if secrets may be sent to ``url``: over TLS, to this machine, or if the server itself uses http."""
    try:
        parts = split_url(url)
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and (is_loopback(parts.hostname) or split_url(server_url).scheme == "http")


async def send_request(request: httpx2.Request, server_url: str, peers: list[str] | None = None) -> httpx2.Response:
    """Send a request to an authorization server that the server at ``server_url`` named; return the whole response.

    Args:
        peers: addresses at which the server answered before; one at which it answers now is appended.

    Raises:
        SignInError: no response, or a body of more than ``BODY_LIMIT`` bytes.
    """
    import httpx2

    from toolnote_desktop.proxy.oauth.checked_addresses import AddressRefused, checked_transport, reachable_from

    host, url = request.url.host[:_MAX_HOST], str(request.url)
    if not is_loopback(host) and (reason := proxy_problem(url)) is not None:
        raise SignInError(reason)
    known = [] if peers is None else peers
    is_own = host == split_url(server_url).hostname
    try:
        allowed = await reachable_from(server_url, known)
        async with (
            asyncio.timeout(REQUEST_TIMEOUT),
            httpx2.AsyncClient(
                transport=await checked_transport(url, allowed, known if is_own else None),
                trust_env=False,
                follow_redirects=False,
            ) as client,
        ):
            response = await client.send(request, stream=True)
            try:
                body = await read_body(response, BODY_LIMIT)
            finally:
                await response.aclose()
    except AddressRefused:
        raise SignInError(f"{host} is on this computer or in a private network, and the server is not") from None
    except BodyTooLong:
        raise SignInError(f"{host} sends too large a response") from None
    except TimeoutError:
        raise SignInError(f"{host} does not answer") from None
    except httpx2.TransportError as error:
        raise SignInError(f"{host} cannot be reached: {failure_text(error)}") from None
    headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _DROPPED_HEADERS]
    whole = httpx2.Response(response.status_code, headers=headers, content=body, request=request)
    whole.next_request = response.next_request
    return whole


class TokenRejected(Exception):  # noqa: N818
    """The refresh token is missing or not accepted: the user has to sign in again."""


async def refresh_tokens(record: SignInRecord) -> SignInRecord:
    """Refresh the tokens of a record (RFC 6749, 6; RFC 8707) and return the new record.

    Raises:
        TokenRejected: the refresh token is missing or not accepted.
        SignInError: a temporary failure.
    """
    await import_in_thread("httpx2", "mcp.shared.auth")
    import httpx2
    from mcp.shared.auth import OAuthToken

    if not record.refresh_token or not may_send_secrets(record.token_endpoint, record.url):
        raise TokenRejected
    data = {"grant_type": "refresh_token", "refresh_token": record.refresh_token}
    if record.resource:
        data["resource"] = record.resource
    form, headers = _authenticated(record, data)
    request = httpx2.Request("POST", record.token_endpoint, data=form, headers=headers)
    response = await send_request(request, record.url, [*record.peers])
    if response.status_code in (400, 401, 403):
        raise TokenRejected
    if response.status_code != 200:
        raise SignInError(f"{request.url.host} answers HTTP {response.status_code}")
    try:
        token = OAuthToken.model_validate_json(response.content)
    except ValueError:
        raise SignInError(f"{request.url.host} answers with no token") from None
    return record.with_tokens(token.access_token, token.refresh_token, token.scope, token.expires_in)


async def revoke(record: SignInRecord) -> None:
    """Revoke the tokens of a record at the authorization server, if it offers that (RFC 7009).

    Raises:
        SignInError: the request failed.
    """
    import httpx2

    token = record.refresh_token or record.access_token
    if not token or not record.revocation_endpoint or not may_send_secrets(record.revocation_endpoint, record.url):
        return
    kind = "refresh_token" if record.refresh_token else "access_token"
    data = {"token": token, "token_type_hint": kind}
    form, headers = _authenticated(record, data)
    request = httpx2.Request("POST", record.revocation_endpoint, data=form, headers=headers)
    await send_request(request, record.url, [*record.peers])


def _authenticated(record: SignInRecord, data: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return form and headers with the client's credentials, in the registered method (RFC 6749, 2.3.1)."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    form = {**data, "client_id": str(record.client.get("client_id", ""))}
    secret, method = record.client.get("client_secret"), record.client.get("token_endpoint_auth_method")
    if secret and method == "client_secret_basic":
        pair = f"{quote(form['client_id'], safe='')}:{quote(secret, safe='')}"
        headers["authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    elif secret and method == "client_secret_post":
        form["client_secret"] = str(secret)
    return form, headers
