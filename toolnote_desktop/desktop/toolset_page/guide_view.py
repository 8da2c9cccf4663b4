"""Guide to a toolset's tools as text to copy, for assistants that cannot connect."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPlainTextEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.theme.fonts import fixed_font
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.guidance.guide import Detail, Guides
from toolnote_desktop.guidance.reader import client_reader, copying_reader
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.task_types import read_task_types
from toolnote_desktop.model.toolsets.toolset import Toolset


class GuideView(QWidget):
    """Controls for task type, prompt, length and assistant, and the guide's text below."""

    def __init__(self, files: GuidanceFiles) -> None:
        super().__init__()
        self._files = files
        self._guides = Guides(files.task_types)
        self._snapshot: Snapshot | None = None
        self._toolset: Toolset | None = None
        self.task = ComboBox()
        self.said = LineField(self.tr("Your request"))
        self.said.setPlaceholderText(self.tr("Find out why the last build failed"))
        self.detail = ComboBox()
        for value, text in (
            (Detail.SUMMARY, self.tr("Short")),
            (Detail.STANDARD, self.tr("Standard")),
            (Detail.FULL, self.tr("Full")),
        ):
            self.detail.addItem(text, value)
        self.detail.setCurrentIndex(1)
        self.assistant = ComboBox()
        self.tokens = label("", "second", wraps=True)
        self.copy_button = Button(self.tr("Copy guide"), pressed=self._copy)
        self.text = QPlainTextEdit()
        self.text.setProperty("kind", "guide")
        self.text.setReadOnly(True)
        self.text.setFont(fixed_font(12))
        self.text.setAccessibleName(self.tr("Tool guide"))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(360)
        self._lay_out()
        self.task.chosen.connect(self._write)
        self.detail.chosen.connect(self._write)
        self.assistant.chosen.connect(self._write)
        self.said.saved.connect(self._write)

    def _lay_out(self) -> None:
        whole = column(self, (0, 16, 0, 0), 12)
        whole.addWidget(
            label(
                self.tr(
                    "Connected assistants can get this guide themselves. For others, copy it into the conversation or "
                    "into their instructions."
                ),
                "second",
                wraps=True,
            )
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        for place, (caption, control) in enumerate(
            (
                (self.tr("Task type"), self.task),
                (self.tr("Your request"), self.said),
                (self.tr("Length"), self.detail),
                (self.tr("Assistant"), self.assistant),
            )
        ):
            said = label(caption, "small")
            said.setBuddy(control)
            control.setAccessibleName(caption)
            grid.addWidget(said, place // 2 * 2, place % 2)
            grid.addWidget(control, place // 2 * 2 + 1, place % 2)
            grid.setColumnStretch(place % 2, 1)
        whole.addLayout(grid)
        row = QHBoxLayout()
        row.addWidget(self.copy_button)
        row.addWidget(self.tokens, 1)
        whole.addLayout(row)
        whole.addWidget(self.text, 1)

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show the guide of a toolset, or update it. It is generated only while it is visible."""
        self._snapshot, self._toolset = snapshot, toolset
        if not self.isHidden():
            self.open()

    def open(self) -> None:
        """Generate the guide when it becomes visible."""
        snapshot, toolset = self._snapshot, self._toolset
        if snapshot is None or toolset is None:
            return
        names: list[tuple[str | None, str]] = [(None, self.tr("Any assistant"))]
        names += [(client, messages.author_name(snapshot, client)) for client in snapshot.clients]
        _offer(self.assistant, names)
        types = read_task_types(toolset.task_types, self._files.task_types, lambda entry, reason: None)
        items = [(None, self.tr("Any task")), *((name, one.title) for name, one in types.items())]
        _offer(self.task, items)
        self._write()

    def _write(self, _value: object = None) -> None:
        snapshot, toolset = self._snapshot, self._toolset
        if snapshot is None or toolset is None:
            return
        context = TaskContext(self.task.currentData(), self.said.text().strip() or None)
        client = snapshot.clients.get(self.assistant.currentData() or "")
        dialect = self._files.plain
        if client is not None:
            dialect = self._files.dialect_of(self.assistant.currentData(), client)
        detail = Detail(self.detail.currentData())
        reader = copying_reader(snapshot) if client is None else client_reader(snapshot, client, toolset, dialect)
        guide = self._guides.guide(snapshot, toolset, context, detail=detail, dialect=dialect, reader=reader)
        if self.text.toPlainText() != guide.text:
            place = self.text.verticalScrollBar().value()
            self.text.setPlainText(guide.text)
            self.text.verticalScrollBar().setValue(place)
        text = self.tr("About {tokens} tokens, {tools}")
        said = text.format(tokens=messages.number(guide.tokens), tools=messages.count_tools(len(guide.tools)))
        if guide.left_out:
            said += "  ·  " + self.tr("%n left out as not relevant", "", len(guide.left_out))
        self.tokens.setText(said)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        announce(self.copy_button, self.tr("Copied"))


def _offer(choice: ComboBox, items: Sequence[tuple[str | None, str]]) -> None:
    """Offer other values, and keep the current one if it is among them."""
    if [(choice.itemData(row), choice.itemText(row)) for row in range(choice.count())] != list(items):
        current = choice.currentData()
        choice.clear()
        for value, text in items:
            choice.addItem(text, value)
        choice.setCurrentIndex(max(0, choice.findData(current)))
