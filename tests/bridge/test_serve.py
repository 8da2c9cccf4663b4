"""The bridge and the real proxy (`toolnote serve --demo`), as a client has them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.bridge.harness import MODERN, Client, Message, bridge
from tests.servers.launch import Record, raw_server_command
from toolnote_desktop.paths import Home

TOOLNOTE = [sys.executable, "-m", "toolnote_desktop"]
CHANGED = "notifications/tools/list_changed"
ERAS = pytest.mark.parametrize("meta", [None, MODERN], ids=["handshake", "modern"])


class Serve:
    """`toolnote serve --demo` on a home: started, ended as a person would, or killed."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [*TOOLNOTE, "serve", "--home", str(self.home.root), "--port", "0", "--demo"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert json.loads(self.process.stdout.readline())["event"] == "ready"

    def end(self) -> None:
        assert self.process is not None
        self.process.terminate()
        assert self.process.wait(30) == 0
        self.kill()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


@pytest.fixture
def serve(home: Home) -> Iterator[Serve]:
    found = Serve(home)
    try:
        found.start()
        yield found
    finally:
        found.kill()


def toolnote(home: Home, *arguments: str) -> None:
    subprocess.run([*TOOLNOTE, *arguments, "--home", str(home.root)], check=True, stdin=subprocess.DEVNULL)


def listed_when(client: Client, *names: str, meta: Message | None = None) -> dict[str, Message]:
    """The tools by name, as soon as these are among them: what comes later is announced."""
    while True:
        answer = client.ask("list", "tools/list", **({"_meta": meta} if meta else {}))
        tools = {tool["name"]: tool for tool in answer["result"]["tools"]}
        if set(names) <= set(tools):
            return tools
        client.notice(CHANGED)


def hang(home: Home, client: Client, meta: Message | None) -> Record:
    """Add a server, and call its tool that never answers, with the id ``call``; what the server has seen."""
    record = Record(home.root / "record")
    command = raw_server_command(record=str(record.path))
    toolnote(home, "servers", "add", "odd", "--command", *command)
    toolnote(home, "toolset", "add-tool", "demo", "odd.hang")
    listed_when(client, "odd_hang")
    client.request("call", "tools/call", name="odd_hang", arguments={}, **({"_meta": meta} if meta else {}))
    record.wait_for("call", tool="hang")
    return record


def test_notes_and_calls(home: Home, serve: Serve) -> None:
    with bridge(home, "--client", "claude-desktop") as client:
        assert client.shake_hands()["result"]["serverInfo"]["name"] == "toolnote"
        tools = listed_when(client, "tracker_create_issue", "handbook_create_event")
        assert "• **team-selection**: Always ask which team" in tools["tracker_create_issue"]["description"]
        assert "Engineering" in client.call(1, "tracker_list_teams")["result"]["content"][0]["text"]
        toolnote(home, "note", "add", "tracker.list_teams", "spelling", "Write Engineering, not Eng.", "--everywhere")
        while "• **spelling**: Write Engineering" not in tools["tracker_list_teams"]["description"]:
            client.notice(CHANGED)
            tools = listed_when(client, "tracker_list_teams")
        assert client.end_input() == 0


def test_a_toolset_that_is_made_later(home: Home, serve: Serve) -> None:
    with bridge(home, "--client", "cursor", "--toolset", "wrok") as client:
        assert '"wrok"' in client.shake_hands()["result"]["instructions"]
        assert "tracker_list_teams" not in [tool["name"] for tool in client.ask("l", "tools/list")["result"]["tools"]]
        toolnote(home, "toolset", "create", "wrok", "tracker.list_teams")
        listed_when(client, "tracker_list_teams")
        assert client.end_input() == 0
    told = 'toolnote bridge: there is no toolset "wrok" (--toolset); there are: demo. It will be served '
    assert client.errors.decode().startswith(told)
    assert client.errors.count(b"\n") == 1


def test_a_toolset_that_is_there_is_no_news(home: Home, serve: Serve) -> None:
    with bridge(home, "--client", "cursor", "--toolset", "demo") as client:
        client.shake_hands()
        listed_when(client, "tracker_list_teams")
        assert client.end_input() == 0
    assert client.errors == b""


def test_the_modern_era(home: Home, serve: Serve) -> None:
    with bridge(home) as client:
        assert client.ask(0, "server/discover", _meta=MODERN)["result"]["supportedVersions"] == ["2026-07-28"]
        client.request("sub", "subscriptions/listen", notifications={"toolsListChanged": True}, _meta=MODERN)
        client.notice("notifications/subscriptions/acknowledged")
        listed_when(client, "tracker_list_teams", meta=MODERN)
        assert client.call(1, "tracker_list_teams", meta=MODERN)["result"]["resultType"] == "complete"


def test_the_proxy_is_started_again(home: Home, serve: Serve) -> None:
    with bridge(home) as client:
        client.shake_hands()
        listed_when(client, "tracker_list_teams")
        serve.end()
        serve.start()  # on another port, with another secret
        client.notice(CHANGED)
        listed_when(client, "tracker_list_teams")
        assert "Engineering" in client.call(1, "tracker_list_teams")["result"]["content"][0]["text"]


@ERAS
def test_a_call_in_flight_when_the_proxy_is_killed(home: Home, serve: Serve, meta: Message | None) -> None:
    with bridge(home) as client:
        client.shake_hands()
        hang(home, client, meta)
        serve.kill()
        result = client.answer("call")["result"]
    assert result["isError"] is True
    assert "Toolnote was closed during this call" in result["content"][0]["text"]


@ERAS
def test_cancellation_reaches_the_server(home: Home, serve: Serve, meta: Message | None) -> None:
    with bridge(home) as client:
        client.shake_hands()
        record = hang(home, client, meta)
        client.notify("notifications/cancelled", requestId="call")
        record.wait_for("cancelled")


@ERAS
def test_a_call_under_way_ends_with_its_client(home: Home, serve: Serve, meta: Message | None) -> None:
    with bridge(home) as client:
        client.shake_hands()
        record = hang(home, client, meta)
        assert client.end_input() == 0
        record.wait_for("cancelled")
