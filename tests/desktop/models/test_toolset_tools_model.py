"""The list of a toolset's tools, and what the status line is told: values, under Qt's own tester."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.library_tree import Role
from toolnote_desktop.desktop.models.status import Serving, StatusTarget, next_status_action, status_of
from toolnote_desktop.desktop.models.toolset_tools import ToolsetTools
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot

ON = Serving(url="http://127.0.0.1:8377/mcp")


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[ToolsetTools]:
    model = ToolsetTools()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield model
    tester.deleteLater()


def rows(model: ToolsetTools) -> list[str]:
    """Each row as text."""
    indexes = [model.index(row) for row in range(model.rowCount())]
    return [" | ".join(str(index.data(role)) for role in (0, Role.SECOND, Role.RIGHT)) for index in indexes]


def test_rows_show_source_and_status(model: ToolsetTools) -> None:
    snapshot = sample.snapshot()
    model.show_toolset(snapshot, snapshot.toolsets["release-day"])
    assert rows(model)[0] == "Merge pull request | GitHub | "
    assert rows(model)[-1] == "Deploys.start_rollout |  | Tool not found"
    model.show_toolset(snapshot, snapshot.toolsets["my-tools"])
    assert "Git create branch | Git | off" in rows(model)
    index = model.index(rows(model).index("Git create branch | Git | off"))
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Git create branch, Git, off"
    assert model.key_at(index) == RowKey(Kind.ENTRY, "my-tools", "Git.git_create_branch")


def test_a_switch_changes_one_row_and_keeps_the_others(model: ToolsetTools) -> None:
    snapshot = sample.snapshot()
    model.show_toolset(snapshot, snapshot.toolsets["planning-week"])
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last: changed.append(first.row()))
    model.modelReset.connect(lambda: changed.append(-1))
    toolsets = sample.toolset_documents()
    toolsets["planning-week"]["tools"][2]["enabled"] = False
    after = sample.snapshot(2, toolsets=toolsets)
    model.show_toolset(after, after.toolsets["planning-week"])
    assert changed == [2]


def test_a_toolset_that_has_gone_leaves_nothing(model: ToolsetTools) -> None:
    snapshot = sample.snapshot()
    model.show_toolset(snapshot, snapshot.toolsets["planning-week"])
    toolsets = sample.toolset_documents()
    toolsets["planning-week"]["tools"] = []
    empty = sample.snapshot(2, toolsets=toolsets)
    model.show_toolset(empty, empty.toolsets["planning-week"])
    assert rows(model) == []


def test_the_state_names_who_is_connected() -> None:
    snapshot = sample.snapshot()
    cursor = sample.ConnectedAssistant("cursor", "cursor-vscode", True)
    claude = sample.ConnectedAssistant("claude-desktop", "claude-ai", True)
    unknown = sample.ConnectedAssistant("", "some-client", True)
    zed = sample.ConnectedAssistant("zed", "Zed", True)
    assert status_of(snapshot, [], Serving()) == (Mark.WAITING, "Starting")
    assert status_of(snapshot, [], ON) == (Mark.GOOD, "On  ·  no assistant connected")
    assert status_of(snapshot, [cursor, claude, cursor], ON)[1] == "On  ·  Cursor and Claude Desktop connected"
    assert status_of(snapshot, [unknown], ON)[1] == "On  ·  some-client connected"
    assert status_of(snapshot, [cursor, claude, unknown, zed], ON)[1] == "On  ·  4 assistants connected"


def test_the_most_pressing_thing_comes_first() -> None:
    claude = sample.ConnectedAssistant("claude-desktop", "claude-ai", False)
    ready = ServerStatus(ServerState.READY)
    names = list(sample.catalogue().servers)
    snapshot = sample.snapshot()
    calm = sample.snapshot(found=sample.catalogue(dict.fromkeys(names, ready)))
    taken = Problem(Code.PORT_TAKEN, {"port": "8377", "other": "8378"})
    unreachable = next_status_action(snapshot, [claude], Serving(problem=taken))
    first = next_status_action(snapshot, [claude], ON)
    second = next_status_action(calm, [claude], ON)
    third = next_status_action(calm, [], ON)
    assert unreachable is not None
    assert first is not None
    assert second is not None
    assert third is not None
    assert (unreachable.mark, unreachable.target) == (Mark.WRONG, None)
    assert first.target == RowKey(Kind.SERVER, "Notion")
    assert (second.target, second.about) == (StatusTarget.EXPLAIN_RESTART, "Claude Desktop")
    assert third.target == RowKey(Kind.CHANGED, "GitHub", "merge_pull_request")
    assert next_status_action(Snapshot(), [], ON) is None


def test_a_port_that_was_taken_is_said_when_nothing_else_is() -> None:
    quiet = Snapshot()
    serving = Serving(url=ON.url, problem=Problem(Code.PORT_TAKEN, {"port": "8377", "other": "8378"}))
    attention = next_status_action(quiet, [], serving)
    assert attention is not None
    assert "8378" in attention.text
