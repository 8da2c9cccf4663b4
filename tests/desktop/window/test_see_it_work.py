"""The story of *See it work*: ten calls fail, the offered note is taken, the client reads it, and its effect is said.

A real server, the real proxy, a client over HTTP in a thread, the window, and both commands on the same home.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from tests.proxy.raw_client import RawClient
from tests.proxy.running import raw_server
from toolnote_desktop.cli import parser
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, HOME, Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.home_activity import read_activity
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.paths import CLIENT_HEADER, Home
from toolnote_desktop.store.activity_queries import recent_calls
from toolnote_desktop.store.library import Library

NAME = "tracker_create_issue"
KEY = ("tracker", "create_issue")
CREATE = {
    "name": "create_issue",
    "description": "Creates an issue.",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "priority": {"type": "integer", "minimum": 1, "maximum": 4}},
    },
}
WORKED = json.dumps({"content": [{"type": "text", "text": "created"}]})
FAILED = json.dumps({"content": [{"type": "text", "text": "priority 9 is out of range"}], "isError": True})


class Assistant:
    """Client that takes its priority from the description that it read, as an assistant would."""

    def __init__(self, url: str, secret: str) -> None:
        self._client = RawClient(url, secret, **{CLIENT_HEADER: "cursor"})
        self._threads = ThreadPoolExecutor(1)
        self.description = ""

    def start(self) -> None:
        self._client.initialize()

    def read_list(self) -> None:
        self.description = self._client.tool(NAME)["description"]

    def call(self) -> bool:
        """Call the tool; the server refuses a priority that it does not know."""
        knows = "must be from 1 to 4" in self.description
        arguments = {"priority": 2 if knows else 9, "text": WORKED if knows else FAILED}
        return not self._client.call(NAME, arguments).result.get("isError", False)

    def do(self, qtbot: QtBot, action: Any) -> Any:
        """Do something in a thread while the window's loop runs."""
        future = self._threads.submit(action)
        qtbot.waitUntil(future.done, timeout=20_000)
        return future.result()

    def close(self) -> None:
        self._threads.shutdown()


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    with Library.open(home, watch=False) as library:
        content: dict[str, Any] = {"name": "work", "title": "Work", "tools": [], "toolNotes": []}
        library.submit(
            CreateDocument(toolset_document("work"), content),
            SetFields(SETTINGS, {"equippedToolset": "work", "port": 0}),
            AddEntry(
                SERVERS, SERVER_ENTRIES, "tracker", raw_server(tools=[CREATE], calls={"create_issue": "raw_result"})
            ),
        )
        yield library


@pytest.fixture
def link(qtbot: QtBot, library: Library, home: Home) -> Iterator[ProxyLink]:
    link = ProxyLink(library, home)
    link.start()
    yield link
    link.stop()


@pytest.fixture
def assistant(qtbot: QtBot, link: ProxyLink, window: MainWindow) -> Iterator[Assistant]:
    qtbot.waitUntil(lambda: link.endpoint is not None and KEY in window.snapshot.catalogue.tools, timeout=20_000)
    endpoint = link.endpoint
    assert endpoint is not None
    assistant = Assistant(endpoint.url, endpoint.bridge_secret)
    yield assistant
    assistant.close()


@pytest.mark.timeout(120)
def test_from_ten_failures_to_a_note_that_helps(
    qtbot: QtBot,
    window: MainWindow,
    link: ProxyLink,
    assistant: Assistant,
    home: Home,
    capfdbinary: pytest.CaptureFixture[bytes],
    light_theme: Theme,
) -> None:
    def printed(*words: str) -> Any:
        capfdbinary.readouterr()
        assert parser.run([*words, "--home", str(home.root)]) == 0
        return json.loads(capfdbinary.readouterr().out)

    def recorded(count: int) -> None:
        qtbot.waitUntil(lambda: len(recent_calls(home)) == count, timeout=20_000)

    # Ten calls fail.
    assistant.do(qtbot, assistant.start)
    assistant.do(qtbot, assistant.read_list)
    assert [assistant.do(qtbot, assistant.call) for _ in range(10)] == [False] * 10
    recorded(10)

    # Home and the tool's page say why, and offer a note; one press takes it.
    window.go(HOME)
    window.pages.home_page.show_activity(read_activity(home, window.snapshot))
    assert window.pages.home_page.offers.isVisible()
    window.go(RowKey(Kind.TOOL, *KEY))
    page = window.pages.tool_page
    qtbot.waitUntil(lambda: bool(page.offers.buttons))
    assert page.offers.offers[0].text == "“priority” did not fit 10 times; the schema wants from 1 to 4"
    page.offers.buttons[0].click()

    # The client reads it, and its calls work.
    (there,) = [one for one in link.clients() if one.id == "cursor"]
    qtbot.waitUntil(lambda: any(one.changes_behind == 1 for one in link.clients()), timeout=20_000)
    assistant.do(qtbot, assistant.read_list)
    qtbot.waitUntil(lambda: all(one.up_to_date for one in link.clients()), timeout=20_000)
    assert [assistant.do(qtbot, assistant.call) for _ in range(12)] == [True] * 12
    recorded(22)

    # Page, command and effect agree.
    calls = printed("activity", "--json")["calls"]
    assert [one["outcome"] for one in calls] == ["worked"] * 12 + ["failed"] * 10
    assert {one["client"] for one in calls} == {"cursor"}
    assert [one["name"] for one in calls[0]["notes"]] == ["priority-range"]
    assert calls[-1]["refused"] == ["/priority maximum"]
    assert calls[0]["revision"] == calls[-1]["revision"] + 1
    (effect,) = printed("effect", "--json")["effects"]
    assert (effect["before"], effect["since"]) == ({"calls": 10, "failed": 10}, {"calls": 12, "failed": 0})
    assert effect["verdict"] == "helps"
    page.refresh_calls()
    words = "Since this note 0 of 12 calls failed. Before, 10 of 10. It helps."
    qtbot.waitUntil(lambda: [card.effect.text() for card in page.notes.cards] == [words])
    window.go(HOME)
    window.pages.home_page.show_activity(read_activity(home, window.snapshot))
    assert window.pages.home_page.effects.isVisible()
    assert not window.pages.home_page.offers.isVisible(), "the note is taken"
    window.go(ACTIVITY)
    activity = window.pages.activity_page
    qtbot.waitUntil(lambda: activity.second.text() == "22 calls, 10 failed")
    activity.table.selectRow(0)
    qtbot.waitUntil(lambda: activity.details.call is not None and not activity._opening.is_running)
    assert activity.details.worked_button.isVisibleTo(activity.details) is (link.worked_example(KEY) is not None), (
        "what worked is offered while the session lasts"
    )
    assert there.id == "cursor"
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
