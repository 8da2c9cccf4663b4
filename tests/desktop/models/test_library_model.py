"""The sidebar's model: what it says, and that it changes row by row."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_builder import MOST_TOOLS
from toolnote_desktop.desktop.models.library_rows import (
    ASSISTANTS,
    HOME,
    NEW_ASSISTANT,
    NEW_SOURCE,
    NEW_TOOLSET,
    SOURCES,
    Kind,
    Mark,
    Row,
    RowKey,
)
from toolnote_desktop.desktop.models.library_tree import LibraryTree, Role
from toolnote_desktop.desktop.models.needs_you import Unconnected
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue

Text = Qt.ItemDataRole.DisplayRole


@pytest.fixture
def tree(qtbot: QtBot) -> Iterator[LibraryTree]:
    tree = LibraryTree()
    tester = QAbstractItemModelTester(tree, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield tree
    tester.deleteLater()


def lines(model: QAbstractItemModel, parent: QModelIndex | None = None, depth: int = 9) -> list[str]:
    """The whole tree as indented text, the right column in brackets."""
    result = []
    parent = parent or QModelIndex()
    for place in range(model.rowCount(parent)):
        index = model.index(place, 0, parent)
        right = index.data(Role.RIGHT)
        level = "  " * index.data(Role.LEVEL)
        result.append(f"{level}{index.data(Text)}" + (f" [{right}]" if right else ""))
        if depth > 1:
            result += lines(model, index, depth - 1)
    return result


def test_the_places_and_what_their_rows_say_on_the_right(tree: LibraryTree) -> None:
    tree.show(sample.snapshot(), needs=3)
    assert lines(tree, depth=2) == [
        "Home [3 need you]",
        "Activity",
        "Assistants",
        "  Claude Desktop",
        "  Cursor",
        "  VS Code",
        "Toolsets",
        "  My tools [56]",
        "  Planning week [9]",
        "  Release day [14]",
        "Tool sources",
        "  Linear [21]",
        "  Git [8]",
        "  Notion [Sign in]",
        "  Files [Starting]",
        "  GitHub [5]",
        "  Slack [4]",
        "  Calendar [3]",
        "  Postgres [Failed]",
        "  Jira (old) [Off]",
    ]


def test_an_assistant_says_how_it_is_and_its_toolset(tree: LibraryTree) -> None:
    running = sample.ConnectedAssistant("claude-desktop", "claude-ai", True)
    behind = sample.ConnectedAssistant("cursor", "cursor-vscode", False)
    stranger = sample.ConnectedAssistant("", "some-client", True)
    tree.show(sample.snapshot(), [running, behind, stranger])
    rows = [tree.index(place, 0, tree.find(ASSISTANTS)) for place in range(tree.rowCount(tree.find(ASSISTANTS)))]
    assert [(row.data(Text), row.data(Role.MARK), row.data(Role.SECOND), row.data(Role.ICON)) for row in rows] == [
        ("Claude Desktop", Mark.GOOD, "Running · My tools", "C"),
        ("Cursor", Mark.ATTENTION, "Restart needed · My tools", "Cu"),
        ("VS Code", Mark.OFF, "Set up · My tools", "V"),
        ("some-client", Mark.GOOD, "Running · My tools", "S"),
    ]
    assert rows[1].data(Qt.ItemDataRole.AccessibleTextRole) == "Cursor, Restart needed · My tools"
    tree.show(sample.snapshot(), [running, Unconnected("claude-desktop"), Unconnected("vscode")])
    seconds = [tree.index(place, 0, tree.find(ASSISTANTS)).data(Role.SECOND) for place in range(3)]
    assert seconds == ["Running · My tools", "Set up · My tools", "Not connected · My tools"]


def test_a_source_has_its_tools_with_notes_the_one_that_is_shown_and_all(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    noted = [
        "    Create issue [3 notes]",
        "    Search projects [1 note]",
        "    Update issue [2 notes]",
    ]
    linear = RowKey(Kind.SERVER, "Linear")
    assert lines(tree, tree.find(linear)) == [*noted, "    All 21 tools…"]
    teams = RowKey(Kind.TOOL, "Linear", "list_teams")
    tree.show(sample.snapshot(), shown=teams)
    assert lines(tree, tree.find(linear)) == [*noted, "    List teams", "    All 21 tools…"]
    merge = tree.find(RowKey(Kind.TOOL, "GitHub", "merge_pull_request"))
    assert (merge.data(Role.RIGHT), merge.data(Role.RIGHT_MARK)) == ("Changed", Mark.ATTENTION)


def test_no_more_than_eight_tools_of_a_source_are_listed(tree: LibraryTree) -> None:
    found = sample.large_catalogue(200, servers=1)
    names = [known.tool.namespaced_name for known in found.tools.values()][:30]
    notes = [{"toolRef": {"namespacedName": name}, "notes": [{"name": "a", "note": "A."}]} for name in names]
    toolset = {**sample.toolset_documents()["my-tools"], "toolNotes": notes}
    tree.show(sample.snapshot(found=found, toolsets={"my-tools": toolset}))
    (server,) = found.servers
    assert tree.rowCount(tree.find(RowKey(Kind.SERVER, server))) == MOST_TOOLS + 1


def test_what_a_colour_says_is_said_in_words_too(tree: LibraryTree) -> None:
    tree.show(sample.snapshot(), needs=1)
    role = Qt.ItemDataRole.AccessibleTextRole
    assert tree.find(HOME).data(role) == "Home, 1 needs you"
    assert tree.find(RowKey(Kind.SERVER, "Linear")).data(role) == "Linear, 21, Ready, 21 tools"
    assert tree.find(RowKey(Kind.SERVER, "Notion")).data(role) == "Notion, Sign in"
    assert tree.find(RowKey(Kind.TOOL, "Linear", "create_issue")).data(role) == "Create issue, 3 notes"


def test_groups_cannot_be_selected_and_leaves_have_no_children(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    selectable, leaf = Qt.ItemFlag.ItemIsSelectable, Qt.ItemFlag.ItemNeverHasChildren
    assert not tree.flags(tree.find(SOURCES)) & selectable
    assert tree.flags(tree.find(RowKey(Kind.SERVER, "Linear"))) & selectable
    assert not tree.flags(tree.find(RowKey(Kind.SERVER, "Linear"))) & leaf
    for key in (HOME, RowKey(Kind.TOOL, "Linear", "create_issue"), RowKey(Kind.TOOLSET, "my-tools")):
        assert tree.flags(tree.find(key)) & leaf
        assert tree.flags(tree.find(key)) & selectable


def test_added_note_changes_one_row_and_resets_nothing(tree: LibraryTree, qtbot: QtBot) -> None:
    tree.show(sample.snapshot())
    changed: list[str] = []
    others: list[str] = []
    tree.dataChanged.connect(lambda first, last: changed.append(f"{first.data(Text)} to {last.data(Text)}"))
    tree.rowsInserted.connect(lambda: others.append("inserted"))
    tree.rowsRemoved.connect(lambda: others.append("removed"))
    tree.modelReset.connect(lambda: others.append("reset"))
    toolsets = sample.toolset_documents()
    toolsets["my-tools"]["toolNotes"][1]["notes"].append({"name": "more", "note": "And more."})
    tree.show(sample.snapshot(2, toolsets=toolsets))
    assert tree.find(RowKey(Kind.TOOL, "Linear", "search_projects")).data(Role.RIGHT) == "2 notes"
    assert changed == ["Search projects to Search projects"]
    assert others == []


def test_the_same_snapshot_again_changes_nothing(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    changes: list[str] = []
    tree.dataChanged.connect(lambda: changes.append("changed"))
    tree.rowsInserted.connect(lambda: changes.append("inserted"))
    tree.show(sample.snapshot())
    assert changes == []


def test_an_index_stays_with_its_row_through_additions_removals_and_a_new_order(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    slack = QPersistentModelIndex(tree.find(RowKey(Kind.SERVER, "Slack")))
    linear = QPersistentModelIndex(tree.find(RowKey(Kind.SERVER, "Linear")))
    tool = QPersistentModelIndex(tree.find(RowKey(Kind.TOOL, "Linear", "update_issue")))
    found = sample.catalogue()
    servers = {name: found.servers[name] for name in reversed(list(found.servers)) if name not in ("GitHub", "Files")}
    tree.show(
        sample.snapshot(2, found=Catalogue(servers, found.exposed)), shown=RowKey(Kind.TOOL, "Slack", "get_thread")
    )
    assert (slack.row(), slack.data(Text), tree.rowCount(slack)) == (3, "Slack", 2)
    assert (linear.row(), tool.row(), tool.data(Text)) == (6, 2, "Update issue")
    tree.show(sample.snapshot(3))
    assert (slack.row(), linear.row(), tool.row(), tree.rowCount(slack)) == (5, 0, 2, 1)


def test_a_state_that_changes_changes_its_row_only(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    assert tree.find(RowKey(Kind.SERVER, "Notion")).data(Role.MARK) == Mark.ATTENTION
    found = sample.catalogue()
    servers = dict(found.servers)
    servers["Notion"] = replace(servers["Notion"], status=ServerStatus(ServerState.READY))
    changed: list[str] = []
    tree.dataChanged.connect(lambda first, last: changed.append(first.data(Text)))
    tree.show(replace(sample.snapshot(2), catalogue=Catalogue(servers, found.exposed)))
    notion = tree.find(RowKey(Kind.SERVER, "Notion"))
    assert (notion.data(Role.RIGHT), notion.data(Role.MARK)) == ("6", Mark.GOOD)
    assert changed == ["Notion"]


def test_an_empty_library_says_what_can_be_added(tree: LibraryTree) -> None:
    expected = [
        "Home",
        "Activity",
        "Assistants",
        "  Connect an assistant…",
        "Toolsets",
        "  New toolset",
        "Tool sources",
        "  Add tools…",
    ]
    tree.show(Snapshot())
    assert lines(tree) == expected
    tree.show(sample.snapshot())
    assert not {NEW_ASSISTANT, NEW_TOOLSET, NEW_SOURCE} & {node.row.key for node in tree.nodes()}
    tree.show(Snapshot(revision=2))
    assert lines(tree) == expected


def test_a_stale_index_finds_nothing(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    index = tree.find(RowKey(Kind.TOOL, "Linear", "create_issue"))
    tree.show(Snapshot(revision=2))
    assert tree.row_at(index) is None
    assert tree.data(index, Text) is None
    assert tree.flags(index) == Qt.ItemFlag.NoItemFlags


def test_a_note_in_a_library_of_many_tools_changes_one_row(qtbot: QtBot) -> None:
    found = sample.large_catalogue(2_000)
    toolset = {**sample.toolset_documents()["my-tools"], "tools": [], "toolNotes": []}
    tree = LibraryTree()
    tree.show(sample.snapshot(found=found, toolsets={"my-tools": toolset}))
    read_7 = RowKey(Kind.TOOL, "source-3", "read_7")
    assert not tree.find(read_7).isValid()
    notes = [{"toolRef": {"namespacedName": "source-3.read_7"}, "notes": [{"name": "a", "note": "A."}]}]
    inserted: list[str] = []
    tree.rowsInserted.connect(lambda parent, first, last: inserted.append(f"{parent.data(Text)} {first} {last}"))
    tree.show(sample.snapshot(2, found=found, toolsets={"my-tools": {**toolset, "toolNotes": notes}}))
    assert inserted == ["source-3 0 0"]
    assert tree.find(read_7).data(Role.RIGHT) == "1 note"
    tree.show(sample.snapshot(3, found=found, toolsets={"my-tools": toolset}))
    assert not tree.find(read_7).isValid()


def test_a_dropped_tool_is_shown_while_it_has_notes(tree: LibraryTree) -> None:
    found = sample.catalogue()
    servers = dict(found.servers)
    dropped = tuple(replace(known, listed=False) for known in servers["Linear"].tools[:2])
    servers["Linear"] = replace(servers["Linear"], tools=dropped + servers["Linear"].tools[2:])
    gone = Catalogue(servers, found.exposed)
    toolsets = sample.toolset_documents()
    tree.show(sample.snapshot(found=gone, toolsets=toolsets))
    key = RowKey(Kind.TOOL, "Linear", "search_projects")
    assert tree.find(key).data(Role.RIGHT) == "Not found"
    toolsets["my-tools"]["toolNotes"] = []
    tree.show(sample.snapshot(2, found=gone, toolsets=toolsets))
    assert not tree.find(key).isValid()


def test_a_row_that_says_the_same_is_not_told_again() -> None:
    row = Row(HOME, "Home", right="1 needs you")
    assert row.says_the_same(Row(HOME, "Home", right="1 needs you"))
    for other in (Row(HOME, "Home"), Row(HOME, "Home", right="1 needs you", right_mark=Mark.ATTENTION)):
        assert not row.says_the_same(other)
