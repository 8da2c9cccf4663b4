"""Inspector of a tool and the values of its parameters: what is set belongs to the tool, each edit undoable."""

from __future__ import annotations

import time
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from tests.desktop.sample import ConnectedAssistant, pretend_to_serve
from toolnote_desktop.desktop.models.argument_rows import Limit, Shape, argument_rows
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, Kind, RowKey
from toolnote_desktop.desktop.models.tool_document import Viewer
from toolnote_desktop.desktop.theme.motion import Slide
from toolnote_desktop.desktop.tool_page.inspector import CallLine, ToolInspector
from toolnote_desktop.desktop.tool_page.more_settings import MoreSettings
from toolnote_desktop.desktop.tool_page.page import ToolPage
from toolnote_desktop.desktop.tool_page.parameters import ParameterLine
from toolnote_desktop.desktop.widgets.line_prompt import LinePrompt
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, AddEntry, toolset_document
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.library import Library

OUTCOMES = (Outcome.WORKED, Outcome.WORKED, Outcome.FAILED, Outcome.REFUSED)
CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")


@pytest.fixture
def page(window: MainWindow) -> ToolPage:
    window.go(CREATE)
    return window.pages.tool_page


@pytest.fixture
def details(page: ToolPage) -> ToolInspector:
    page.details.edit_behavior(True)
    return page.details


@pytest.fixture
def more(qtbot: QtBot, page: ToolPage) -> MoreSettings:
    more = page.details.more
    more.open()
    settled(qtbot, lambda: more.findChild(Slide, "unfolding") is None)
    return more


def entry(library: Library, name: str = "Linear.create_issue", toolset: str = "my-tools") -> ToolEntry:
    """Return what is in effect for a tool in a toolset."""
    snapshot = library.snapshot
    own = next(one for one in snapshot.toolsets[toolset].tools if one.namespaced_name == name)
    return snapshot.effective_entry(snapshot.catalogue.by_namespaced_name[name][0], own)


def line(page: ToolPage, label: str) -> ParameterLine:
    return next(one for one in page.parameters.lines if one.row.label == label)


def description(page: ToolPage) -> str:
    return page.document.description if page.document is not None else ""


def settled(qtbot: QtBot, condition: Any) -> None:
    qtbot.waitUntil(condition, timeout=3000)


# --- behavior


def test_four_facts_are_menus_while_they_are_edited(qtbot: QtBot, details: ToolInspector, library: Library) -> None:
    details.menus["readOnlyHint"].choose("yes")
    settled(qtbot, lambda: entry(library).hints == {"readOnlyHint": False})
    details.menus["openWorldHint"].choose("no")
    settled(qtbot, lambda: entry(library).hints == {"readOnlyHint": False, "openWorldHint": False})
    details.menus["destructiveHint"].choose("no")
    settled(qtbot, lambda: entry(library).hints.get("destructiveHint") is False)
    details.menus["idempotentHint"].choose("yes")
    settled(qtbot, lambda: entry(library).hints.get("idempotentHint") is True)
    details.menus["readOnlyHint"].choose("no")
    settled(qtbot, lambda: entry(library).hints.get("readOnlyHint") is True)
    settled(qtbot, lambda: not details.menus["destructiveHint"].isEnabled())


def test_effect_of_behavior_on_approval_dialogs_is_explained(qtbot: QtBot, details: ToolInspector) -> None:
    assert "Claude Desktop lists it under “Other tools”" in details.effect.text()
    details.menus["readOnlyHint"].choose("no")
    settled(qtbot, lambda: "Claude Desktop can allow it for good" in details.effect.text())
    details.edit_behavior(False)
    assert not details.effect.isVisible()


def test_an_answer_is_removed_and_undo_brings_it_back(
    qtbot: QtBot, window: MainWindow, details: ToolInspector, library: Library
) -> None:
    details.menus["openWorldHint"].choose("yes")
    settled(qtbot, lambda: entry(library).hints == {"openWorldHint": True})
    settled(qtbot, lambda: details.menus["openWorldHint"].current == "yes")
    details.menus["openWorldHint"].choose("unset")
    settled(qtbot, lambda: entry(library).hints == {})
    window.undo()
    settled(qtbot, lambda: entry(library).hints == {"openWorldHint": True})
    window.undo()
    settled(qtbot, lambda: entry(library).hints == {})
    assert "hints" not in (library.raw(toolset_document("my-tools")) or {})["tools"][0]


