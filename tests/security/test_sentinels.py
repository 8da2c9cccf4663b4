"""No secret is in anything that the app says or writes, but for the documents that hold it (docs/contract.md 2, 4)."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.raw_client import RawClient
from tests.security.sentinels import OUR_VARIABLES, Sentinels, files, fill_home
from tests.servers.launch import http_server
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.paths import Home
from toolnote_desktop.store.secrets.store import OPEN_FILE

CLONE = Path(__file__).parent.parent.parent


ONE_AFTER_THE_OTHER = """
import json, sys
from toolnote_desktop import log
from toolnote_desktop.cli import parser as cli

commands = json.load(sys.stdin)
for words in commands:
    log._secrets = log._tokens = None  # as in a new process: the next command has to know by itself what to cover
    assert cli.run(words) in (0, 1), words
assert commands
"""


def toolnote(*words: str, said: dict[str, bytes], given: str | None = None) -> None:
    """Run a command to its end and keep what it says."""
    ran = subprocess.run(
        [sys.executable, "-m", "toolnote_desktop", *words],
        cwd=CLONE,
        env={**os.environ, "TOOLNOTE_LOG": "trace"},
        input=(given or "").encode(),
        capture_output=True,
        timeout=90,
        check=False,
    )
    assert ran.returncode in (0, 1), (words, ran.stderr)
    assert b"Traceback" not in ran.stderr, ran.stderr.decode()
    said[" ".join(words)] = ran.stdout + ran.stderr


class Serving:
    """``toolnote serve`` in a process of its own, its stderr read as it comes."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "toolnote_desktop", "serve", "--port", "0"],
            cwd=CLONE,
            env={**os.environ, "TOOLNOTE_LOG": "trace"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._parts: list[bytes] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        assert self.process.stdout is not None
        self.ready: dict[str, Any] = json.loads(self.process.stdout.readline())

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._parts.append(line)

    def end(self) -> bytes:
        """End it; everything that it said but for its first line, which has the token by contract."""
        os.kill(self.process.pid, signal.SIGTERM)
        assert self.process.stdout is not None
        out = self.process.stdout.read()
        assert self.process.wait(30) == 0
        self._reader.join(30)
        with contextlib.closing(self.process.stdout):
            assert self.process.stderr is not None
            self.process.stderr.close()
        return out + b"".join(self._parts)


def provoke(ready: dict[str, Any], secret: Sentinels, secret_of_bridge: str, repeated: str) -> dict[str, bytes]:
    """Everything that a client can do wrong, and servers with it; what is answered outside of results."""
    said: dict[str, bytes] = {}
    client = RawClient(ready["url"], ready["token"])
    client.initialize()
    for name, path in {"health": "/health", "nowhere": f"/x?q={secret('request, query')}", "query": "/mcp?q=1"}.items():
        said[name] = client.send("GET", path=path, Authorization=None).body
    wrong = RawClient(ready["url"], secret("wrong token"))
    said["401"] = wrong.request("tools/list").body
    said["403"] = client.request("tools/list", Host=secret("host")).body
    said["403 origin"] = client.request("tools/list", Origin=f"http://{secret('origin')}").body
    said["404"] = client.request("tools/list", Mcp_Session_Id=secret("session")).body
    said["parse error"] = client.post(f'{{"x": {secret("body")}'.encode()).body
    said["no request"] = client.post({"jsonrpc": "2.0", "id": 1, "method": "no/such"}).body
    said["other client"] = RawClient(ready["url"], secret("token of a client")).request("tools/list").body
    said["bridge"] = RawClient(ready["url"], secret_of_bridge, toolnote_client="x").request("tools/list").body
    names = [tool["name"] for tool in client.tools()]
    arguments = {"text": f"{secret('argument of a call')} {repeated}", "message": repeated, "method": "roots/list"}
    for tool in names:
        if tool.partition("_")[2] in ("fail", "error", "log", "garbage", "crash", "ask", "process", "headers"):
            own = {"text": repeated} if tool.endswith("_garbage") else arguments  # it says so on its stdout
            client.call(tool, own)
    client.call("far_echo", arguments)
    client.call("call-tool", {"name": "good_fail", "arguments": arguments})
    said["built-in"] = client.call("list-available-tools").body
    return said


@pytest.fixture
def filled(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Sentinels, str]]:
    """A home whose secrets are known, a running HTTP server that some of its entries name, and our own variables.

    Gives the secrets, and what servers repeat of them.
    """
    secret = Sentinels()
    with http_server(http={"token": "another", "sessions": False}) as locked:
        repeated = fill_home(home, secret, locked.url, "http://127.0.0.1:9/mcp")
        for name in OUR_VARIABLES:
            monkeypatch.setenv(name, secret(name))
        monkeypatch.setenv("TOOLNOTE_TOKEN", secret("token of the run"))
        entry = {"name": "x", "tokenHash": hash_token(secret("token of a client"))}
        home.clients.write_text(json.dumps({"clients": {"x": entry}}), encoding="utf-8")
        yield secret, repeated


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM there")
def test_no_secret_gets_out(home: Home, user_folder: Path, filled: tuple[Sentinels, str]) -> None:
    secret, repeated = filled
    said: dict[str, bytes] = {}
    client_file = user_folder / "mcp.json"
    client_file.write_bytes(home.servers.read_bytes())
    serving = Serving()
    try:
        secret_of_bridge = json.loads(home.endpoint.read_text(encoding="utf-8"))["bridgeSecret"]
        said |= provoke(serving.ready, secret, secret_of_bridge, repeated)
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "good_crash", "arguments": {}}},
        ]
        given = "".join(json.dumps(line) + "\n" for line in lines) + f'{{"broken": {secret("bridge, stdin")}\n'
        toolnote("bridge", "--client", "x", said=said, given=given)
    finally:
        said["serve"] = serving.end()
    keep_secrets(secret("typed"), said)
    assert secret("typed") in (home.root / OPEN_FILE).read_text(encoding="utf-8")
    run_commands(home, user_folder, client_file, said)
    told = {name: secret.found(text) for name, text in said.items() if secret.found(text)}
    excepted = (home.servers, home.backups, client_file, home.root / OPEN_FILE, *user_folder.glob("scenario-*"))
    written = {
        str(file): found for file in files([user_folder], but=excepted) if (found := secret.found(file.read_bytes()))
    }
    for file in home.root.glob("activity.db*"):  # a server's error text, in which it repeats an argument, is recorded
        if written.get(str(file)) == ["argument of a call"]:
            del written[str(file)]
    assert (told, written) == ({}, {})
    everything = b"".join(said.values()) + b"".join(file.read_bytes() for file in files([user_folder], but=excepted))
    assert secret_of_bridge.encode() not in everything


