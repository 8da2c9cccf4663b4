"""Which era a server is spoken to in first, by what is remembered of it: right, and wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.servers.launch import Record, raw_server_entry
from tests.upstream.harness import run, running
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy import handshake
from toolnote_desktop.proxy.handshake import Era

SDK_SERVER = Path(__file__).parent.parent / "servers" / "conformance_server.py"


DISCOVER = ["server/discover"]
DISCOVER_AFTER = ["initialize", "server/discover"]


def remembered(server: str) -> Era:
    return Era.MODERN


def test_a_remembered_server_is_started_once(home: Home) -> None:
    async def work() -> None:
        entry = {"command": sys.executable, "args": [str(SDK_SERVER)]}
        async with running(home, {"sdk": entry}, remembered_era=remembered) as servers:
            await servers.ready("sdk")
            assert servers["sdk"].status.protocol_version == "2026-07-28"
            assert servers.events.states("sdk") == [ServerState.STARTING, ServerState.READY]
            assert not servers["sdk"].speaks(Era.HANDSHAKE)

    run(work())


@pytest.mark.parametrize(
    ("scenario", "first"),
    [
        ({"era": "handshake"}, ["server/discover", "initialize", "server/discover"]),
        ({"era": "handshake", "unknownMethods": "ignore"}, ["server/discover", "initialize", "server/discover"]),
        ({"era": "handshake", "on": {"server/discover": "exit"}}, [*DISCOVER, *DISCOVER_AFTER, "initialize"]),
    ],
    ids=["refuses", "says nothing", "breaks"],
)
def test_what_is_remembered_may_be_wrong(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: dict[str, Any], first: list[str]
) -> None:
    monkeypatch.setattr(handshake, "DISCOVERY", 0.2)
    record = Record(tmp_path / "record")

    async def work() -> None:
        entry = raw_server_entry(record=str(record.path), **scenario)
        async with running(home, {"a": entry}, remembered_era=remembered) as servers:
            await servers.ready("a")
            assert servers["a"].status.protocol_version == "2025-11-25"
            assert await servers.text("a", "fail", text="fine") == "fine"
        asked = [json.loads(one["raw"])["method"] for one in record.entries() if one["event"] == "in"]
        assert [method for method in asked if method in ("server/discover", "initialize")] == first

    run(work())
