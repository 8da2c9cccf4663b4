"""``${secret:NAME}`` at launch: from the keychain, with a deadline, in no log, and again after a change."""

from __future__ import annotations

import asyncio
import itertools
import sys
from typing import Any

import pytest

from tests.file_keyring import TestKeychain
from tests.proxy.upstream.harness import PATIENCE, run, running
from tests.servers.launch import http_server, raw_server_entry
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, RemoveEntry
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.upstream import launch_secrets
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets import store as secrets_module
from toolnote_desktop.store.secrets.removed_servers import RemovedServers
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore
from toolnote_desktop.system.threads import in_thread

SECRET = "sk-live-0123456789"

# A server that tells what it was given; what it says on stderr is in its log.
TELLS = """
import json, os, sys
sys.stderr.write("key is " + os.environ.get("KEY", "") + " and " + sys.argv[1] + "\\n"); sys.stderr.flush()
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        info = {"name": "t", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    elif message.get("method") == "tools/list":
        result = {"tools": [{"name": "tell", "inputSchema": {"type": "object"}}]}
    else:
        result = {"content": [{"type": "text", "text": os.environ.get("KEY", "") + "|" + sys.argv[1]}]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def tells(**more: Any) -> dict[str, Any]:
    return {
        "command": sys.executable,
        "args": ["-I", "-S", "-c", TELLS, "${secret:WORD}"],
        "env": {"KEY": "${secret:KEY}"},
        **more,
    }


def test_secrets_are_filled_in_and_in_no_log(home: Home, keychain: TestKeychain) -> None:
    store = SecretStore(home)
    store.write("a", "KEY", SECRET)
    store.write("a", "WORD", "open-sesame")

    async def work() -> None:
        async with running(home, {"a": tells()}, secrets=store) as servers:
            await servers.ready("a")
            assert await servers.text("a", "tell") == f"{SECRET}|open-sesame"
            async with asyncio.timeout(PATIENCE):
                while not servers["a"].log.tail():
                    await asyncio.sleep(0.01)
            said = "\n".join(servers["a"].log.tail())
            assert "key is" in said
            assert SECRET not in said
            assert "open-sesame" not in said
            assert SECRET not in repr(servers["a"]._entry)

    run(work())
    for path in home.root.rglob("*"):
        assert not path.is_file() or (SECRET.encode() not in path.read_bytes()), path


def test_a_secret_that_is_not_there_is_asked_for_and_taken_when_it_comes(home: Home, keychain: TestKeychain) -> None:
    store = SecretStore(home)
    store.write("a", "WORD", "w-w-w-w")

    async def work() -> None:
        async with running(home, {"a": tells(), "b": raw_server_entry()}, secrets=store) as servers:
            status = await servers.until_state("a", ServerState.NEEDS_VALUE)
            assert status.problem is not None
            assert status.problem.code is Code.VALUE_MISSING
            assert status.problem.parameters == {"server": "a", "field": "env.KEY", "variable": "secret:KEY"}
            await servers.ready("b")
            await asyncio.to_thread(SecretStore(home).write, "a", "KEY", SECRET)  # as another process does
            await servers.ready("a")
            assert (await servers.text("a", "tell")).startswith(SECRET)
            await in_thread(store.write, "a", "KEY", "another one")  # here
            await servers.events.until(lambda: servers.events.states("a").count(ServerState.READY) == 2)
            assert (await servers.text("a", "tell")).startswith("another one")
            assert servers.events.states("b").count(ServerState.READY) == 1
            await in_thread(store.remove, "a", "KEY")
            await servers.until_state("a", ServerState.NEEDS_VALUE)

    run(work())


def test_a_silent_keychain_holds_up_nobody(home: Home, keychain: TestKeychain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets_module.SecretStore.read, "__defaults__", (0.2,))
    store = SecretStore(home)
    store.write("a", "KEY", SECRET)
    store.write("a", "WORD", "w-w-w-w")
    keychain.mood = "silent"

    async def work() -> None:
        async with running(home, {"a": tells(), "b": raw_server_entry()}, secrets=store) as servers:
            await servers.ready("b")
            status = await servers.until_state("a", ServerState.NEEDS_VALUE)
            assert status.problem is not None
            assert status.problem.code is Code.KEYCHAIN_SILENT
            assert status.problem.parameters["field"] == "args[4]"
            keychain.mood = ""  # unlocked at last
            await servers.ready("a")

    run(work())


def test_a_secret_in_a_header_and_a_url(home: Home, keychain: TestKeychain) -> None:
    store = SecretStore(home)

    async def work() -> None:
        with http_server(http={"token": SECRET}) as server:
            entry = {"url": server.url + "?k=${secret:K}", "headers": {"Authorization": "Bearer ${secret:TOKEN}"}}
            async with running(home, {"a": entry}, secrets=store) as servers:
                await servers.until_state("a", ServerState.NEEDS_VALUE)
                await in_thread(store.write, "a", "TOKEN", SECRET, place=SecretLocation.RUN)
                await in_thread(store.write, "a", "K", "k-k-k-k", place=SecretLocation.FILE)
                await servers.ready("a")

    run(work())


def test_without_a_store_a_secret_is_missing(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": tells()}) as servers:
            status = await servers.until_state("a", ServerState.NEEDS_VALUE)
            assert status.problem is not None
            assert status.problem.code is Code.VALUE_MISSING

    run(work())


def test_looking_costs_next_to_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a second, one look at one file: nothing is read while nobody changes it."""
    assert launch_secrets.POLL_INTERVAL >= 1.0
    monkeypatch.setattr(launch_secrets, "POLL_INTERVAL", 0.01)
    store = SecretStore(home)
    read: list[object] = []
    store._names.read = lambda: read.append(1) or {}  # type: ignore[method-assign,func-returns-value]
    stamp, looks = store.stamp, itertools.count(1)

    async def work() -> None:
        looked_often = asyncio.Event()

        def look() -> object:
            if next(looks) == 5:
                looked_often.set()
            return stamp()

        monkeypatch.setattr(store, "stamp", look)
        following = asyncio.ensure_future(launch_secrets.watch_secrets(store, lambda server, name: None, lambda: None))
        async with asyncio.timeout(PATIENCE):
            await looked_often.wait()
        following.cancel()
        await asyncio.wait((following,))

    run(work())
    assert len(read) == 1


def test_undo_brings_a_removed_server_back_with_its_secrets(home: Home, keychain: TestKeychain) -> None:
    with Library.open(home, watch=False) as library:
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "a", tells()), AddEntry(SERVERS, SERVER_ENTRIES, "b", tells()))
        store = SecretStore.of(library)
        for server in ("a", "b"):
            store.write(server, "KEY", SECRET)
        removed = RemovedServers(library, store)
        undo = library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "a")).inverse
        library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "b"))
        assert store.read("a", "KEY") == SECRET
        library.submit(*undo)
        removed.close(PATIENCE)
        assert (store.read("a", "KEY"), store.read("b", "KEY")) == (SECRET, None)
