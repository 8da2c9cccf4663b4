"""Sign-in flow with the user's browser and an authorization server (MCP 2025-11-25, authorization).

The SDK's client implements metadata discovery (RFC 9728, RFC 8414), registration (RFC 7591) or a client ID metadata
document, PKCE, ``resource`` (RFC 8707) and issuers (RFC 9207). It is driven request by request with the challenge that
the connection received, so that no connection has to wait inside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from toolnote_desktop.log import covered, hide_tokens
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import SignInOptions
from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.proxy.aio.worker_thread import import_in_thread
from toolnote_desktop.proxy.oauth.callback_server import PATH, CallbackServer
from toolnote_desktop.proxy.oauth.client_document import CLIENT_NAME, SOFTWARE_ID, document_address
from toolnote_desktop.proxy.oauth.token_source import Challenge
from toolnote_desktop.proxy.oauth.tokens import SignInError, SignInRecord, may_send_secrets, send_request
from toolnote_desktop.proxy.protocol import NEWEST_HANDSHAKE, VERSION_HEADER

if TYPE_CHECKING:
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthToken

BROWSER_TIMEOUT: Final = 10 * 60.0
"""Seconds that the user may take in the browser."""

_MAX_REASON_LENGTH: Final = 200

OpenBrowser = Callable[[str], None]
"""Open a URL, which holds no secret, in the user's browser."""


class _Denied(Exception):  # noqa: N818
    """The user or the authorization server denied the sign-in; the text is the reason it gave."""