def test_a_preset_leaves_the_title(qtbot: QtBot, details: ToolInspector, more: MoreSettings, library: Library) -> None:
    more.title.setText("New issue")
    more.title.save()
    settled(qtbot, lambda: entry(library).hints == {"title": "New issue"})
    details.menus["presets"].choose("query")
    wanted = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
    settled(qtbot, lambda: entry(library).hints == {"title": "New issue", "priority": 0.7, **wanted})


def test_contradictions_are_pointed_out(qtbot: QtBot, details: ToolInspector) -> None:
    details.menus["readOnlyHint"].choose("no")
    settled(qtbot, details.problems.isVisible)
    assert "its name says “create”" in details.problems.text()


# --- the rest


def test_audience_priority_and_examples(qtbot: QtBot, more: MoreSettings, library: Library) -> None:
    more.audience.choose("user")
    settled(qtbot, lambda: entry(library).hints == {"audience": ["user"]})
    more.priority.setText("0.9")
    more.priority.save()
    settled(qtbot, lambda: entry(library).hints.get("priority") == 0.9)
    more.examples.editor.show_text('[{"input": {"title": "A"}}]')
    more.examples.save()
    settled(qtbot, lambda: entry(library).hints.get("examples") == [{"input": {"title": "A"}}])
    more.examples.editor.show_text('[{"output": 1}]')
    more.examples.save()
    assert "not a list of objects with an input" in more.wrong.text()
    assert entry(library).hints["examples"] == [{"input": {"title": "A"}}]


def test_word_and_reason_are_apart_from_ask_first(
    qtbot: QtBot, window: MainWindow, page: ToolPage, more: MoreSettings, library: Library
) -> None:
    assert more.literal.placeholderText() == "CREATE_ISSUE"
    more.reason.editor.show_text("Everyone gets an email.")
    more.reason.save()
    settled(qtbot, lambda: _consent(library).get("reason") == "Everyone gets an email.")
    more.literal.setText("YES_DO_IT")
    more.literal.save()
    settled(qtbot, lambda: _consent(library) == {"reason": "Everyone gets an email.", "literal": "YES_DO_IT"})
    settled(qtbot, lambda: "REQUIRES EXPLICIT USER INSTRUCTION" in description(page))
    click(page.ask_switch)
    settled(qtbot, lambda: entry(library).approval == "ask")
    click(page.ask_switch)
    settled(qtbot, lambda: entry(library).approval is None)
    assert _consent(library)["literal"] == "YES_DO_IT", "a setting of its own"
    more.literal.setText("")
    more.literal.save()
    more.reason.editor.show_text("")
    more.reason.save()
    settled(qtbot, lambda: _consent(library) == {})


def _consent(library: Library) -> dict[str, Any]:
    consent = entry(library).consent
    return consent.to_json() if consent is not None else {}


def test_when_category_need_and_name(
    qtbot: QtBot, window: MainWindow, page: ToolPage, more: MoreSettings, library: Library
) -> None:
    page.text.when.start_writing()
    QTest.keyClicks(page.text.when.editor, "For bugs.")
    page.text.flush()
    settled(qtbot, lambda: entry(library).when_to_use == "For bugs.")
    page.details.menus["category"].choose("new")
    (prompt,) = window.findChildren(LinePrompt)
    prompt.field.setText("Planning")
    click(prompt.confirm)
    settled(qtbot, lambda: entry(library).category == "Planning")
    settled(qtbot, lambda: page.details.menus["category"].text() == "Planning")
    more.need.choose("optional")
    settled(qtbot, lambda: entry(library).optionality == "optional")
    more.alias.setText("new issue!")
    more.alias.save()
    settled(qtbot, lambda: page.second.text() == "new_issue_")
    assert any("“new issue!” is taken" in notice.text for notice in page.notices)
    more.instructions.editor.show_text("Search first.")
    more.instructions.save()
    settled(qtbot, lambda: "Search first." in description(page))
    more.alias.setText("")
    more.alias.save()
    settled(qtbot, lambda: entry(library).alias is None)


