"""A new version: what is new, and whether it shall be got. It is installed when Toolnote ends, not before."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from toolnote_desktop.desktop.background_task import run_task
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.markdown_view import ReadingView
from toolnote_desktop.updates.feed import Update
from toolnote_desktop.updates.fetching import download

_STEPS = 1000


class UpdateDialog(Dialog):
    """Shows one update and downloads it.

    Signals:
        ready: the downloaded file; it is to be installed at the end.
        looking_changed: whether new versions are to be looked for at all.
    """

    ready = Signal(object)
    looking_changed = Signal(bool)
    _came = Signal(int)

    def __init__(self, update: Update, folder: Path, *, looks: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("new_version")
        size = QLocale().formattedDataSize(update.file.size)
        lead = self.tr("{size} to download. Your notes, toolsets and assistants stay as they are.").format(size=size)
        self.introduce(self.tr("Toolnote {version} is here").format(version=update.version), lead)
        self._update = update
        self._folder = folder
        self.notes = ReadingView()
        self.notes.setAccessibleName(self.tr("What is new"))
        self.notes.show_markdown(update.notes)
        self.progress = QProgressBar()
        self.progress.setAccessibleName(self.tr("Downloaded"))
        self.progress.setRange(0, _STEPS)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self.said = label("", wraps=True)
        self.said.hide()
        self.looks = CheckBox(self.tr("Look for new versions once a day"))
        self.looks.setChecked(looks)
        self.looks.clicked.connect(self.looking_changed)
        for widget in (self.notes, self.progress, self.said, self.looks):
            self.body.addWidget(widget)
        self.get = Button(self.tr("Download"), "primary")
        self.get.clicked.connect(self._get)
        self.later = Button(self.tr("Not now"))
        self.later.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.later)
        self.buttons.addWidget(self.get)
        self._came.connect(self._show_progress)
        self.resize(round(620 * text_scale()), round(440 * text_scale()))

    def _get(self) -> None:
        self.get.setEnabled(False)
        self.said.hide()
        self.progress.setValue(0)
        self.progress.show()
        # A bound signal that outlives this dialog is nobody's: the download goes on and is there next time.
        run_task(self, lambda: download(self._update.file, self._folder, self._tell), self._have, self._failed)

    def _tell(self, there: int) -> None:
        try:
            self._came.emit(round(_STEPS * there / self._update.file.size))
        except RuntimeError:  # the dialog was closed meanwhile
            return

    def _show_progress(self, step: int) -> None:
        self.progress.setValue(step)

    def _have(self, path: Path) -> None:
        self.progress.hide()
        self.get.hide()
        self.later.setText(self.tr("Close"))
        self.said.setProperty("kind", "good")
        self._say(self.tr("It is checked and here, and is installed when you quit Toolnote."))
        self.ready.emit(path)

    def _failed(self, error: Exception) -> None:
        self.progress.hide()
        self.get.setEnabled(True)
        self.get.setText(self.tr("Try again"))
        self.said.setProperty("kind", "wrong")
        self._say(self.tr("The new version could not be got: {reason}").format(reason=error))

    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.style().unpolish(self.said)
        self.said.style().polish(self.said)
        self.said.show()
        announce(self.said, text)