class _Storage:
    """Token storage of the SDK's client: starts with the known registration and receives the result."""

    def __init__(self, tokens: OAuthToken | None, client: OAuthClientInformationFull | None) -> None:
        self.tokens = tokens
        self.client = client

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def sign_in(
    server: str,
    url: str,
    challenge: Challenge | None,
    before: SignInRecord | None,
    options: SignInOptions,
    open_browser: OpenBrowser,
    browser_timeout: float = BROWSER_TIMEOUT,
) -> SignInRecord:
    """Sign in to the server at ``url`` and return the record of it.

    Args:
        challenge: the server's refusal; None if it did not refuse, which does not keep discovery from running.
        before: earlier sign-in: its registration is used again if its port is free, and its scopes are requested
            again together with new ones.

    Raises:
        ToolnoteError: ``sign-in-not-offered``, ``sign-in-refused``, ``sign-in-failed``, ``sign-in-timed-out``.
    """
    await import_in_thread("httpx2", "mcp.client.auth")
    import httpx2
    from mcp.client.auth import OAuthFlowError, OAuthRegistrationError

    logging.getLogger("mcp.client.auth.oauth2").setLevel(logging.CRITICAL + 1)  # its texts hold codes and bodies
    try:
        wanted = options.port or (before.redirect_port if before is not None else 0)
        page = await CallbackServer.open(wanted, only=options.port is not None)
    except OSError as error:
        raise ToolnoteError(Code.SIGN_IN_FAILED, server=server, reason=error.strerror or "no port") from error
    try:
        client = _client(url, page, before, options, open_browser)
        peers = list(challenge.peers) if challenge is not None else []
        try:
            async with asyncio.timeout(browser_timeout):
                await _drive(client, url, challenge or Challenge(401), peers)
        except TimeoutError:
            minutes = f"{browser_timeout / 60:.2g}"
            raise ToolnoteError(Code.SIGN_IN_TIMED_OUT, server=server, minutes=minutes) from None
        except _Denied as error:
            raise ToolnoteError(Code.SIGN_IN_REFUSED, server=server, reason=_reason(error)) from None
        except OAuthRegistrationError as error:
            if client.context.oauth_metadata is None:
                raise ToolnoteError(Code.SIGN_IN_NOT_OFFERED, server=server) from None
            redirect = f"http://127.0.0.1{PATH}"  # any port holds (RFC 8252, 7.3)
            raise ToolnoteError(
                Code.SIGN_IN_NEEDS_ID, server=server, redirect=redirect, reason=_reason(error)
            ) from None
        except (OAuthFlowError, SignInError, ValueError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ToolnoteError(Code.SIGN_IN_FAILED, server=server, reason=_reason(error)) from None
        return _record(url, client, page, peers)
    finally:
        await page.close()


def _client(
    url: str, page: CallbackServer, before: SignInRecord | None, options: SignInOptions, open_browser: OpenBrowser
) -> OAuthClientProvider:
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
    from pydantic import AnyUrl

    document = document_address() if not options.client_id else None
    if options.client_id and options.client_id.startswith("https://"):
        document = options.client_id
    known: OAuthClientInformationFull | None = None
    if options.client_id and options.client_id != document:
        method = options.client_secret_method if options.client_secret else "none"
        known = OAuthClientInformationFull(
            client_id=options.client_id, client_secret=options.client_secret, token_endpoint_auth_method=method
        )
    elif before is not None and before.client and before.redirect_port == page.port:
        known = OAuthClientInformationFull.model_validate(dict(before.client))
    tokens = OAuthToken(access_token=before.access_token, scope=before.scope) if before and before.scope else None

    async def show(address: str) -> None:
        if not may_send_secrets(address, url):
            raise SignInError("the address to sign in at is neither https nor on this computer")
        page.expect(parse_qs(split_url(address).query).get("state", [""])[0])
        open_browser(address)

    async def returned() -> AuthorizationCodeResult:
        result = await page.wait_for_result()
        if result.error or not result.code:
            raise _Denied(result.description or result.error or "no reason was given")
        hide_tokens((result.code,))
        state = page.state
        return AuthorizationCodeResult(code=result.code, state=state, iss=result.issuer)

    metadata = OAuthClientMetadata(redirect_uris=[AnyUrl(page.url)], client_name=CLIENT_NAME, software_id=SOFTWARE_ID)
    return OAuthClientProvider(url, metadata, _Storage(tokens, known), show, returned, document)


async def _drive(client: OAuthClientProvider, url: str, challenge: Challenge, peers: list[str]) -> None:
    """Run the flow from the challenge to the tokens; append the addresses at which the server answers to ``peers``.

    Raises:
        OAuthFlowError, SignInError, ValueError: the authorization server breaks the protocol.
        _Denied: the sign-in was denied.
    """
    import httpx2

    request = httpx2.Request("POST", url, headers={VERSION_HEADER: NEWEST_HANDSHAKE})
    flow = client.async_auth_flow(request)
    async with contextlib.aclosing(flow):
        await anext(flow)  # the first request; the connection has sent it already and received the challenge
        headers = {"www-authenticate": challenge.header} if challenge.header else {}
        response = httpx2.Response(challenge.status, headers=headers, request=request)
        while (wanted := await flow.asend(response)) is not request:
            if not may_send_secrets(str(wanted.url), url):
                raise SignInError(f"{wanted.url.host} is neither https nor on this computer")
            response = await send_request(wanted, url, peers)


def _record(url: str, client: OAuthClientProvider, page: CallbackServer, peers: list[str]) -> SignInRecord:
    context = client.context
    tokens, found = context.current_tokens, context.oauth_metadata
    assert tokens is not None
    assert context.client_info is not None
    record = SignInRecord(
        url=url,
        token_endpoint=str(found.token_endpoint) if found is not None else _at_origin(url, "/token"),
        revocation_endpoint=str(found.revocation_endpoint) if found and found.revocation_endpoint else None,
        resource=context.get_resource_url(),
        client=context.client_info.model_dump(mode="json", exclude_none=True),
        redirect_port=page.port,
        peers=list(dict.fromkeys(peers)),
    )
    lifetime = float(tokens.expires_in) if tokens.expires_in is not None else None
    return record.with_tokens(tokens.access_token, tokens.refresh_token, tokens.scope, lifetime)


def _at_origin(url: str, path: str) -> str:
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _reason(error: Exception) -> str:
    """Return the message of a foreign server as one line of bounded length."""
    text = " ".join(covered(str(error), 4 * _MAX_REASON_LENGTH).split()) or "it gave no reason"
    return text if len(text) <= _MAX_REASON_LENGTH else text[:_MAX_REASON_LENGTH] + "…"
