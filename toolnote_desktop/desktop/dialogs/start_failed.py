"""Dialog of a failed start, with its report and safe mode."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from toolnote_desktop.desktop.shell.crash_reporter import CrashReport
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.diff_view import DiffView


class StartFailed(Dialog):
    """Offers safe mode, unless that has failed; ``exec()`` returns ``Accepted`` for it."""

    def __init__(self, report: CrashReport, *, was_safe: bool) -> None:
        super().__init__(None)
        self.setObjectName("start-failed")
        self.introduce(
            self.tr("Toolnote couldn’t start"),
            self.tr(
                "Your notes and toolsets are unchanged. The report has no secrets and stays here unless you send it."
            )
            if was_safe
            else self.tr(
                "Your notes and toolsets are unchanged. In safe mode Toolnote starts no tool sources and resets its "
                "window, so that you can fix what keeps it from starting."
            ),
        )
        self.body.addWidget(label(report.summary, "heading", wraps=True))
        self.text = DiffView()
        self.text.setAccessibleName(self.tr("Report"))
        self.text.setPlainText(report.text)
        self.body.addWidget(self.text, 1)
        copy = Button(self.tr("Copy the report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report.text))
        self.quit_button = Button(self.tr("Quit"), "primary" if was_safe else "plain")
        self.quit_button.clicked.connect(self.reject)
        self.buttons.addWidget(copy)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.quit_button)
        if not was_safe:
            self.safe_button = Button(self.tr("Start in safe mode"), "primary")
            self.safe_button.clicked.connect(self.accept)
            self.buttons.addWidget(self.safe_button)
        self.resize(720, 400)
