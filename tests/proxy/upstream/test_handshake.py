"""Handshake: the era of a server and the requests that determine it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.upstream.harness import run, running
from tests.servers.launch import Record, http_server, raw_server_entry
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.upstream import handshake

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"


class Remembered:
    """Remember the modern era for all servers."""

    def remembered_era(self, server: str) -> Era | None:
        return Era.MODERN

    def remember_era(self, server: str, era: Era | None) -> None:
        """Do nothing."""


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "record")


def introductions(record: Record) -> list[str]:
    """With what a server was asked who it is."""
    asked = [json.loads(one["raw"])["method"] for one in record.entries() if one["event"] == "in"]
    return [method for method in asked if method in ("server/discover", "initialize")]


@pytest.mark.parametrize(
    ("era", "wanted", "spoken", "both", "asked"),
    [
        ("both", None, HANDSHAKE, True, ["initialize", "server/discover"]),
        ("both", "handshake", HANDSHAKE, False, ["initialize"]),
        ("both", "modern", MODERN, False, ["server/discover"]),
        ("handshake", None, HANDSHAKE, False, ["initialize", "server/discover"]),
        ("handshake", "modern", HANDSHAKE, False, ["server/discover", "initialize"]),
        ("modern", None, MODERN, False, ["initialize", "server/discover"]),
        ("modern", "handshake", MODERN, False, ["initialize", "server/discover"]),
    ],
)
def test_on_pipes_a_server_is_asked_for_the_other_era_too(
    home: Home, record: Record, era: str, wanted: str | None, spoken: str, both: bool, asked: list[str]
) -> None:
    """Where it answers on the same connection, it is spoken to in both there."""

    async def work() -> None:
        entry = {**raw_server_entry(era=era, record=str(record.path)), "toolnote": {"era": wanted}}
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            assert servers["a"].status.protocol_version == spoken
            assert await servers.text("a", "fail", text="fine") == "fine"
            assert servers["a"].speaks(Era.HANDSHAKE) is (spoken == HANDSHAKE)
            assert servers["a"].speaks(Era.MODERN) is (both or spoken == MODERN)
            assert not servers["a"].eras.speaks_both
            assert servers.events.states("a") == [ServerState.STARTING, ServerState.READY]
        assert introductions(record) == asked

    run(work())


@pytest.mark.parametrize(
    ("scenario", "asked"),
    [
        ({"unknownMethods": "ignore"}, ["initialize", "server/discover", "initialize"]),
        ({"on": {"server/discover": "exit"}}, ["initialize", "server/discover", "initialize", "initialize"]),
    ],
    ids=["says nothing", "breaks"],
)
def test_server_silent_to_discover_is_never_asked_again(
    home: Home, record: Record, monkeypatch: pytest.MonkeyPatch, scenario: dict[str, Any], asked: list[str]
) -> None:
    monkeypatch.setattr(handshake, "DISCOVERY_TIMEOUT", 0.2)

    async def work() -> None:
        raw = raw_server_entry(era="handshake", record=str(record.path), **scenario)
        async with running(home, {"a": raw}) as servers:
            await servers.ready("a")
            await servers.text("a", "sleep_ms", ms=400)  # longer than the answer is waited for
            before = len(servers.events.lists)
            servers.upstreams.restart("a")
            await servers.events.until(lambda: len(servers.events.lists) > before)
            await servers.ready("a")
        assert introductions(record) == asked

    run(work())


@pytest.mark.parametrize(
    ("scenario", "asked"),
    [
        ({}, ["server/discover", "initialize"]),
        ({"unknownMethods": "ignore"}, ["server/discover", "initialize"]),
        ({"on": {"server/discover": "exit"}}, ["server/discover", "initialize"]),
    ],
    ids=["refuses", "says nothing", "breaks"],
)
def test_remembered_era_may_be_wrong(
    home: Home, record: Record, monkeypatch: pytest.MonkeyPatch, scenario: dict[str, Any], asked: list[str]
) -> None:
    monkeypatch.setattr(handshake, "DISCOVERY_TIMEOUT", 0.2)

    async def work() -> None:
        raw = raw_server_entry(era="handshake", record=str(record.path), **scenario)
        async with running(home, {"a": raw}, eras=Remembered()) as servers:
            await servers.ready("a")
            assert servers["a"].status.protocol_version == HANDSHAKE
            assert await servers.text("a", "fail", text="fine") == "fine"
        assert introductions(record) == asked

    run(work())


def test_an_entry_may_be_wrong_about_a_server_that_answers_nothing_that_it_does_not_know(
    home: Home, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handshake, "DISCOVERY_TIMEOUT", 0.2)

    async def work() -> None:
        raw = raw_server_entry(era="handshake", unknownMethods="ignore", record=str(record.path))
        async with running(home, {"a": {**raw, "toolnote": {"era": "modern"}}}) as servers:
            await servers.ready("a")
            assert servers["a"].status.protocol_version == HANDSHAKE
        assert introductions(record) == ["server/discover", "initialize"]

    run(work())


@pytest.mark.parametrize(
    ("scenario", "wanted", "spoken", "both"),
    [
        ({"era": "both"}, None, HANDSHAKE, True),
        ({"era": "both"}, "handshake", HANDSHAKE, False),
        ({"era": "both"}, "modern", MODERN, False),
        ({"era": "handshake"}, None, HANDSHAKE, False),
        ({"era": "modern"}, None, MODERN, False),
    ],
)
def test_over_http_a_server_may_be_spoken_to_in_both(
    home: Home, record: Record, scenario: dict[str, Any], wanted: str | None, spoken: str, both: bool
) -> None:
    async def work() -> None:
        with http_server(**scenario, record=str(record.path)) as server:
            entry = {"type": "http", "url": server.url, "toolnote": {"era": wanted}}
            async with running(home, {"a": entry}) as servers:
                await servers.ready("a")
                assert servers["a"].status.protocol_version == spoken
                assert servers["a"].speaks(Era.HANDSHAKE) is (spoken == HANDSHAKE)
                assert servers["a"].speaks(Era.MODERN) is (both or spoken == MODERN)

    run(work())


def test_over_http_a_server_that_never_says_whether_it_speaks_the_other_is_not_waited_for(
    home: Home, record: Record
) -> None:
    async def work() -> None:
        with http_server(era="handshake", unknownMethods="ignore", record=str(record.path)) as server:
            async with running(home, {"a": {"type": "http", "url": server.url}}) as servers:
                await servers.ready("a")
                assert not servers["a"].speaks(Era.MODERN)
        assert introductions(record) == ["initialize", "server/discover"]

    run(work())