def test_settings_of_a_toolset_are_hidden_for_a_tool_outside_it(
    qtbot: QtBot, window: MainWindow, more: MoreSettings, library: Library
) -> None:
    assert more.alias.isVisible()
    reference = ToolReference(namespaced_name="Linear.create_issue")
    library.submit(RemoveTools(toolset_document("my-tools"), (reference,)))
    settled(qtbot, lambda: not more.alias.isVisible())
    assert more.title.isVisible()


def test_text_being_written_belongs_to_the_tool_that_was_shown(
    qtbot: QtBot, window: MainWindow, more: MoreSettings, library: Library
) -> None:
    more.instructions.editor.setFocus()
    QTest.keyClicks(more.instructions.editor, "Mine")
    window.go(RowKey(Kind.TOOL, "Linear", "update_issue"))
    assert entry(library).instructions == "Mine"
    assert entry(library, "Linear.update_issue").instructions == ""
    assert more.instructions.text() == ""


def test_typing_is_one_step_and_the_windows_undo(
    qtbot: QtBot, window: MainWindow, more: MoreSettings, library: Library
) -> None:
    editor = more.instructions.editor
    editor.setFocus()
    for text in ("For ", "bugs"):
        QTest.keyClicks(editor, text)
        more.instructions.save()
    settled(qtbot, lambda: entry(library).instructions == "For bugs")
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, lambda: entry(library).instructions == "")


def test_switches_of_claude_code_are_offered_where_it_is_the_reader(
    qtbot: QtBot, page: ToolPage, more: MoreSettings, library: Library
) -> None:
    assert not more.ask_there.isVisible()
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "claude-code", {"name": "Claude Code"}))
    settled(qtbot, lambda: "claude-code" in page.details.boxes)
    page.viewer_button.choose(Viewer("claude-code"))
    settled(qtbot, lambda: more.ask_there.isVisible() and more.ask_there.height() > 0)  # laid out
    click(more.always_load)
    settled(qtbot, lambda: '"anthropic/alwaysLoad":true' in exact(page))
    click(more.ask_there)
    settled(qtbot, lambda: '"anthropic/requiresUserInteraction":true' in exact(page))
    more.result_size.setText("9000")
    more.result_size.save()
    settled(qtbot, lambda: '"anthropic/maxResultSizeChars":9000' in exact(page))
    click(more.always_load)
    settled(qtbot, lambda: "alwaysLoad" not in exact(page))


def test_a_tool_with_notes_is_offered_to_be_loaded_at_once_with_one_press(
    qtbot: QtBot, window: MainWindow, page: ToolPage, library: Library
) -> None:
    assert not page.on_demand.isVisible(), "no assistant loads on demand"
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "claude-code", {"name": "Claude Code"}))
    settled(qtbot, lambda: "claude-code" in page.details.boxes)
    assert not page.on_demand.isVisible(), "the reader loads all at once"
    page.viewer_button.choose(Viewer("claude-code"))
    settled(qtbot, page.on_demand.isVisible)
    assert page.on_demand_text.text().startswith("Claude Code loads tools on demand: ")
    click(page.load_button)
    settled(qtbot, lambda: not page.on_demand.isVisible())
    assert entry(library).hints["alwaysLoad"] is True
    window.undo()
    settled(qtbot, page.on_demand.isVisible)
    click(page.leave_button)
    settled(qtbot, lambda: not page.on_demand.isVisible())
    assert entry(library).hints["alwaysLoad"] is False
    window.undo()
    settled(qtbot, page.on_demand.isVisible)


def exact(page: ToolPage) -> str:
    return page.document.exact.decode() if page.document is not None else ""


# --- who gets it, and its last calls


def test_an_assistant_to_restart_is_marked_beside_its_box(
    qtbot: QtBot, window: MainWindow, details: ToolInspector
) -> None:
    pretend_to_serve(window)
    settled(qtbot, lambda: details.boxes["cursor"].accessibleDescription() == "Restart needed")
    assert details.boxes["claude-desktop"].accessibleDescription() == ""


