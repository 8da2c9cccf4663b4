"""A tool is tried from the window: through a real proxy, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.helpers import click
from tests.proxy.running import raw_server
from tests.servers.launch import Record
from toolnote_desktop.desktop.models.argument_rows import argument_rows
from toolnote_desktop.desktop.models.library_rows import HOME, Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import tool_view
from toolnote_desktop.desktop.models.try_tool_form import form_rows, gathered
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.tool_page.page import ToolPage
from toolnote_desktop.desktop.tool_page.try_inspector import TRY_WIDTH, TryInspector, answer_text
from toolnote_desktop.desktop.widgets.auto_save_fields import TextField
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.page import INSPECTOR_WIDTH, Width
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
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.tool import Tool
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


def form(library: Library, link: ProxyLink, parent: QWidget, tool: str) -> TryInspector:
    view = tool_view(library.snapshot, RowKey(Kind.TOOL, "raw", tool))
    assert view is not None
    made = TryInspector(view, link)
    made.setParent(parent)
    parent.show()
    made.show()
    return made


def test_try_tool_read_only_runs_without_confirmation(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = form(library, served, parent, "echo")
    text, times, tone, more = (tried.fields[name] for name in ("text", "times", "tone", "more"))
    assert isinstance(text, QLineEdit)
    assert isinstance(times, QLineEdit)
    assert isinstance(tone, ComboBox)
    assert isinstance(more, QLineEdit)
    assert times.text() == "2"  # the toolset's default
    tried.run_button.click()
    assert tried.warning.text() == "Fill in text."
    QTest.keyClicks(text, "hello")
    QTest.keyClicks(more, "[1")
    tried.run_button.click()
    assert tried.warning.text() == "“more” takes no such value."
    more.setText('{"a": 1}')
    tone.setCurrentIndex(2)
    tried.run_button.setFocus()
    tried.run_button.click()
    qtbot.waitUntil(lambda: tried.state.text().startswith("Worked in "), timeout=20000)
    assert parent.focusWidget() is tried.run_button  # seen red without handing it on: it left the inspector
    (call,) = record.received("tools/call")
    assert call["params"]["arguments"] == {"text": "hello", "times": 2, "tone": "loud", "more": {"a": 1}}
    assert '"text":"hello"' in tried.answer.text().replace(" ", "")


def test_try_tool_shows_fields_inside_an_object(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = form(library, served, parent, "echo")
    fields = {name: field for name, field in tried.fields.items() if isinstance(field, QLineEdit)}
    assert set(fields) == {"text", "times", "more", "/to/team", "/to/place/floor", "/to/place/room", "/to/names"}
    assert fields["/to/place/floor"].accessibleName() == "to › place › floor, required"
    fields["text"].setText("hello")
    assert tried.arguments() == ({"text": "hello", "times": 2}, ())  # nothing in it is needed while it is not given
    fields["/to/place/room"].setText("B")
    tried.run_button.click()
    assert tried.warning.text() == "Fill in to › team and to › place › floor."
    fields["/to/team"].setText("Core")
    fields["/to/place/floor"].setText("second")
    tried.run_button.click()
    assert tried.warning.text() == "“to › place › floor” takes no such value."
    fields["/to/place/floor"].setText("2")
    fields["/to/names"].setText('[{"id": 1}]')
    tried.run_button.click()
    qtbot.waitUntil(lambda: tried.state.text().startswith("Worked in "), timeout=20000)
    (call,) = record.received("tools/call")
    assert call["params"]["arguments"]["to"] == {
        "team": "Core",
        "place": {"floor": 2, "room": "B"},
        "names": [{"id": 1}],
    }


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


def test_try_tool_asks_before_it_may_delete_data(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = form(library, served, parent, "fail")
    tried.run_button.click()
    assert tried.warning.text() == "raw doesn’t say what Fail changes. Run it?"
    assert tried.run_button.text() == "Run anyway"
    assert record.received("tools/call") == []
    tried.run_button.click()
    qtbot.waitUntil(lambda: tried.state.text().startswith("Failed after "), timeout=20000)
    tried.run_button.click()
    assert tried.run_button.text() == "Run anyway"  # and the next time again
    assert len(record.received("tools/call")) == 1


def test_stopping_cancels_the_call(
    qtbot: QtBot, library: Library, served: ProxyLink, parent: QWidget, record: Record
) -> None:
    tried = form(library, served, parent, "hang")
    tried.run_button.click()
    tried.run_button.setFocus()
    tried.run_button.click()
    qtbot.waitUntil(lambda: len(record.received("tools/call")) == 1, timeout=20000)
    assert parent.focusWidget() is tried.stop_button
    click(tried.stop_button)
    assert parent.focusWidget() is tried.run_button  # seen red without handing it back
    qtbot.waitUntil(lambda: len(record.received("notifications/cancelled")) == 1, timeout=20000)
    assert tried.state.text() == "Stopped"
    assert tried.run_button.isEnabled()


def test_leaving_the_tool_cancels_the_call(
    qtbot: QtBot, light_theme: Theme, library: Library, served: ProxyLink, record: Record
) -> None:
    """A call went on, unseen, before the page cancelled it."""
    window = MainWindow(library, served)
    qtbot.addWidget(window)
    window.show()
    window.go(RowKey(Kind.TOOL, "raw", "hang"))
    page = window.pages.tool_page
    page.try_tool()
    tried = page.trial
    assert tried is not None
    tried.run_button.click()
    tried.run_button.click()
    qtbot.waitUntil(lambda: len(record.received("tools/call")) == 1, timeout=20000)
    window.go(HOME)
    qtbot.waitUntil(lambda: len(record.received("notifications/cancelled")) == 1, timeout=20000)
    assert page.trial is None
    window.close()


def test_a_list_is_written_a_line_each_and_hidden_parameters_have_no_field(
    library: Library, link: ProxyLink, parent: QWidget
) -> None:
    schema = {
        "type": "object",
        "properties": {
            "labels": {"type": "array", "items": {"type": "string"}},
            "project": {"type": "string"},
            "token": {"type": "string"},
        },
        "required": ["token"],
    }
    tool = Tool("raw", {"name": "label", "inputSchema": schema})
    listing = ServerListing(ServerStatus(ServerState.READY), (KnownTool(tool, tool),))
    library.publish_catalogue(Catalogue({"raw": listing}, {tool.key: tool.name}))
    entry = {"argumentDefaults": {"labels": ["bug"], "project": "Toolnote"}, "hiddenArguments": ["project", "token"]}
    library.submit(SetFields(toolset_document("work"), {"tools": [{"namespacedName": tool.namespaced_name, **entry}]}))
    tried = form(library, link, parent, "label")
    (labels,) = tried.fields.values()
    assert isinstance(labels, TextField)
    assert labels.text() == "bug"
    labels.editor.show_text("bug\n\nurgent, today")
    assert tried.arguments() == ({"labels": ["bug", "urgent, today"], "project": "Toolnote"}, ())
    click(tried.clear_button)
    assert labels.text() == "bug"


# --- in the window


@pytest.fixture
def page(home: Home, qtbot: QtBot, light_theme: Theme) -> Iterator[ToolPage]:
    with sample.open_library(home) as library:
        link = ProxyLink(library, home)
        window = MainWindow(library, link)
        window.resize(1360, 840)
        window.show()
        window.go(RowKey(Kind.TOOL, "Linear", "create_issue"))
        yield window.pages.tool_page
        window.close()
        link.stop()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_try_it_takes_the_place_of_the_details(qtbot: QtBot, page: ToolPage) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    window.frame.show_inspector(False)
    click(page.try_button)
    tried = page.trial
    assert tried is not None
    assert window.frame.inspectors.currentWidget() is tried
    assert window.frame.inspector_panel.width() == TRY_WIDTH
    assert list(tried.fields) == ["title", "team", "description", "priority", "labels", "project", "assignee"]
    assert tried.can_delete
    click(tried.close_button)
    assert window.frame.inspectors.currentWidget() is page.details
    assert window.frame.inspector_panel.width() == INSPECTOR_WIDTH
    window.menu.try_tool.trigger()
    assert page.trial is not None
    page.trial.start_writing()
    QTest.keyClick(page.trial.fields["title"], Qt.Key.Key_Escape)
    assert page.trial is None


@pytest.mark.parametrize("width", [720, 1000])
def test_try_it_in_a_narrow_window(qtbot: QtBot, page: ToolPage, width: int) -> None:
    page.window().resize(width, 700)
    page.try_tool()
    assert page.trial is not None
    qtbot.waitUntil(page.trial.run_button.isVisible)
    click(page.trial.close_button)
    assert page.details.isVisible() is (width < Width.MEDIUM)


def test_before_the_proxy_answers_nothing_runs(
    library: Library, link: ProxyLink, served: ProxyLink, parent: QWidget
) -> None:
    tried = form(library, link, parent, "echo")
    text = tried.fields["text"]
    assert isinstance(text, QLineEdit)
    text.setText("x")
    link.stop()
    tried.run_button.click()
    assert "still starting" in tried.warning.text()


def test_answers_for_people() -> None:
    assert answer_text({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}) == "a\n\nb"
    assert answer_text({"content": [], "structuredContent": {"n": 1}}) == '{\n  "n": 1\n}'
    assert '"type": "image"' in answer_text({"content": [{"type": "image", "data": "x"}]})
    assert answer_text([1]) == "[\n  1\n]"
