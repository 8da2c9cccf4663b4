"""The list of a toolset's tools: values, under Qt's own tester."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.library_tree import Role
from toolnote_desktop.desktop.models.toolset_tools import ToolsetTools


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
