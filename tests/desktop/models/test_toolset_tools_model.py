"""The list of a toolset's tools: values, under Qt's own tester."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.toolset_tools import ToolRole, ToolsetTools


@pytest.fixture
def model(qtbot: QtBot) -> Iterator[ToolsetTools]:
    model = ToolsetTools()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield model
    tester.deleteLater()


def rows(model: ToolsetTools) -> list[str]:
    """Each row as text."""
    return [str(model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())]


def test_rows_show_source_notes_safeguard_and_status(model: ToolsetTools) -> None:
    snapshot = sample.snapshot()
    model.show_toolset(snapshot, snapshot.toolsets["release-day"])
    assert rows(model)[0] == "Merge pull request, GitHub, On, Changed"
    assert rows(model)[-1] == "Deploys.start_rollout, Tool not found, On"
    model.show_toolset(snapshot, snapshot.toolsets["my-tools"])
    assert rows(model)[0] == "Create issue, Linear, On, 3 notes"
    index = model.index(rows(model).index("Git create branch, Git, Off"))
    assert model.key_at(index) == RowKey(Kind.ENTRY, "my-tools", "Git.git_create_branch")
    assert [index.data(role) for role in (ToolRole.SOURCE, ToolRole.ON, ToolRole.NOTES)] == ["Git", False, 0]


def test_a_filter_leaves_out_rows_and_keeps_their_places(model: ToolsetTools) -> None:
    snapshot = sample.snapshot()
    model.show_toolset(snapshot, snapshot.toolsets["release-day"])
    model.filter("GIT log")
    assert [row.partition(",")[0] for row in rows(model)] == ["Git log"]
    assert model.place_at(0) == 10
    assert model.place_at(1) == 14  # behind the last row is the end of the toolset
    model.show_toolset(snapshot, snapshot.toolsets["release-day"])
    assert model.rowCount() == 1
    model.filter("")
    assert model.rowCount() == 14


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
