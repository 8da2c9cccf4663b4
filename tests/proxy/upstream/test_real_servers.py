"""Published servers from PyPI and npm."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proxy.upstream.harness import run, running
from toolnote_desktop.paths import Home


def module(name: str, *arguments: str) -> dict[str, object]:
    return {"command": sys.executable, "args": ["-m", name, *arguments]}


def test_git_and_time(home: Home, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "new.txt").write_text("hello")
    servers = {"git": module("mcp_server_git"), "time": module("mcp_server_time", "--local-timezone", "UTC")}

    async def work() -> None:
        async with running(home, servers) as both:
            await both.ready("git", "time")
            tools = {server: {tool["name"] for tool in listed.tools} for server, listed in both.events.lists}
            assert {"git_status", "git_log"} <= tools["git"]
            assert {"get_current_time", "convert_time"} <= tools["time"]
            assert "new.txt" in await both.text("git", "git_status", repo_path=str(tmp_path))
            assert json.loads(await both.text("time", "get_current_time", timezone="UTC"))["timezone"] == "UTC"
            refused = await both.call("time", "get_current_time", timezone="Nowhere/Else")
            assert refused["isError"] is True

    run(work())


@pytest.mark.node
def test_everything(home: Home, everything_server: list[str]) -> None:
    async def work() -> None:
        entry = {"command": everything_server[0], "args": everything_server[1:]}
        async with running(home, {"everything": entry}) as servers:
            await servers.ready("everything")
            ((_, listed), *_) = servers.events.lists
            assert len(listed.tools) > 5
            assert listed.resources
            assert listed.prompts
            assert "hello" in await servers.text("everything", "echo", message="hello")

    run(work())
