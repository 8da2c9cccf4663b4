"""Start of child processes: program, folder, environment, and failures."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.upstream.harness import entry, run, running
from tests.proxy.upstream.test_retry_policy import problem_of
from tests.servers.launch import raw_server_entry
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.thread import _new_loop
from toolnote_desktop.proxy.transports.child_process import is_downloader
from toolnote_desktop.proxy.transports.posix_process import PosixProcess, start_process
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore


def real_path(path: Path) -> str:
    """As a process sees its own folder."""
    return os.path.realpath(path)


@pytest.mark.skipif(sys.platform == "win32", reason="no execute bit")
def test_c40_what_cannot_be_started(home: Home, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01 not a program")
    broken.chmod(0o755)
    servers = {
        "not-executable": {"command": str(plain)},
        "no-format": {"command": str(broken)},
        "folder": {"command": str(tmp_path)},
        "no-folder": {**raw_server_entry(), "cwd": str(tmp_path / "nowhere")},
        "file-for-folder": {**raw_server_entry(), "cwd": str(plain)},
        "good": {**raw_server_entry(), "cwd": str(tmp_path)},
    }

    async def work() -> None:
        async with running(home, servers) as all_of_them:
            await all_of_them.ready("good")
            for server in ("not-executable", "no-format", "folder"):
                status = await all_of_them.until_state(server, ServerState.FAILED)
                assert problem_of(status.problem).code is Code.PROGRAM_NOT_STARTED
            status = await all_of_them.until_state("no-folder", ServerState.FAILED)
            assert problem_of(status.problem).code is Code.FOLDER_MISSING
            assert problem_of(status.problem).parameters["folder"] == str(tmp_path / "nowhere")
            status = await all_of_them.until_state("file-for-folder", ServerState.FAILED)
            assert problem_of(status.problem) == Problem(
                Code.SERVER_ENTRY_INVALID,
                {"server": "file-for-folder", "field": "cwd", "reason": "it is a file, not a folder"},
            )
            assert json.loads(await all_of_them.text("good", "process"))["cwd"] == real_path(tmp_path)

    run(work())


def test_a_missing_value_needs_the_user(home: Home) -> None:
    broken = {**raw_server_entry(), "env": {"TOKEN": "${TOOLNOTE_TEST_NO_SUCH_VARIABLE}"}}

    async def work() -> None:
        async with running(home, {"a": broken, "good": raw_server_entry()}) as servers:
            status = await servers.until_state("a", ServerState.NEEDS_VALUE)
            assert problem_of(status.problem) == Problem(
                Code.VALUE_MISSING,
                {"server": "a", "field": "env.TOKEN", "variable": "TOOLNOTE_TEST_NO_SUCH_VARIABLE"},
            )
            assert not await servers["a"].wait_ready(10)
            await servers.ready("good")
            servers.upstreams.apply({"a": entry(raw_server_entry()), "good": entry(raw_server_entry())})
            await servers.ready("a")

    run(work())


def test_c45_values_are_filled_in_at_launch(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLNOTE_TEST_FOLDER", str(tmp_path))
    raw = raw_server_entry()
    raw["args"] = [*raw["args"], "${TOOLNOTE_TEST_FOLDER}/x", "${env:NOT_THERE:-default}"]
    raw |= {"cwd": "${TOOLNOTE_TEST_FOLDER}", "env": {"KEY": "${secret:KEY}"}}

    store = SecretStore(home)
    store.write("a", "KEY", "a/KEY", place=SecretLocation.RUN)

    async def work() -> None:
        async with running(home, {"a": raw}, secrets=store) as servers:
            await servers.ready("a")
            process = json.loads(await servers.text("a", "process"))
            assert process["argv"][-2:] == [f"{tmp_path}/x", "default"]
            assert process["env"]["KEY"] == "a/KEY"
            assert process["cwd"] == real_path(tmp_path)

    run(work())


def test_the_childs_environment_is_chosen(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "a secret of the shell")
    monkeypatch.setenv("TOOLNOTE_TOKEN", "ours")
    monkeypatch.setenv("QT_PLUGIN_PATH", "/ours")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "/ours")
    monkeypatch.setenv("PYTHONPATH", "/ours")

    async def work() -> None:
        async with running(home, {"a": {**raw_server_entry(), "env": {"MINE": "1"}}}) as servers:
            await servers.ready("a")
            environment = json.loads(await servers.text("a", "process"))["env"]
            assert environment["MINE"] == "1"
            assert environment["HOME"] == os.environ["HOME"]
            assert not {"GITHUB_TOKEN", "TOOLNOTE_TOKEN", "QT_PLUGIN_PATH", "_PYI_ARCHIVE_FILE"} & set(environment)
            assert environment.get("PYTHONPATH") is None

    run(work())


@pytest.mark.skipif(sys.platform == "win32", reason="a shebang")
def test_c43_a_programs_own_folder_is_on_its_path(home: Home, tmp_path: Path) -> None:
    server = raw_server_entry()
    interpreter = tmp_path / "fake-node"
    interpreter.write_text(f'#!/bin/sh\nshift\nexec "{server["command"]}" "$@"\n')
    launcher = tmp_path / "fake-npx"
    launcher.write_text("#!/usr/bin/env fake-node\n")
    for path in (interpreter, launcher):
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    async def work() -> None:
        async with running(home, {"a": {"command": str(launcher), "args": server["args"]}}) as servers:
            await servers.ready("a")
            path = json.loads(await servers.text("a", "process"))["env"]["PATH"]
            assert path.split(os.pathsep)[0] == str(tmp_path)

    run(work())


def test_c51_toolnote_is_no_server_of_its_own(home: Home) -> None:
    servers: dict[str, dict[str, Any]] = {
        "bridge": {"command": "toolnote", "args": ["bridge", "--client", "cursor"]},
        "module": {"command": sys.executable, "args": ["-m", "toolnote_desktop", "serve"]},
        "url": {"url": "http://localhost:8377/mcp/"},
        "ipv6": {"url": "http://[::1]:8377/mcp"},
    }

    async def work() -> None:
        async with running(home, servers, own_urls=("http://127.0.0.1:8377/mcp",)) as all_of_them:
            for server in servers:
                status = await all_of_them.until_state(server, ServerState.FAILED)
                assert problem_of(status.problem) == Problem(Code.SERVER_IS_TOOLNOTE, {"server": server})

    run(work())


@pytest.mark.parametrize(
    ("command", "downloads"), [("npx", True), ("/opt/bin/uvx", True), ("NPX.CMD", True), ("x", False)]
)
def test_commands_that_may_download(command: str, downloads: bool) -> None:
    assert is_downloader(entry({"command": command})) is downloads


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
@pytest.mark.parametrize("new_loop", [_new_loop, asyncio.new_event_loop], ids=["uvloop", "asyncio"])
def test_pipes_are_closed_once(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    """uvloop closes the descriptor and then the file. Seen in a soak of 10,000 edits, with files that own theirs: the
    number was that of a document by then, which could not be written (EBADF).
    """

    async def go() -> None:
        child = start_process((sys.executable, "-c", "input()"), "/", {}, {})
        process = PosixProcess(child, asyncio.SubprocessProtocol())
        await process.connect()
        child.kill()
        files = [process.get_pipe_transport(fd).get_extra_info("pipe") for fd in range(3)]  # type: ignore[union-attr]
        closes_descriptors = not type(asyncio.get_running_loop()).__module__.startswith("uvloop")
        assert [file.closefd for file in files] == [closes_descriptors] * 3
        descriptors = [file.fileno() for file in files]
        process.close()
        await asyncio.sleep(0.01)
        child.wait()
        for descriptor in descriptors:
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.fstat(descriptor)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(go())
