"""What a server named is requested only at addresses that it may name (issue 15, item 4; red team M2)."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx2
import pytest

from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.servers import SignInOptions
from toolnote_desktop.proxy.oauth import checked_addresses
from toolnote_desktop.proxy.oauth.checked_addresses import Reach, reach_of, reachable_from
from toolnote_desktop.proxy.oauth.flow import sign_in
from toolnote_desktop.proxy.oauth.token_source import Challenge
from toolnote_desktop.proxy.oauth.tokens import SignInError, SignInRecord, refresh_tokens, revoke, send_request

SIGN_IN_REFUSED_TEXT = "is on this computer or in a private network"
PUBLIC = "https://93.184.216.34/mcp"


class _Victim(BaseHTTPRequestHandler):
    """Service on this computer that only programs here should reach."""

    paths: list[str] = []  # noqa: RUF012 - emptied by the fixture

    def do_GET(self) -> None:
        self.paths.append(self.path)
        self.send_response(401 if self.path == "/refused" else 200)
        self.send_header("content-length", "6")
        self.end_headers()
        self.wfile.write(b"secret")

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def victim() -> Iterator[str]:
    _Victim.paths = []
    server = HTTPServer(("127.0.0.1", 0), _Victim)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("address", "reach"),
    [
        ("127.0.0.1", Reach.LOOPBACK),
        ("127.9.9.9", Reach.LOOPBACK),
        ("0.0.0.0", Reach.LOOPBACK),
        ("::", Reach.LOOPBACK),
        ("::1", Reach.LOOPBACK),
        ("::ffff:127.0.0.1", Reach.LOOPBACK),
        ("64:ff9b::7f00:1", Reach.LOOPBACK),
        ("2002:7f00:1::", Reach.LOOPBACK),
        ("10.0.0.1", Reach.PRIVATE),
        ("192.168.1.1", Reach.PRIVATE),
        ("100.64.0.1", Reach.PRIVATE),
        ("fd00::1", Reach.PRIVATE),
        ("::ffff:10.0.0.1", Reach.PRIVATE),
        ("169.254.169.254", Reach.LINK_LOCAL),
        ("fe80::1%eth0", Reach.LINK_LOCAL),
        ("224.0.0.1", Reach.LINK_LOCAL),
        ("::127.0.0.1", Reach.LOOPBACK),
        ("::ffff:0:10.0.0.1", Reach.PRIVATE),
        ("fec0::1", Reach.PRIVATE),
        ("5f00::1", Reach.PRIVATE),
        ("::ffff:0:93.184.216.34", Reach.PUBLIC),
        ("93.184.216.34", Reach.PUBLIC),
        ("2606:4700::1111", Reach.PUBLIC),
    ],
)
def test_reach_of_an_address(address: str, reach: Reach) -> None:
    assert reach_of(address) is reach


@pytest.mark.parametrize(
    ("server", "named", "allowed"),
    [
        (PUBLIC, Reach.PUBLIC, True),
        (PUBLIC, Reach.PRIVATE, False),
        (PUBLIC, Reach.LOOPBACK, False),
        (PUBLIC, Reach.LINK_LOCAL, False),
        ("http://10.0.0.1/mcp", Reach.PRIVATE, True),
        ("http://10.0.0.1/mcp", Reach.LOOPBACK, False),
        ("http://10.0.0.1/mcp", Reach.LINK_LOCAL, False),
        ("http://127.0.0.1/mcp", Reach.LOOPBACK, True),
        ("http://localhost/mcp", Reach.PRIVATE, True),
        ("http://localhost/mcp", Reach.LINK_LOCAL, False),
        ("http://no-such-host.invalid/mcp", Reach.PRIVATE, False),
    ],
)
def test_addresses_that_a_server_may_name(server: str, named: Reach, allowed: bool) -> None:
    assert (named in asyncio.run(reachable_from(server))) is allowed


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"])
def test_public_server_cannot_name_this_computer(victim: str, host: str) -> None:
    """Seen red with ``reachable_from`` returning every reach: the victim got the request."""
    request = httpx2.Request("GET", victim.replace("127.0.0.1", host) + "/admin/delete?all=1")
    with pytest.raises(SignInError, match="is on this computer or in a private network") as refused:
        asyncio.run(send_request(request, PUBLIC))
    assert "secret" not in str(refused.value)
    assert _Victim.paths == []


def test_no_second_look_up_decides_where_to_connect(victim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red with a connection to the name: the system resolves it to nothing."""

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr(checked_addresses, "resolve", resolve)
    request = httpx2.Request("GET", victim.replace("127.0.0.1", "rebinding.invalid") + "/meta")
    assert asyncio.run(send_request(request, "http://127.0.0.1:1/mcp")).content == b"secret"
    assert _Victim.paths == ["/meta"]


