"""Dialog with the report of an uncaught error, which the user may pass on."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.shell.crash_reporter import CrashReport
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.diff_view import DiffView


class CrashDialog(Dialog):
    """Dialog of one report."""

    def __init__(self, report: CrashReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("crash")
        self.introduce(
            self.tr("Something went wrong in Toolnote"),
            self.tr(
                "Your notes are saved, and Toolnote keeps running. This report says what happened. It has no secrets "
                "and stays here unless you send it."
            ),
        )
        self.text = DiffView()
        self.text.setAccessibleName(self.tr("Report"))
        self.text.setPlainText(report.text)
        self.body.addWidget(label(report.summary, "heading", wraps=True))
        self.body.addWidget(self.text, 1)
        copy = Button(self.tr("Copy the report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report.text))
        close = Button(self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        self.buttons.addStretch(1)
        self.buttons.addWidget(copy)
        self.buttons.addWidget(close)
        self.resize(720, 400)
