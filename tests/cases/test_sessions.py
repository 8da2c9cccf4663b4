"""Cases about sessions, ports and what is left of clients that went."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from tests.cases.test_lists import initialized, names_of
from tests.proxy.raw_client import ACCEPT, RawClient
from tests.proxy.running import Running, raw_server, restarted, running
from tests.waiting import wait_until
from toolnote_desktop.paths import Home

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "gone", "version": "1"}},
}


def sessions(proxy: Running) -> int:
    """How many sessions the proxy knows of."""
    return sum(client.sessions for client in proxy.thread.clients())


def servers_of_ours() -> int:
    """How many children the process of this test has."""
    return len([child for child in psutil.Process().children() if "raw_server" in " ".join(child.cmdline())])


def vanish(client: RawClient) -> None:
    """Send an ``initialize``, and cut the connection when its answer begins."""
    body = json.dumps(INITIALIZE).encode()
    head = (
        f"POST {client.url.path} HTTP/1.1\r\nHost: {client.url.netloc}\r\nAccept: {ACCEPT}\r\n"
        f"Authorization: {client.headers['Authorization']}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((client.url.hostname or "", client.url.port or 0), 30) as connection:
        connection.sendall(head.encode() + body)
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.once
@pytest.mark.case("C39")
@pytest.mark.case("C41")
def test_sessions_of_clients_that_vanished_expire_and_start_no_server(home: Home) -> None:
    home.settings.write_text('{"sessionIdle": 2}', encoding="utf-8")
    with running(home, {"a": raw_server()}) as proxy:
        client = initialized(proxy)
        for _ in range(200):
            vanish(client)
        assert servers_of_ours() == 1
        wait_until(lambda: sessions(proxy) == 0)
        assert client.request("tools/list").status == 404
        client.session_id = None
        client.initialize()
        assert names_of(client, "a")


@pytest.mark.once
@pytest.mark.case("C41")
def test_closed_sessions_leave_nothing_behind(home: Home) -> None:
    with running(home, {"a": raw_server()}) as proxy:
        initialized(proxy)

        def round_of(count: int) -> tuple[int, int]:
            for _ in range(count):
                other = proxy.client()
                other.initialize()
                assert other.send("DELETE").status == 200
            wait_until(lambda: sessions(proxy) == 1)
            gc.collect()
            return sessions(proxy), len([one for one in gc.get_objects() if type(one).__name__ == "ServerSession"])

        first = round_of(20)
        assert round_of(150) == first


@pytest.mark.case("C58")
def test_after_a_restart_an_old_session_is_404_and_a_new_one_works(home: Home) -> None:
    with running(home, {"a": raw_server()}) as proxy:
        old = initialized(proxy)
    with restarted(home) as proxy:
        client = proxy.client()
        client.session_id = old.session_id
        for method in ("POST", "GET", "DELETE"):
            assert client.send(method, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}').status == 404
        client.session_id = None
        client.initialize()


@pytest.mark.case("C59")
def test_with_a_slash_behind_it_the_address_is_the_same(home: Home) -> None:
    with running(home, {"a": raw_server()}) as proxy:
        for path in ("/mcp", "/mcp/"):
            answer = proxy.client().send("POST", json.dumps(INITIALIZE).encode(), path=path)
            assert (answer.status, answer.result["serverInfo"]["name"]) == (200, "toolnote")


@contextlib.contextmanager
def taken_port(address: str) -> Iterator[int]:
    """A port that another program listens on, at one address only."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as other:
        try:
            other.bind((address, 0))
        except OSError:
            pytest.skip("no IPv6 here")
        other.listen()
        yield other.getsockname()[1]


@contextlib.contextmanager
def serving(*words: str) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    """``toolnote serve`` in a process of its own: its ready line, and the process, which is ended."""
    command = [sys.executable, "-m", "toolnote_desktop", "serve", *words]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline()), process
    finally:
        os.kill(process.pid, signal.SIGTERM)
        process.communicate(timeout=30)


@pytest.mark.case("C56")
@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_a_port_that_another_program_has_is_said_and_the_bridge_finds_the_right_one(home: Home, address: str) -> None:
    with taken_port(address) as port, serving("--port", str(port)) as (ready, process):
        client = RawClient(ready["url"], ready["token"])
        assert client.initialize()["serverInfo"]["name"] == "toolnote"
        assert client.url.hostname == "127.0.0.1"  # never a name that could mean the other program
        asked = json.dumps(INITIALIZE) + "\n"
        bridge = subprocess.run(
            [sys.executable, "-m", "toolnote_desktop", "bridge"],
            input=asked,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=True,
        )
        assert json.loads(bridge.stdout)["result"]["serverInfo"]["name"] == "toolnote"
        if address == "127.0.0.1":
            assert client.url.port != port
            assert process.stderr is not None
            said = process.stderr.readline()
            assert str(port) in said
            assert str(client.url.port) in said
        else:
            assert client.url.port == port