class _NetworkProxy(BaseHTTPRequestHandler):
    """The user's HTTP proxy, which resolves names itself: here all of them to the same page."""

    asked: list[str] = []  # noqa: RUF012 - emptied by the fixture

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def network_proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    _NetworkProxy.asked = []
    server = HTTPServer(("127.0.0.1", 0), _NetworkProxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.server_port}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("addresses", "refused"),
    [
        (["93.184.216.34"], False),
        (["127.0.0.1"], True),
        (["10.0.0.7"], True),
        (["169.254.169.254"], True),
        (["93.184.216.34", "10.0.0.7"], True),
        ([], False),
    ],
)
def test_name_is_checked_behind_the_users_proxy_too(
    network_proxy: None, monkeypatch: pytest.MonkeyPatch, addresses: list[str], refused: bool
) -> None:
    """Seen red where only literal addresses were checked: the proxy was sent to the private network."""

    async def resolve(host: str, port: int) -> list[str]:
        if host != "named.example":
            return [host]
        if not addresses:
            raise socket.gaierror("it resolves where the proxy is, not here")
        return addresses

    monkeypatch.setattr(checked_addresses, "resolve", resolve)
    request = httpx2.Request("GET", "http://named.example/admin")
    if refused:
        with pytest.raises(SignInError, match="in a private network"):
            asyncio.run(send_request(request, PUBLIC))
        assert _NetworkProxy.asked == []
    else:
        assert asyncio.run(send_request(request, PUBLIC)).content == b"ok"
        assert _NetworkProxy.asked == ["http://named.example/admin"]


def test_local_server_can(victim: str) -> None:
    response = asyncio.run(send_request(httpx2.Request("GET", f"{victim}/meta"), "http://127.0.0.1:1/mcp"))
    assert response.content == b"secret"
    assert _Victim.paths == ["/meta"]


def test_the_address_that_was_checked_is_the_one_connected_to(victim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves to a public address first and to this computer afterwards is looked up once."""
    answers = iter([["127.0.0.1"], ["93.184.216.34"]])

    async def resolve(host: str, port: int) -> list[str]:
        return next(answers)

    monkeypatch.setattr(checked_addresses, "resolve", resolve)
    request = httpx2.Request("GET", victim.replace("127.0.0.1", "rebinding.example"))

    async def work() -> None:
        network = checked_addresses._CheckedNetwork(frozenset({Reach.PUBLIC}), [])
        with pytest.raises(checked_addresses.AddressRefused):
            await network.connect_tcp("rebinding.example", int(request.url.port or 0))

    asyncio.run(work())
    assert _Victim.paths == []
    assert next(answers) == ["93.184.216.34"]


def test_name_that_resolves_to_this_computer_for_a_moment_reaches_nothing_here(
    victim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The owner of a name decides what it resolves to, but not at which address the challenge came in, nor those at
    which the user signed in. Seen red without the peers: the victim got each request.
    """

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr(checked_addresses, "resolve", resolve)
    url = "http://rebinding.invalid/mcp"
    challenge = Challenge(401, f'Bearer resource_metadata="{victim}/admin"', ("93.184.216.34",))
    with pytest.raises(ToolnoteError, match=SIGN_IN_REFUSED_TEXT):
        asyncio.run(sign_in("s", url, challenge, None, SignInOptions(), lambda _page: None))
    record = SignInRecord(
        url, "access", "refresh", token_endpoint=f"{victim}/t", revocation_endpoint=f"{victim}/r", peers=challenge.peers
    )
    stored = SignInRecord.from_json(record.to_json())
    assert stored is not None
    for request in (refresh_tokens, revoke):
        with pytest.raises(SignInError, match=SIGN_IN_REFUSED_TEXT):
            asyncio.run(request(stored))
    assert _Victim.paths == []


def test_address_of_a_server_is_remembered(victim: str) -> None:
    async def peers() -> tuple[list[str], Challenge | None]:
        answered: list[str] = []
        await send_request(httpx2.Request("GET", f"{victim}/meta"), f"{victim}/mcp", answered)
        async with httpx2.AsyncClient(trust_env=False) as client, client.stream("GET", f"{victim}/refused") as refusal:
            return answered, Challenge.of(refusal)

    answered, challenge = asyncio.run(peers())
    assert answered == ["127.0.0.1"]
    assert challenge is not None
    assert challenge.peers == ("127.0.0.1",)
