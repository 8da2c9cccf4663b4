"""Sign in to a server without the app, for the command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.secrets.variable_expansion import expand
from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy.oauth.flow import sign_in
from toolnote_desktop.proxy.oauth.sign_ins import SignIns
from toolnote_desktop.proxy.oauth.token_source import Challenge
from toolnote_desktop.proxy.protocol import CAPABILITIES, IMPLEMENTATION, NEWEST_HANDSHAKE
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.http_client import ServerHttpClient
from toolnote_desktop.proxy.upstream.launch_secrets import secrets_for
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore
from toolnote_desktop.system import current

_SECONDS = 15.0


def sign_in_once(
    library: Library, store: SecretStore, server: str, open_browser: Callable[[str], None], place: SecretLocation | None
) -> SecretLocation:
    """Sign in to a server of type http or sse, store the tokens and return their location.

    Args:
        place: None for the keychain.

    Raises:
        ToolnoteError: the sign-in failed.
    """
    return asyncio.run(_sign_in(library.snapshot.servers[server], store, server, open_browser, place))


def sign_out_once(library: Library, store: SecretStore, server: str) -> None:
    """Revoke the sign-in to a server and delete it.

    Raises:
        ToolnoteError: the keychain cannot be changed.
    """

    async def work() -> None:
        sign_ins = SignIns(store)
        await sign_ins.token_source(server, await _expanded_entry(library.snapshot.servers[server], store, server))
        await sign_ins.sign_out(server)

    asyncio.run(work())


async def _expanded_entry(entry: Server, store: SecretStore, server: str) -> Server:
    environment = await asyncio.to_thread(current().environment)
    found = await secrets_for(store, server, entry)
    return expand(server, entry, environment, found.get)


async def _sign_in(
    entry: Server, store: SecretStore, server: str, open_browser: Callable[[str], None], place: SecretLocation | None
) -> SecretLocation:
    expanded_entry = await _expanded_entry(entry, store, server)
    source = await SignIns(store).token_source(server, expanded_entry)
    if source is None:
        raise ToolnoteError(Code.AUTHORIZATION_REFUSED, server=server)
    challenge = await _challenge(server, expanded_entry)
    options = expanded_entry.toolnote.sign_in
    record = await sign_in(server, source.url, challenge, source.record, options, open_browser)
    return await source.store(record, place)


async def _challenge(server: str, entry: Server) -> Challenge | None:
    """Return the server's challenge to a request without a token, or None."""
    import httpx2

    http_client = await ServerHttpClient.open(server, entry.url or "", entry.headers)
    params = {"protocolVersion": NEWEST_HANDSHAKE, "capabilities": CAPABILITIES, "clientInfo": IMPLEMENTATION}
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    body = jsonrpc.request_line(1, "initialize", json_text.dumps(params))
    arguments = ("GET", headers, None) if entry.type == "sse" else ("POST", headers, body)
    try:
        async with asyncio.timeout(_SECONDS), http_client.send(*arguments) as response:
            return Challenge.of(response)
    except httpx2.TransportError as error:
        problem = http_client.transport_problem(error)
        raise ToolnoteError(problem.code, **problem.parameters) from None
    except TimeoutError:
        raise ToolnoteError(Code.SERVER_SILENT, server=server, seconds=f"{_SECONDS:g}") from None
    finally:
        await http_client.close()
