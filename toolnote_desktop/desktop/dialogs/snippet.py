"""What an assistant that is not in the list needs, to be copied into its settings."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from toolnote_desktop.assistants.client import stdio_entry
from toolnote_desktop.assistants.installing import bridge_command
from toolnote_desktop.assistants.own_entry import ENTRY_NAME, Ourselves
from toolnote_desktop.desktop.dialogs.diff_view import DiffView
from toolnote_desktop.desktop.dialogs.frame import GAP, button, label
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.names import slug
from toolnote_desktop.paths import Home


class Snippet(QWidget):
    """The entry as most assistants want it, and the bare command."""

    def __init__(self, home: Home, ourselves: Ourselves, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._ourselves = ourselves
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(label(self.tr("Any assistant that can use MCP servers"), "heading"))
        column.addWidget(
            label(
                self.tr("Copy this into its settings where it lists MCP servers. The name tells you here who it is."),
                "second",
            )
        )
        row = QHBoxLayout()
        caption = label(self.tr("Its name"), wrap=False)
        self.name = QLineEdit("my-assistant")
        self.name.setMaximumWidth(260)
        caption.setBuddy(self.name)
        self.name.setAccessibleName(caption.text())
        self.name.textChanged.connect(self._refresh)
        row.addWidget(caption)
        row.addWidget(self.name)
        row.addStretch(1)
        column.addLayout(row)
        self.text = DiffView()
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setAccessibleName(self.tr("What to copy"))
        column.addWidget(self.text, 1)
        self.copy_button = button(self.tr("Copy"))
        self.copy_button.clicked.connect(self._copy)
        bottom = QHBoxLayout()
        bottom.addWidget(self.copy_button)
        bottom.addStretch(1)
        column.addLayout(bottom)
        self._refresh()

    def _refresh(self) -> None:
        client = slug(self.name.text(), fallback="assistant")
        command = bridge_command(client, self._ourselves.command or ("toolnote",), self._home)
        entry = {"mcpServers": {ENTRY_NAME: stdio_entry(command)}}
        self.text.setPlainText(jsontext.dumps_pretty(entry).decode("utf-8").rstrip())
        self.copy_button.setText(self.tr("Copy"))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy_button.setText(self.tr("Copied"))
