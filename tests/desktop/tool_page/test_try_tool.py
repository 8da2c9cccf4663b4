"""A tool is tried from the window: through a real proxy, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.proxy.running import raw_server
from tests.servers.launch import Record
from toolnote_desktop.desktop.models.argument_rows import argument_rows
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import tool_view
from toolnote_desktop.desktop.models.try_tool_form import form_rows, gathered
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.tool_page.try_tool_dialog import TryToolDialog, answer_text
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

ECHO = {
    "name": "echo",
    "inputSchema": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to say"},
            "times": {"type": "integer"},
            "tone": {"enum": ["soft", "loud"]},
            "more": {"type": "object"},
            "to": {
                "type": "object",
                "properties": {
                    "team": {"type": "string"},
                    "place": {"$ref": "#/$defs/place"},
                    "names": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
                },
                "required": ["team"],
            },
        },
        "required": ["text"],
        "$defs": {
            "place": {
                "type": "object",
                "properties": {"floor": {"type": "integer"}, "room": {"type": "string"}},
                "required": ["floor"],
            }
        },
    },
    "annotations": {"readOnlyHint": True},
}
TOOLS = [ECHO, *({"name": name, "inputSchema": {"type": "object"}} for name in ("hang", "fail"))]
ENTRY = {"namespacedName": "raw.echo", "argumentDefaults": {"times": 2}}


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "record.jsonl")


@pytest.fixture
def library(home: Home, record: Record) -> Iterator[Library]:
    with Library.open(home, watch=False) as library:
        server = raw_server(tools=TOOLS, toolnote={}, record=str(record.path))
        library.submit(
            SetFields(SETTINGS, {"port": 0, "equippedToolset": "work"}),
            AddEntry(SERVERS, SERVER_ENTRIES, "raw", server),
            CreateDocument(toolset_document("work"), {"name": "work", "tools": [ENTRY]}),
        )
        yield library


@pytest.fixture
def served(qtbot: QtBot, link: ProxyLink, library: Library) -> ProxyLink:
    """The link with its proxy started and the server ready."""
    with qtbot.waitSignal(link.endpoint_changed, timeout=30000):
        link.start()
    qtbot.waitUntil(lambda: ("raw", "echo") in library.snapshot.catalogue.tools, timeout=30000)
    return link


@pytest.fixture
def parent(qtbot: QtBot) -> Iterator[QWidget]:
    parent = QWidget()
    yield parent
    parent.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def dialog(library: Library, link: ProxyLink, parent: QWidget, tool: str) -> TryToolDialog:
    view = tool_view(library.snapshot, RowKey(Kind.TOOL, "raw", tool))
    assert view is not None
    made = TryToolDialog(view, link, parent)
    made.open()
    return made


def test_try_tool_read_only_runs_without_confirmation(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = dialog(library, served, parent, "echo")
    text, times, tone, more = (tried.fields[name] for name in ("text", "times", "tone", "more"))
    assert isinstance(text, QLineEdit)
    assert isinstance(times, QLineEdit)
    assert isinstance(tone, ComboBox)
    assert isinstance(more, QLineEdit)
    assert times.text() == "2"  # the toolset's default
    tried.run_button.click()
    assert tried.warning.text() == "Still needed: text."
    QTest.keyClicks(text, "hello")
    QTest.keyClicks(more, "[1")
    tried.run_button.click()
    assert tried.warning.text() == "“more” holds something else than it should."
    more.setText('{"a": 1}')
    tone.setCurrentIndex(2)
    tried.run_button.click()
    qtbot.waitUntil(lambda: "It answered" in tried.state.text(), timeout=20000)
    (call,) = record.received("tools/call")
    assert call["params"]["arguments"] == {"text": "hello", "times": 2, "tone": "loud", "more": {"a": 1}}
    assert '"text":"hello"' in tried.answer.toPlainText().replace(" ", "")
    tried.reject()


def test_try_tool_shows_fields_inside_an_object(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = dialog(library, served, parent, "echo")
    fields = {name: field for name, field in tried.fields.items() if isinstance(field, QLineEdit)}
    assert set(fields) == {"text", "times", "more", "/to/team", "/to/place/floor", "/to/place/room", "/to/names"}
    assert fields["/to/place/floor"].accessibleName() == "to › place › floor (needed)"
    fields["text"].setText("hello")
    assert tried.arguments() == ({"text": "hello", "times": 2}, ())  # nothing in it is needed while it is not given
    fields["/to/place/room"].setText("B")
    tried.run_button.click()
    assert tried.warning.text() == "Still needed: to › team, to › place › floor."
    fields["/to/team"].setText("Core")
    fields["/to/place/floor"].setText("second")
    tried.run_button.click()
    assert tried.warning.text() == "“to › place › floor” holds something else than it should."
    fields["/to/place/floor"].setText("2")
    fields["/to/names"].setText('[{"id": 1}]')
    tried.run_button.click()
    qtbot.waitUntil(lambda: "It answered" in tried.state.text(), timeout=20000)
    (call,) = record.received("tools/call")
    assert call["params"]["arguments"]["to"] == {
        "team": "Core",
        "place": {"floor": 2, "room": "B"},
        "names": [{"id": 1}],
    }
    tried.reject()


def test_an_object_that_is_needed_is_sent_and_one_with_a_value_is_written_as_json() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = {"type": "object", "properties": {"one": inner, "two": inner, "/x": inner}, "required": ["one", "/x"]}
    entry = ToolEntry.read({"argumentDefaults": {"two": {"a": "b"}}})
    form = form_rows(argument_rows({"inputSchema": schema}, entry))
    assert [(one.path, one.is_heading) for one in form] == [
        (("one",), True),
        (("one", "a"), False),
        (("two",), False),
        (("/x",), True),
        (("/x", "a"), False),
    ]
    assert gathered(form, {}) == ({"one": {}, "/x": {}}, ())
    assert gathered(form, {("/x", "a"): "c"}) == ({"one": {}, "/x": {"a": "c"}}, ())


def test_try_tool_asks_before_it_changes_something(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = dialog(library, served, parent, "fail")
    tried.run_button.click()
    assert tried.warning.text() == "It may change something in raw. Run it?"
    assert tried.run_button.text() == "Yes, run it"
    assert record.received("tools/call") == []
    tried.run_button.click()
    qtbot.waitUntil(lambda: "It failed" in tried.state.text(), timeout=20000)
    tried.run_button.click()
    assert tried.run_button.text() == "Yes, run it"  # and the next time again
    assert len(record.received("tools/call")) == 1
    tried.reject()


def test_try_tool_closing_cancels_the_call(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = dialog(library, served, parent, "hang")
    tried.run_button.click()
    tried.run_button.click()
    qtbot.waitUntil(lambda: len(record.received("tools/call")) == 1, timeout=20000)
    tried.reject()
    qtbot.waitUntil(lambda: len(record.received("notifications/cancelled")) == 1, timeout=20000)


def test_before_the_proxy_answers_nothing_runs(
    library: Library, link: ProxyLink, served: ProxyLink, parent: QWidget
) -> None:
    tried = dialog(library, link, parent, "echo")
    text = tried.fields["text"]
    assert isinstance(text, QLineEdit)
    text.setText("x")
    link.stop()
    tried.run_button.click()
    assert "not serving yet" in tried.warning.text()
    tried.reject()


def test_answers_for_people() -> None:
    assert answer_text({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}) == "a\n\nb"
    assert answer_text({"content": [], "structuredContent": {"n": 1}}) == '{\n  "n": 1\n}'
    assert '"type": "image"' in answer_text({"content": [{"type": "image", "data": "x"}]})
    assert answer_text([1]) == "[\n  1\n]"
