#!/usr/bin/env python3
"""An MCP server that wants a sign-in, and the authorization server for it: the SDK's own, of both.

``oauth_server.py [SETTINGS]`` prints {"url": …, "pid": …} when it listens. Its settings, which ``POST /control``
changes while it runs (``GET /control`` answers what has happened so far):

  lifetime   seconds that an access token is good for
  deny       the person at /authorize says no
  iss        what the redirect says of its issuer; null: nothing
  issuer     what the authorization server's metadata calls itself; null: its own name
  register   false: programs cannot register themselves
  refusal    text that is repeated 100,000 times in the refusal of a registration; null: none
  document   true: client-id metadata documents are taken
  documents  address -> document: what is at such addresses; null: any address is a client without restrictions
  typed      id of a client that was registered by hand; null: none
  tokens     the status that the token endpoint answers with; null: as it should
  refuse     true: no access token is good
  forget     "access" | "refresh": all tokens of this kind so far are good for nothing any more
  reset      true: as it was at the start, with nothing seen and no client known; other settings are set after it

The same tools are at ``/sse`` over the older HTTP with SSE.

Tools: ``echo``, and ``write``, for which a token needs the scope ``write`` (403 insufficient_scope else).
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import sys
import time
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions, RevocationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

SETTINGS: dict[str, Any] = {
    "lifetime": 3600,
    "deny": False,
    "iss": None,
    "issuer": None,
    "register": True,
    "document": False,
    "documents": None,
    "typed": None,
    "tokens": None,
    "refuse": False,
    "refusal": None,
}
START = dict(SETTINGS)
SEEN: dict[str, Any] = {"registered": 0, "authorized": 0, "refreshed": 0, "revoked": 0, "scopes": [], "resources": []}
METADATA = "/.well-known/oauth-authorization-server"


class Provider:
    """Keeps everything in memory."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, tuple[AccessToken, float]] = {}
        self.refresh: dict[str, RefreshToken] = {}

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        if client_id.startswith("https://") and SETTINGS["document"]:
            if SETTINGS["documents"] is not None:
                return _documented(client_id, SETTINGS["documents"].get(client_id))
            return _AnyRedirect(client_id=client_id, token_endpoint_auth_method="none", scope="read write")
        if client_id == SETTINGS["typed"]:
            return _AnyRedirect(client_id=client_id, token_endpoint_auth_method="none", scope="read write")
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        SEEN["registered"] += 1
        self.clients[client_info.client_id] = client_info.model_copy(update={"scope": "read write"})

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        SEEN["authorized"] += 1
        SEEN["scopes"].append(params.scopes)
        SEEN["resources"].append(params.resource)
        if SETTINGS["deny"]:
            raise AuthorizeError("access_denied", "The user said no")
        code = secrets.token_urlsafe(24)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or ["read"],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state, iss=SETTINGS["iss"])

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        del self.codes[authorization_code.code]
        return self._grant(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        SEEN["refreshed"] += 1
        del self.refresh[refresh_token.token]  # good once
        return self._grant(client, scopes, refresh_token.resource)

    def _grant(self, client: OAuthClientInformationFull, scopes: list[str], resource: str | None) -> OAuthToken:
        access, refresh = f"access-{secrets.token_urlsafe(24)}", f"refresh-{secrets.token_urlsafe(24)}"
        lifetime = SETTINGS["lifetime"]
        token = AccessToken(token=access, client_id=client.client_id, scopes=scopes, resource=resource)
        self.access[access] = (token, time.time() + lifetime)
        self.refresh[refresh] = RefreshToken(
            token=refresh, client_id=client.client_id, scopes=scopes, resource=resource
        )
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=lifetime, scope=" ".join(scopes))

    async def load_access_token(self, token: str) -> AccessToken | None:
        found, until = self.access.get(token, (None, 0.0))
        return found if time.time() < until and not SETTINGS["refuse"] else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        SEEN["revoked"] += 1
        self.access.pop(token.token, None)
        self.refresh.pop(token.token, None)

    async def exchange_identity_assertion(self, client: Any, params: Any) -> OAuthToken:
        raise NotImplementedError