def test_how_many_changes_an_assistant_has_not_read_is_below_its_name_until_it_fetches_them(
    qtbot: QtBot, window: MainWindow, details: ToolInspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red with the state alone, *Restart needed*."""

    def connect(changes: int) -> None:
        clients = (ConnectedAssistant("cursor", "cursor-vscode", not changes, changes_behind=changes),)
        monkeypatch.setattr(window._link, "clients", lambda: clients)
        window._link.clients_changed.emit(clients)

    pretend_to_serve(window)
    for changes, text in ((2, "Hasn’t read your last 2 changes"), (1, "Hasn’t read your last change")):
        connect(changes)
        settled(qtbot, lambda text=text: text in shown_texts(details))
        assert details.boxes["cursor"].accessibleDescription() == f"Restart needed. {text}"
    connect(0)
    settled(qtbot, lambda: details.boxes["cursor"].accessibleDescription() == "")
    assert not [text for text in shown_texts(details) if text.startswith("Hasn’t")]


def shown_texts(details: ToolInspector) -> list[str]:
    return [one.text() for one in details.findChildren(QLabel) if one.isVisible()]


def test_the_last_calls_of_this_tool_are_shown_and_lead_to_all(
    qtbot: QtBot, window: MainWindow, page: ToolPage
) -> None:
    settled(qtbot, page.details.isVisible)
    assert not page.details.calls_section.isVisible()  # no empty control
    log = ActivityLog(window._link.home)
    now = time.time()
    for number in range(len(OUTCOMES)):
        log.record_call(Call(now + number, "cursor", "Linear", "create_issue", 0.2, outcome=OUTCOMES[number]))
    log.record_call(Call(now + 9, "vscode", "Linear", "list_teams", 0.2))
    log.close()
    page.refresh_calls()
    settled(qtbot, page.details.calls_section.isVisible)
    calls = [one.accessibleName().split(", ")[1:] for one in page.details.findChildren(CallLine)]
    assert calls == [["Cursor", "Not allowed"], ["Cursor", "Failed"], ["Cursor", "Worked"]]
    link = page.details.calls_section.link
    assert link is not None
    click(link)
    assert window.place == ACTIVITY
    activity = window.pages.activity_page
    settled(qtbot, lambda: activity.model.rowCount() == len(OUTCOMES))
    assert activity.tools.text() == "Create issue"


# --- values of parameters


def test_a_parameter_gets_a_default_is_fixed_and_is_given_back(
    qtbot: QtBot, window: MainWindow, page: ToolPage, library: Library
) -> None:
    project = line(page, "project")
    project.value.choose(Shape.DEFAULT)
    assert project.field.isVisible()
    assert entry(library).argument_defaults == {}  # nothing before there is a value
    QTest.keyClicks(project.field, "Toolnote")
    QTest.keyClick(project.field, Qt.Key.Key_Return)
    settled(qtbot, lambda: entry(library).argument_defaults == {"project": "Toolnote"})
    settled(qtbot, lambda: line(page, "project").value.text() == "Default: Toolnote")
    line(page, "project").value.choose(Shape.FIXED)
    settled(qtbot, lambda: entry(library).hidden_arguments == ("project",))
    settled(qtbot, lambda: line(page, "project").value.text() == "Always “Toolnote”")
    assert entry(library).argument_defaults == {"project": "Toolnote"}
    line(page, "project").value.choose(Shape.FREE)
    settled(qtbot, lambda: (entry(library).hidden_arguments, entry(library).argument_defaults) == ((), {}))
    window.undo()
    settled(qtbot, lambda: entry(library).hidden_arguments == ("project",))
    assert entry(library).argument_defaults == {"project": "Toolnote"}


def test_a_value_of_another_type_is_not_kept(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    priority = line(page, "priority")
    priority.value.choose(Shape.DEFAULT)
    QTest.keyClicks(priority.field, "high")
    QTest.keyClick(priority.field, Qt.Key.Key_Return)
    assert priority.wrong.text() == "This parameter takes no such value."
    assert priority.wrong.isVisible()
    assert entry(library).argument_defaults == {}
    priority.field.setText("2")
    QTest.keyClick(priority.field, Qt.Key.Key_Return)
    settled(qtbot, lambda: entry(library).argument_defaults == {"priority": 2})


def test_a_parameter_is_hidden_altogether(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    line(page, "assignee").value.choose(Shape.HIDDEN)
    settled(qtbot, lambda: entry(library).hidden_arguments == ("assignee",))


def test_values_that_an_assistant_may_send_are_limited_and_free_again(
    qtbot: QtBot, window: MainWindow, page: ToolPage, library: Library
) -> None:
    def allowed(name: str) -> object:
        found = library.snapshot.tool_settings.by_name.get("Linear.create_issue")
        setting = found.parameters.get(name) if found is not None else None
        return setting.allowed if setting is not None else {}

    def limit(name: str, kind: Limit, text: str) -> ParameterLine:
        one = line(page, name)
        one.value.choose(kind)
        one.field.clear()
        QTest.keyClicks(one.field, text)
        QTest.keyClick(one.field, Qt.Key.Key_Return)
        return one

    limit("project", Limit.VALUES, "Toolnote, Website")
    settled(qtbot, lambda: allowed("project") == {"values": ["Toolnote", "Website"]})
    settled(qtbot, lambda: line(page, "project").rule.text() == "Only Toolnote, Website")
    settled(qtbot, line(page, "project").rule.isVisible)
    assert line(page, "project").value.text() == "Assistant decides"
    limit("project", Limit.LIKE, "Tool*")
    settled(qtbot, lambda: allowed("project") == {"like": "Tool*"})
    wrong = limit("project", Limit.UNDER, "docs")
    assert wrong.wrong.text() == "This is no whole path."
    limit("project", Limit.UNDER, "/home/me/docs")
    settled(qtbot, lambda: line(page, "project").rule.text() == "Only in /home/me/docs")
    limit("priority", Limit.VALUES, "1, 2")
    settled(qtbot, lambda: allowed("priority") == {"values": [1, 2]})
    line(page, "priority").value.choose("any")
    settled(qtbot, lambda: allowed("priority") == {})
    window.undo()
    settled(qtbot, lambda: allowed("priority") == {"values": [1, 2]})


def test_nested_parameters_are_behind_a_link_until_one_is_set(
    qtbot: QtBot, window: MainWindow, page: ToolPage, library: Library
) -> None:
    tool = Tool("Linear", NESTED)
    listing = ServerListing(library.snapshot.catalogue.servers["Linear"].status, (KnownTool(tool, tool),))
    library.publish_catalogue(Catalogue({"Linear": listing}, {tool.key: tool.name}))
    window.actions_.add_tools("my-tools", listing.tools)
    settled(qtbot, lambda: ("Linear", "search") in window.snapshot.catalogue.tools)
    window.go(RowKey(Kind.TOOL, "Linear", "search"))
    settled(qtbot, lambda: [one.row.name for one in page.parameters.lines] == ["filter", "rows", "deep"])
    click(page.parameters.nested_button)
    names = ["filter", "/filter/teamId", "rows", "/rows/*/kind", "deep"]
    assert [one.row.name for one in page.parameters.lines] == names
    kind = page.parameters.lines[3]
    kind.value.choose(Shape.DEFAULT)
    assert [kind.pick.itemText(row) for row in range(kind.pick.count())] == ["a", "b"]
    kind.pick.setCurrentIndex(1)
    kind.pick.activated.emit(1)
    settled(qtbot, lambda: entry(library, tool.namespaced_name).argument_defaults == {"/rows/*/kind": "b"})


NESTED = {
    "name": "search",
    "inputSchema": {
        "type": "object",
        "properties": {
            "filter": {"$ref": "#/$defs/Filter"},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}}},
            "deep": {"type": "boolean"},
        },
        "required": ["filter"],
        "$defs": {"Filter": {"type": "object", "properties": {"teamId": {"type": "string", "default": "T"}}}},
    },
}


def test_rows_of_nested_referenced_and_listed_arguments() -> None:
    shaped = ToolEntry(argument_defaults={"/filter/teamId": "x", "gone": 1}, hidden_arguments=("/rows/*/kind",))
    rows = {row.name: row for row in argument_rows(NESTED, shaped)}
    assert list(rows) == ["filter", "/filter/teamId", "rows", "/rows/*/kind", "deep", "gone"]
    assert [rows[name].depth for name in ("filter", "/filter/teamId")] == [0, 1]
    team, kind = rows["/filter/teamId"], rows["/rows/*/kind"]
    assert (team.shape, team.value, team.begin) == (Shape.DEFAULT, "x", "T")
    assert (kind.shape, kind.values) == (Shape.HIDDEN, ("a", "b"))
    assert rows["deep"].values == (True, False)
    assert rows["gone"].value == "1"  # what the schema names no more can be taken away
