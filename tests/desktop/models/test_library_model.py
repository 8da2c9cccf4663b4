"""The library's model: what it says, and that it changes row by row."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_filter import LibraryFilter
from toolnote_desktop.desktop.models.library_rows import (
    LOST_NOTES,
    NEEDS_A_LOOK,
    NEW_SOURCE,
    NEW_TOOLSET,
    SOURCES,
    Kind,
    Mark,
    Row,
    RowKey,
)
from toolnote_desktop.desktop.models.library_tree import LibraryTree, Node, Role
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


@pytest.fixture
def search(tree: LibraryTree) -> Iterator[LibraryFilter]:
    proxy = LibraryFilter(tree)
    tester = QAbstractItemModelTester(proxy, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield proxy
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


def test_the_groups_and_what_their_rows_say_on_the_right(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    assert lines(tree, depth=2) == [
        "Toolsets",
        "  My tools [in use]",
        "  Planning week [9]",
        "  Release day [14]",
        "Tool sources",
        "  Linear [21]",
        "  Git [8]",
        "  Notion [sign in]",
        "  Files [starting]",
        "  GitHub [5]",
        "  Slack [4]",
        "  Calendar [3]",
        "  Postgres [failed]",
        "  Jira (old) [off]",
        "Needs a look",
        "  Merge pull request [changed]",
        "  1 note without a tool",
    ]


def test_tools_say_how_many_notes_they_have_or_that_they_are_off(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    linear = lines(tree, tree.find(RowKey(Kind.SERVER, "Linear")))
    assert linear[:4] == [
        "    Create issue [3 notes]",
        "    Search projects [1 note]",
        "    Update issue [2 notes]",
        "    List teams",
    ]
    branch = tree.find(RowKey(Kind.TOOL, "Git", "git_create_branch"))
    assert (branch.data(Role.RIGHT), branch.data(Role.DIM)) == ("off", True)
    assert "    Deploys.start_rollout [not found]" in lines(tree, tree.find(RowKey(Kind.TOOLSET, "release-day")))


def test_colours_are_also_said_in_words(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    role = Qt.ItemDataRole.AccessibleTextRole
    assert tree.find(RowKey(Kind.SERVER, "Linear")).data(role) == "Linear, 21, ready, 21 tools"
    assert tree.find(RowKey(Kind.SERVER, "Notion")).data(role) == "Notion, sign in"
    assert tree.find(RowKey(Kind.TOOL, "Linear", "create_issue")).data(role) == "Create issue, 3 notes"


def test_groups_cannot_be_selected_and_leaves_have_no_children(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    selectable, leaf = Qt.ItemFlag.ItemIsSelectable, Qt.ItemFlag.ItemNeverHasChildren
    assert not tree.flags(tree.find(SOURCES)) & selectable
    assert tree.flags(tree.find(RowKey(Kind.SERVER, "Linear"))) & selectable
    assert not tree.flags(tree.find(RowKey(Kind.SERVER, "Linear"))) & leaf
    assert tree.flags(tree.find(RowKey(Kind.TOOL, "Linear", "create_issue"))) & leaf
    assert tree.flags(tree.find(LOST_NOTES)) & leaf


def test_the_last_group_is_gone_when_nothing_needs_a_look(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    calm = sample.catalogue()
    servers = dict(calm.servers)
    accepted = tuple(replace(known, accepted=known.tool) for known in servers["GitHub"].tools)
    servers["GitHub"] = replace(servers["GitHub"], tools=accepted)
    toolsets = sample.toolset_documents()
    toolsets["release-day"]["toolNotes"] = []
    tree.show(sample.snapshot(2, found=Catalogue(servers, calm.exposed), toolsets=toolsets))
    assert not tree.find(NEEDS_A_LOOK).isValid()
    assert tree.rowCount() == 2
    tree.show(sample.snapshot(3))
    assert tree.rowCount(tree.find(NEEDS_A_LOOK)) == 2


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
    # the tool's row among its source's, and its row in the toolset
    assert changed == ["Search projects to Search projects"] * 2
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
    tool = QPersistentModelIndex(tree.find(RowKey(Kind.TOOL, "Slack", "list_channels")))
    found = sample.catalogue()
    servers = {name: found.servers[name] for name in reversed(list(found.servers)) if name not in ("GitHub", "Files")}
    slack_listing = servers["Slack"]
    servers["Slack"] = replace(slack_listing, tools=tuple(reversed(slack_listing.tools)))
    tree.show(sample.snapshot(2, found=Catalogue(servers, found.exposed)))
    assert (slack.row(), slack.data(Text)) == (3, "Slack")
    assert (tool.row(), tool.data(Text)) == (1, "List channels")
    tree.show(sample.snapshot(3))
    assert (slack.row(), tool.row()) == (5, 2)


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


def test_an_empty_library_has_two_groups_that_say_what_goes_there(tree: LibraryTree) -> None:
    expected = [
        "Toolsets",
        "  Your choices of tools [Make one]",
        "Tool sources",
        "  Where tools come from [Add one]",
    ]
    tree.show(Snapshot())
    assert lines(tree) == expected
    tree.show(sample.snapshot())
    assert not {NEW_TOOLSET, NEW_SOURCE} & {node.row.key for node in tree.nodes()}
    tree.show(Snapshot(revision=2))
    assert lines(tree) == expected


def test_a_search_finds_no_row_that_only_says_what_goes_there(tree: LibraryTree, search: LibraryFilter) -> None:
    snapshot = sample.snapshot(toolsets={"week": {**sample.toolset_documents()["release-day"], "tools": []}})
    tree.show(snapshot)
    way = RowKey(Kind.WAY, "toolset", "week")
    assert search.find(way).isValid()
    for words in ("no tools", "choose", "week"):
        search.search(words)
        assert not search.find(way).isValid()


def test_a_stale_index_finds_nothing(tree: LibraryTree) -> None:
    tree.show(sample.snapshot())
    index = tree.find(RowKey(Kind.TOOL, "Linear", "create_issue"))
    tree.show(Snapshot(revision=2))
    assert tree.row_at(index) is None
    assert tree.data(index, Text) is None
    assert tree.flags(index) == Qt.ItemFlag.NoItemFlags


def test_search_looks_at_names_descriptions_and_notes(tree: LibraryTree, search: LibraryFilter) -> None:
    tree.show(sample.snapshot())
    search.search("asap")
    # once, at its source: the toolsets that the tool is in would say it again and again
    assert lines(search) == [
        "Tool sources",
        "  Linear [21]",
        "    Create issue [3 notes]",
    ]
    search.search("GIT  commit")
    assert "    Git commit" in lines(search)
    search.search("read-only query")
    assert "    Query" in lines(search)
    search.search("no such thing anywhere")
    assert lines(search) == []
    search.search("")
    assert lines(search) == lines(tree)


def test_a_source_that_matches_shows_all_its_tools(tree: LibraryTree, search: LibraryFilter) -> None:
    tree.show(sample.snapshot())
    search.search("calendar")
    found = lines(search, search.find(RowKey(Kind.SERVER, "Calendar")))
    assert found == ["    List events", "    Create event", "    Find free time"]


def test_tool_without_a_source_is_found_in_its_toolset(tree: LibraryTree, search: LibraryFilter) -> None:
    tree.show(sample.snapshot())
    search.search("deploys")
    assert lines(search)[:3] == ["Toolsets", "  Release day [14]", "    Deploys.start_rollout [not found]"]
    assert RowKey(Kind.TOOLSET, "release-day") in search.keys_to_open()


def test_the_search_follows_changes(tree: LibraryTree, search: LibraryFilter) -> None:
    tree.show(sample.snapshot())
    search.search("flamingo")
    assert lines(search) == []
    toolsets = sample.toolset_documents()
    toolsets["my-tools"]["toolNotes"][1]["notes"].append({"name": "bird", "note": "The flamingo project is secret."})
    tree.show(sample.snapshot(2, toolsets=toolsets))
    assert search.find(RowKey(Kind.TOOL, "Linear", "search_projects")).isValid()
    tree.show(sample.snapshot(3))
    assert not search.find(RowKey(Kind.TOOL, "Linear", "search_projects")).isValid()


def test_ten_thousand_tools_are_searched_as_one_types(qtbot: QtBot) -> None:
    tree = LibraryTree()
    search = LibraryFilter(tree)
    tree.show(sample.snapshot(found=sample.large_catalogue(10_000), toolsets={}))
    linear = [_search_seconds(search, text) for text in ("record 7", "", "source-3", "777", "")]
    # not a bound on the machine, but on the shape: many times the work of one pass would be minutes
    assert max(linear) < 5
    assert search.rowCount(search.find(SOURCES)) == 10


def _search_seconds(search: LibraryFilter, text: str) -> float:
    start = time.perf_counter()
    search.search(text)
    sources = search.find(SOURCES)
    for place in range(search.rowCount(sources)):
        search.rowCount(search.index(place, 0, sources))
    return time.perf_counter() - start


class CountingFilter(LibraryFilter):
    """Counts the rows that it compares with the words."""

    looked_at = 0

    def _matches(self, node: Node) -> bool:
        self.looked_at += 1
        return super()._matches(node)


def test_another_letter_looks_only_at_what_was_found_without_it(qtbot: QtBot) -> None:
    tree = LibraryTree()
    search = CountingFilter(tree)
    tree.show(sample.snapshot(found=sample.large_catalogue(2_000), toolsets={}))
    looked_at = []
    for text in ("record 7", "record 77", "record 77 x"):
        before = search.looked_at
        search.search(text)
        assert search.rowCount() == (0 if "x" in text else 1)
        looked_at.append(search.looked_at - before)
    assert looked_at[0] > 2_000
    assert looked_at[1] < looked_at[0] / 3
    assert looked_at[2] < looked_at[1] / 3


@pytest.mark.parametrize("typed", ["git commit", "linear issue", "asap", "calendar e", "read-only query"])
def test_typing_letter_by_letter_finds_what_typing_at_once_finds(tree: LibraryTree, typed: str) -> None:
    tree.show(sample.snapshot())
    by_letter = LibraryFilter(tree)
    for end in range(1, len(typed) + 1):
        by_letter.search(typed[:end])
        at_once = LibraryFilter(tree)
        at_once.search(typed[:end])
        assert lines(by_letter) == lines(at_once)
    for end in range(len(typed), 0, -1):  # and taking it back again
        by_letter.search(typed[:end])
    at_once.search(typed[:1])
    assert lines(by_letter) == lines(at_once)


def test_rows_that_say_the_same_are_the_same_objects(qtbot: QtBot) -> None:
    tree = LibraryTree()
    found = sample.catalogue()
    tree.show(sample.snapshot(found=found))
    before = tree.row_at(tree.find(RowKey(Kind.TOOL, "Linear", "create_issue")))
    tree.show(sample.snapshot(2, found=found))
    assert isinstance(before, Row)
    assert tree.row_at(tree.find(RowKey(Kind.TOOL, "Linear", "create_issue"))) is before


def test_note_among_many_tools_rebuilds_one_row(qtbot: QtBot) -> None:
    found = sample.large_catalogue(2_000)
    tools = [{"namespacedName": known.tool.namespaced_name} for known in found.tools.values()]
    toolset = {**sample.toolset_documents()["my-tools"], "tools": tools, "toolNotes": []}
    tree = LibraryTree()
    tree.show(sample.snapshot(found=found, toolsets={"my-tools": toolset}))
    before = {node.row.key: node.row for node in tree.nodes()}
    notes = [{"toolRef": {"namespacedName": "source-3.read_7"}, "notes": [{"name": "a", "note": "A."}]}]
    tree.show(sample.snapshot(2, found=found, toolsets={"my-tools": {**toolset, "toolNotes": notes}}))
    anew = {node.row.key.name for node in tree.nodes() if before[node.row.key] is not node.row}
    # beside the tool's two rows only the rows above them, which hold the others
    assert anew == {"", "read_7", "source-3.read_7"}
    tree.show(sample.snapshot(3, found=found, toolsets={"my-tools": toolset}))
    assert tree.find(RowKey(Kind.TOOL, "source-3", "read_7")).data(Role.RIGHT) == ""


def test_a_dropped_tool_is_shown_while_it_has_notes(tree: LibraryTree) -> None:
    found = sample.catalogue()
    servers = dict(found.servers)
    dropped = tuple(replace(known, listed=False) for known in servers["Linear"].tools[:2])
    servers["Linear"] = replace(servers["Linear"], tools=dropped + servers["Linear"].tools[2:])
    gone = Catalogue(servers, found.exposed)
    toolsets = sample.toolset_documents()
    for name in ("my-tools", "planning-week"):
        toolsets[name]["tools"] = [one for one in toolsets[name]["tools"] if "Linear." not in one["namespacedName"]]
    tree.show(sample.snapshot(found=gone, toolsets=toolsets))
    key = RowKey(Kind.TOOL, "Linear", "search_projects")
    assert tree.find(key).data(Role.RIGHT) == "not found"
    toolsets["my-tools"]["toolNotes"] = []
    tree.show(sample.snapshot(2, found=gone, toolsets=toolsets))
    assert not tree.find(key).isValid()