class _AnyRedirect(OAuthClientInformationFull):
    """Client that may be redirected to any port of the loopback (RFC 8252, 7.3)."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        assert redirect_uri is not None
        return redirect_uri


class _DocumentedClient(OAuthClientInformationFull):
    """Client as its document says; a redirect to the loopback may have any port (RFC 8252, 7.3)."""

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        for allowed in self.redirect_uris or ():
            if redirect_uri is None or (redirect_uri.scheme, redirect_uri.host, redirect_uri.path) == (
                allowed.scheme,
                allowed.host,
                allowed.path,
            ):
                return redirect_uri or allowed
        raise InvalidRedirectUriError(f"{redirect_uri} is not in the document")


def _documented(client_id: str, document: Any) -> OAuthClientInformationFull | None:
    if not isinstance(document, dict) or document.get("client_id") != client_id:
        return None
    return _DocumentedClient.model_validate({**document, "scope": "read write"})


class Around:
    """Additions to the SDK's servers: the settings, and a tool that wants more."""

    def __init__(self, app: ASGIApp, older: ASGIApp, provider: Provider, origin: str) -> None:
        self.app = app
        self.older = older
        self.provider = provider
        self.origin = origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["path"].startswith(("/sse", "/messages")) or scope["path"].endswith("/sse"):
            await self.older(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await request.body()
        answer = await self._own(request, body)
        if answer is not None:
            await answer(scope, receive, send)
            return
        given = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Any:
            return given.pop() if given else await receive()

        await self.app(scope, replay, send)

    async def _own(self, request: Request, body: bytes) -> Response | None:
        path = request.url.path
        if path == "/control":
            return self._control(body if request.method == "POST" else b"{}")
        if path == "/token" and SETTINGS["tokens"] and b"refresh_token" in parse_qs(body).get(b"grant_type", []):
            return JSONResponse({"error": "temporarily_unavailable"}, SETTINGS["tokens"])
        if path == "/register" and SETTINGS["refusal"] is not None:
            text = SETTINGS["refusal"] * 100_000
            return JSONResponse({"error": "invalid_client_metadata", "error_description": text}, 400)
        if path == "/register" and not SETTINGS["register"]:
            return JSONResponse({"error": "not here"}, 404)
        if path == METADATA:
            return JSONResponse(self._metadata())
        if path == "/mcp" and b'"write"' in body and b'"tools/call"' in body:
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
            known = await self.provider.load_access_token(token)
            if known is not None and "write" not in known.scopes:
                wants = 'Bearer error="insufficient_scope", scope="write"'
                return JSONResponse({"error": "insufficient_scope"}, 403, {"www-authenticate": wants})
        return None

    def _control(self, body: bytes) -> Response:
        wanted = json.loads(body)
        if wanted.pop("reset", False):
            SETTINGS.update(START)
            SEEN.update({key: [] if isinstance(value, list) else 0 for key, value in SEEN.items()})
            for table in (self.provider.clients, self.provider.codes, self.provider.access, self.provider.refresh):
                table.clear()
        forget = wanted.pop("forget", None)
        if forget is not None:
            (self.provider.access if forget == "access" else self.provider.refresh).clear()
        SETTINGS.update(wanted)
        return JSONResponse(SEEN)

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": SETTINGS["issuer"] or self.origin,
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "revocation_endpoint": f"{self.origin}/revoke",
            "registration_endpoint": f"{self.origin}/register",
            "scopes_supported": ["read", "write"],
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic", "none"],
            "code_challenge_methods_supported": ["S256"],
            "client_id_metadata_document_supported": SETTINGS["document"],
        }


def tools(provider: Provider, origin: str, path: str) -> MCPServer:
    """The server that is served at ``path``."""
    server = MCPServer(
        "oauth",
        log_level="CRITICAL",
        auth_server_provider=provider,
        auth=AuthSettings.model_validate(
            {
                "issuer_url": origin,
                "resource_server_url": f"{origin}{path}",
                "required_scopes": ["read"],
                "validate_token_resource": True,
                "client_registration_options": ClientRegistrationOptions(
                    enabled=True, valid_scopes=["read", "write"], default_scopes=["read"]
                ),
                "revocation_options": RevocationOptions(enabled=True),
            }
        ),
    )

    @server.tool()
    def echo(text: str) -> str:
        """Say it again."""
        return text

    @server.tool()
    def write(text: str) -> str:
        """Needs more."""
        return f"written: {text}"

    return server


async def main(settings: dict[str, Any]) -> None:
    SETTINGS.update(settings)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    provider = Provider()
    newer, older = tools(provider, origin, "/mcp"), tools(provider, origin, "/sse")
    app = Around(newer.streamable_http_app(), older.sse_app(), provider, origin)
    config = uvicorn.Config(app, log_level="critical", access_log=False)
    print(json.dumps({"url": f"{origin}/mcp", "pid": os.getpid()}), flush=True)
    await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}))
