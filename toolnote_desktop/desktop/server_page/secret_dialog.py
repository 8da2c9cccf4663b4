"""Dialog for a secret of a tool source, stored in the computer's keychain and in no document."""

from __future__ import annotations

import logging

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.add_servers.secret_places import SecretPlaces, keychain_text
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import OPEN_FILE, SecretLocation, SecretStore

log = logging.getLogger(__name__)

LONGEST = 1024 * 1024
"""Characters; Qt's own limit silently cuts at 32,767."""


class SecretDialog(Dialog):
    """Dialog for one secret; its stored value is never shown."""

    def __init__(
        self, library: Library, store: SecretStore, server: str, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("secret-value")
        self.introduce(
            self.tr("{0} for {1}").format(name, messages.source_name(server)), self.tr("No assistant sees it.")
        )
        self._store = store
        self._server = server
        self._name = name
        self._saving = LatestTask(self)
        self._checking = LatestTask(self)
        row = QHBoxLayout()
        row.setSpacing(8)
        self.field = QLineEdit()
        self.field.setMaxLength(LONGEST)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(self.tr("The value of {0}").format(name))
        self.field.setPlaceholderText(self.tr("Paste or type the key"))
        self.field.textChanged.connect(self._refresh)
        self.show_button = Button(self.tr("Show"))
        self.show_button.setCheckable(True)
        self.show_button.toggled.connect(self._show_value)
        row.addWidget(self.field, 1)
        row.addWidget(self.show_button)
        self.body.addLayout(row)
        self.lines = label("", "second", wraps=True)
        self.waiting = label(self.tr("Waiting for your keychain. It may ask you to unlock it."), "second", wraps=True)
        self.wrong = Alert()
        self.places = SecretPlaces(library)
        self.places.chosen.connect(self.save)
        for part in (self.lines, self.waiting, self.wrong, self.places):
            part.hide()
            self.body.addWidget(part)
        self.body.addStretch(1)
        cancel = Button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.save_button = Button(self.tr("Save"), "primary")
        self.save_button.clicked.connect(lambda _checked: self.save())
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.save_button)
        self.setMinimumWidth(round(560 * text_scale()))
        self._refresh()
        self.field.setFocus()
        self._checking.start(self._show_location())

    async def _show_location(self) -> None:
        """Say where the value is kept, once it is known whether this computer has a keychain."""
        unseen = self.tr("No assistant sees it.")
        match await in_thread(self._store.next_location):
            case SecretLocation.KEYCHAIN:
                where = self.tr("Kept in this computer’s keychain.")
            case SecretLocation.FILE:
                where = self.tr("Kept in the file {0}, not encrypted, as you chose.").format(OPEN_FILE)
            case SecretLocation.RUN:
                where = self.tr("Kept for this session only, as you chose.")
            case _:
                where = self.tr("This computer has no keychain. Choose where to keep it when you save.")
        self.lead.setText(f"{where} {unseen}")

    def value(self) -> str:
        """Return the value: a single line without the line end that is often copied along, several lines unchanged."""
        text = self.field.text()
        line = text.strip("\r\n")
        return line if len(line.splitlines()) <= 1 else text

    def save(self, place: SecretLocation | None = None) -> None:
        """Store the value and close; ``place`` None: in the keychain, or where the user chose before."""
        value = self.value()
        if value and not self._saving.is_running:
            self._set_busy(True)
            self._saving.start(self._save(value, place))

    async def _save(self, value: str, place: SecretLocation | None) -> None:
        try:
            await in_thread(self._store.write, self._server, self._name, value, place=place)
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            if not isinstance(error, ToolnoteError):  # its text may contain the value
                log.warning("%s could not be stored: %s", self._name, type(error).__name__)
            self._show_failure(error)
        else:
            self.field.clear()
            self.accept()

    def _show_failure(self, error: Exception) -> None:
        self._set_busy(False)
        problem = error.problem if isinstance(error, ToolnoteError) else None
        unknown = self.tr("It could not be stored. The log says more.")
        self.wrong.setText(keychain_text(problem) if problem is not None else unknown)
        self.wrong.show()
        if self.places.offer(error):
            self.save_button.setText(self.tr("Try again"))
        self.adjustSize()

    def _set_busy(self, busy: bool) -> None:
        self.waiting.setVisible(busy)
        if busy:
            self.wrong.hide()
        for widget in (self.field, self.save_button, self.places):
            widget.setEnabled(not busy)

    def _show_value(self, shown: bool) -> None:
        self.field.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.show_button.setText(self.tr("Hide") if shown else self.tr("Show"))

    def _refresh(self) -> None:
        lines = len(self.value().splitlines())
        self.lines.setText(self.tr("%n lines, saved as they are", "", lines))
        self.lines.setVisible(lines > 1)
        self.save_button.setEnabled(lines > 0)