def keep_secrets(typed: str, said: dict[str, bytes]) -> None:
    """What a person types in, where there is no keychain, and where it may be kept in a file all the same."""
    toolnote("secret", "set", "in-keychain", "none", said=said, given=typed)
    toolnote("secret", "set", "in-keychain", "none", "--not-encrypted", said=said, given=typed)
    toolnote("secret", "set", "in-keychain", "NOT A NAME", said=said, given=typed)
    toolnote("secret", "remove", "in-keychain", "another", said=said)


def run_commands(home: Home, user_folder: Path, client_file: Path, said: dict[str, bytes]) -> None:
    """Every command that reads what may hold a secret."""
    servers = json.loads(home.servers.read_text(encoding="utf-8"))["mcpServers"]
    for silent in ("hangs", "nonsense"):  # the commands would wait for them as long as a person may
        del servers[silent]
    home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    commands = [
        ["servers", "list"],
        ["servers", "list", "--json"],
        ["servers", "import", str(client_file), "--dry-run"],
        ["servers", "import", str(client_file), "--json", "--dry-run"],
        ["doctor", "--export", str(user_folder / "report.md")],
        ["doctor", "--json", "--export", str(user_folder / "report.json")],
        ["tools", "--json"],
        ["guide"],
        ["secret", "list", "in-keychain"],
        ["secret", "list", "in-keychain", "--json"],
        ["servers", "sign-out", "far"],
        ["toolset", "show", "work"],
        ["toolset", "export", "work", str(user_folder / "work.toolnote")],
        ["clients", "list"],
        ["clients", "install", "cursor", "--config", str(client_file), "--dry-run"],
        ["clients", "install", "cursor", "--config", str(client_file), "--url"],
        ["clients", "uninstall", "cursor", "--config", str(client_file)],
        *(["servers", "test", server, "--json"] for server in servers),
        *(["servers", "test", server] for server in ("far", "refuses")),
    ]
    # In one process, one after the other: else most of the time goes into its start.
    ran = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_THE_OTHER],
        cwd=CLONE,
        env={**os.environ, "TOOLNOTE_LOG": "trace"},
        input=json.dumps(commands).encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()[-2000:]
    assert b"Traceback" not in ran.stderr, ran.stderr.decode()
    said["commands"] = ran.stdout + ran.stderr
