"""Sessions of the handshake era outlive a restart of the app (docs/contract.md 5)."""

from __future__ import annotations

import json
import time

from tests.proxy.raw_client import RawClient
from tests.proxy.running import Running, raw_server, restarted, running
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, PutEntry
from toolnote_desktop.paths import Home

ENTRIES = {"raw": raw_server(tools=[{"name": "echo", "inputSchema": {"type": "object"}}])}
TOKEN = "t" * 40


def with_client(proxy: Running, token: str = TOKEN) -> RawClient:
    entry = {"name": "Gemini", "tokenHash": hash_token(token)}
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "gemini", entry))
    return RawClient(proxy.endpoint.url, token)


def session_of_an_earlier_run(home: Home) -> str:
    with restarted(home) if home.servers.exists() else running(home, ENTRIES) as proxy:
        client = with_client(proxy)
        client.initialize()
        assert client.session_id is not None
        return client.session_id


def status(client: RawClient, session: str) -> int:
    client.session_id = session
    return client.request("tools/list").status


def test_the_next_request_works(home: Home) -> None:
    """Seen red without ``restorer``: 404."""
    session = session_of_an_earlier_run(home)
    for _ in range(2):  # and after another restart
        with restarted(home) as proxy:
            assert status(proxy.client(), session) == 404  # it belongs to its token
            client = with_client(proxy)
            assert status(client, session[::-1]) == 404
            assert status(client, session) == 200
            assert client.request("ping").status == 200
            assert client.request("foreign/method").last["error"]["code"] == -32601  # answered by the SDK
    assert home.sessions.stat().st_mode & 0o777 == 0o600
    assert TOKEN not in home.sessions.read_text("utf-8")


def test_a_session_that_was_ended_or_has_another_token_is_gone(home: Home) -> None:
    """Seen red without the comparison of tokens."""
    session = session_of_an_earlier_run(home)
    with restarted(home) as proxy:
        assert status(with_client(proxy, "other" * 8), session) == 404
    session = session_of_an_earlier_run(home)
    with restarted(home) as proxy:
        client = with_client(proxy)
        assert status(client, session) == 200
        assert client.send("DELETE").status == 200
    with restarted(home) as proxy:
        assert status(with_client(proxy), session) == 404


def test_it_expires_as_usual(home: Home) -> None:
    session = session_of_an_earlier_run(home)
    stored = json.loads(home.sessions.read_text("utf-8"))
    stored["sessions"][-1]["lastUse"] = time.time() - 3601
    stored["sessions"] += [None, {"sessionId": 1}, {**stored["sessions"][-1], "opening": "[]"}]
    home.sessions.write_text(json.dumps(stored), "utf-8")
    with restarted(home) as proxy:
        assert status(with_client(proxy), session) == 404


def test_a_damaged_file_costs_the_sessions_only(home: Home) -> None:
    session = session_of_an_earlier_run(home)
    home.sessions.write_bytes(b"\xff{")
    with restarted(home) as proxy:
        assert status(with_client(proxy), session) == 404
        with_client(proxy).initialize()
