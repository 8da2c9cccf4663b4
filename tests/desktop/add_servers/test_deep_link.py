"""Links ``toolnote://add-server``: what they offer, and why one offers nothing."""

from __future__ import annotations

import base64
import json

import pytest

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.deep_link import read_link

OURSELVES = ToolnoteIdentity()


def test_links_offer_a_server_and_do_nothing() -> None:
    config = base64.urlsafe_b64encode(json.dumps({"command": "npx", "args": ["-y", "ü"]}).encode()).decode().rstrip("=")
    reading = read_link(f"toolnote://add-server?name=notes&config={config}", OURSELVES)
    assert [(one.id, one.entry) for one in reading.candidates] == [("notes", {"command": "npx", "args": ["-y", "ü"]})]
    plain = read_link("toolnote://add-server?url=https%3A%2F%2Fmcp.linear.app%2Fmcp", OURSELVES)
    assert [one.id for one in plain.candidates] == ["linear"]


@pytest.mark.parametrize(
    "link",
    [
        "toolnote://run?command=sh",
        "https://add-server?name=x",
        "toolnote://add-server",
        "toolnote://add-server?config=%%%",
        "toolnote://add-server?url=file:///etc/passwd",
        "toolnote://add-server?config=" + base64.b64encode(b"[1]").decode(),
        "toolnote://[",
        "toolnote://add-server?url=https://x/" + "y" * 8_200,
    ],
)
def test_links_that_offer_nothing_say_why(link: str) -> None:
    reading = read_link(link, OURSELVES)
    assert reading.candidates == ()
    assert reading.warnings != ()
