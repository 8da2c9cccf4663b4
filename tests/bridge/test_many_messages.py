"""More messages at once than the app has connections for: none is lost, and what is stuck holds up nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from tests.bridge.harness import App, Client, Message, bridge
from tests.servers.launch import raw_server_command
from tests.waiting import wait_until
from toolnote_desktop.bridge.traffic import MAX_OTHERS, MAX_PENDING, MAX_REQUESTS
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.waiting_calls import MAX_WAITING

TOOLNOTE = [sys.executable, "-m", "toolnote_desktop"]
LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[1])))
os.execv(sys.executable, [sys.executable, "-m", "toolnote_desktop", *sys.argv[2:]])
"""
"""Starts Toolnote with few files, and so with few connections."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="resource limits")


def limited(files: int, *words: str) -> list[str]:
    return [sys.executable, "-c", LIMITED, str(files), *words] if files else [*TOOLNOTE, *words]


@contextmanager
def serving(home: Home, files: int = 0) -> Iterator[None]:
    """`toolnote serve --demo`, perhaps with few files."""
    command = limited(files, "serve", "--home", str(home.root), "--port", "0", "--demo")
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        assert json.loads(process.stdout.readline())["event"] == "ready"
        yield
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def ask_at_once(client: Client, number: int, method: str = "ping", **params: object) -> list[Message]:
    """Send requests without waiting for an answer, and return the answers, by their ids.

    What the app says meanwhile of its lists, as of those of a source that has just been connected, is no answer.
    """
    asked = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
    requests = [json.dumps({**asked, "id": one}) for one in range(number)]
    client.write("\n".join([*requests, ""]).encode())
    answers = (one for one in iter(client.next, None) if "id" in one)
    return sorted(islice(answers, number), key=lambda one: int(one["id"]))


def test_each_of_thousands_of_requests_at_once_is_answered(home: Home) -> None:
    """Seen red with a connection for each: of 5,000 two thirds were refused, of 100,000 nearly as many."""
    number = MAX_PENDING + 1_000
    with serving(home), bridge(home) as client:
        client.shake_hands()
        answers = ask_at_once(client, number)
        assert [one["id"] for one in answers] == list(range(number))
        assert [one for one in answers if one.get("result") != {}] == []


@posix
@pytest.mark.parametrize("of_the_bridge", [False, True], ids=["app", "bridge"])
def test_requests_wait_where_there_are_few_connections(home: Home, of_the_bridge: bool) -> None:
    """Seen red: what the app refused, or the system gave no connection for, was answered with an error."""
    with serving(home, 0 if of_the_bridge else 160):
        command = limited(64 if of_the_bridge else 0, "bridge", "--home", str(home.root))
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        client = Client(process)
        try:
            client.shake_hands()
            answers = ask_at_once(client, 500)
            assert [one for one in answers if one.get("result") != {}] == []
            answers = ask_at_once(client, 300, "tools/call", name="get-active-toolset", arguments={})
            assert [one for one in answers if "error" in one or one["result"].get("isError")] == []
        finally:
            client.close()


def test_calls_that_hang_hold_up_no_others(home: Home) -> None:
    """Seen red with fewer requests than the app lets wait: then none was left that it refuses."""
    with serving(home), bridge(home) as client:
        client.shake_hands()
        for words in (
            ["servers", "add", "odd", "--command", *raw_server_command()],
            ["toolset", "add-tool", "demo", "odd.hang"],
        ):
            subprocess.run([*TOOLNOTE, *words, "--home", str(home.root)], check=True, stdin=subprocess.DEVNULL)
        while not any(tool["name"] == "odd_hang" for tool in client.ask("list", "tools/list")["result"]["tools"]):
            client.notice("notifications/tools/list_changed")
        calls = MAX_REQUESTS + 100
        for number in range(calls):
            client.request(number, "tools/call", name="odd_hang", arguments={})
        refused: list[Message] = []
        while len(refused) < calls - MAX_WAITING:
            message = client.next()
            refused += [message] if "method" not in message else []
        assert all(one["result"]["isError"] for one in refused)
        assert client.ask("ping", "ping")["result"] == {}


def test_what_a_client_answers_passes_requests_that_wait(home: Home, tmp_path: Path) -> None:
    """Seen red in the order of all messages: an answer waited behind the call that waited for it."""
    app = App(home, tmp_path, on={"tools/call": "hang"})
    app.start()
    try:
        with bridge(home) as client:
            client.shake_hands()
            for number in range(MAX_REQUESTS + 10):
                client.request(number, "tools/call", name="echo", arguments={})
            wait_until(lambda: len(app.record.received("tools/call")) == MAX_REQUESTS)
            for _ in range(MAX_OTHERS + 10):
                client.notify("notifications/roots/list_changed")
            wait_until(lambda: len(app.record.received("notifications/roots/list_changed")) == MAX_OTHERS + 10)
            assert len(app.record.received("tools/call")) == MAX_REQUESTS, "the others wait"
    finally:
        app.kill()
