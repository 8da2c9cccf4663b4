"""The doctor checks the port that the app would take (docs/contract.md 2, ``port``)."""

from __future__ import annotations

import socket

import pytest

from toolnote_desktop.commands import checks
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home


def test_taken_port_is_reported_unless_any_free_one_is_wanted(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(checks, "DEFAULT_PORT", port)
        for wanted, is_taken in ((None, True), (port, True), (0, False)):
            snapshot = Snapshot(settings=Settings(port=wanted))
            findings = list(checks.check_endpoint(snapshot, home))
            assert [one.text for one in findings if one.wrong] == (
                [f"port {port} is used by another program: the app will use another port"] if is_taken else []
            )
