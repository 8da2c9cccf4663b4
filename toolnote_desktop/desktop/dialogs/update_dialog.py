"""Dialog of a new version: its release notes and its download. It is installed when Toolnote ends, not before."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QProgressBar, QWidget
from shiboken6 import isValid

from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.models.work import Work, WorkList, in_progress
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.markdown_view import ReadingView
from toolnote_desktop.updates.feed import Update
from toolnote_desktop.updates.fetching import download

_STEPS = 1000


class UpdateDialog(Dialog):
    """Dialog of one update.

    Signals:
        ready: the downloaded file, to be installed on exit.
        checks_changed: True if new versions are to be checked for.
    """

    ready = Signal(object, object)
    checks_changed = Signal(bool)

    def __init__(
        self,
        update: Update,
        folder: Path,
        *,
        checks: bool,
        work: WorkList | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("new_version")
        size = QLocale().formattedDataSize(update.file.size)
        lead = self.tr("{size} to download. Your notes, toolsets and assistants stay as they are.").format(size=size)
        self.introduce(self.tr("Toolnote {version} is available").format(version=update.version), lead)
        self._update = update
        self._folder = folder
        self._work = work
        self._is_canceled = False
        self.notes = ReadingView()
        self.notes.setAccessibleName(self.tr("What’s new"))
        self.notes.show_markdown(update.notes)
        self.progress = QProgressBar()
        self.progress.setAccessibleName(self.tr("Downloaded"))
        self.progress.setRange(0, _STEPS)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self.state = label("", wraps=True)
        self.state.hide()
        self.checks_box = CheckBox(self.tr("Check for updates daily"))
        self.checks_box.setChecked(checks)
        self.checks_box.clicked.connect(self.checks_changed)
        for widget in (self.notes, self.progress, self.state, self.checks_box):
            self.body.addWidget(widget)
        self.download_button = Button(self.tr("Download"), "primary")
        self.download_button.clicked.connect(self.start_download)
        self.close_button = Button(self.tr("Not now"))
        self.close_button.clicked.connect(self.reject)
        self.buttons.addStretch(1)
        self.buttons.addWidget(self.close_button)
        self.buttons.addWidget(self.download_button)
        self._download = LatestTask(self)
        self.resize(round(620 * text_scale()), round(440 * text_scale()))

    def start_download(self) -> None:
        """Download the new version. Where the dialog is closed, the download goes on and is there next time."""
        self.download_button.setEnabled(False)
        self.state.hide()
        self.progress.setValue(0)
        self.progress.show()
        self._download.start(self._download_and_show())

    async def _download_and_show(self) -> None:
        loop = asyncio.get_running_loop()
        title = self.tr("Downloading Toolnote {version}").format(version=self._update.version)
        self._is_canceled = False
        try:
            with in_progress(self._work, title, self._cancel) as work:

                def report(received: int) -> None:
                    if self._is_canceled:
                        raise InterruptedError(errno.EINTR, "canceled")
                    loop.call_soon_threadsafe(self._show_progress, received, work)

                path = await in_thread(download, self._update.file, self._folder, report)
        except InterruptedError:
            self._show_canceled()
        except Exception as error:  # noqa: BLE001 - the user sees why there is no download
            self._show_failure(error)
        else:
            self._show_ready(path)

    def _cancel(self) -> None:
        self._is_canceled = True

    def _show_progress(self, received: int, work: Work | None = None) -> None:
        if work is not None and self._work is not None:
            self._work.report(work, received, self._update.file.size)
        if isValid(self):
            self.progress.setValue(round(_STEPS * received / self._update.file.size))

    def _show_ready(self, path: Path) -> None:
        self.progress.hide()
        self.download_button.hide()
        self.close_button.setText(self.tr("Close"))
        self.state.setProperty("kind", "good")
        self._show_state(self.tr("The update is downloaded and checked. It’s installed when you quit Toolnote."))
        self.ready.emit(path, self._update.file)

    def _show_canceled(self) -> None:
        self.progress.hide()
        self.download_button.setEnabled(True)

    def _show_failure(self, error: Exception) -> None:
        self.progress.hide()
        self.download_button.setEnabled(True)
        self.download_button.setText(self.tr("Try again"))
        self.state.setProperty("kind", "wrong")
        self._show_state(self.tr("Couldn’t download the new version. {reason}").format(reason=error))

    def _show_state(self, text: str) -> None:
        self.state.setText(text)
        self.state.style().unpolish(self.state)
        self.state.style().polish(self.state)
        self.state.show()
        announce(self.state, text)
