"""Give a tool source a secret: masked while it is typed, kept in the computer's keychain, in no document."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.frame import Dialog, button, label
from toolnote_desktop.desktop.task import run_task
from toolnote_desktop.desktop.theme import text_scale
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets import KEYCHAIN_TROUBLE, OPEN_FILE, Place, SecretStore


class SecretValue(Dialog):
    """One secret of one tool source. What is there already is never shown."""

    def __init__(
        self, library: Library, store: SecretStore, server: str, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("secret-value")
        self.introduce(
            self.tr("{0} of {1}").format(name, server),
            self.tr("It is kept in this computer’s keychain. It stands in no file, and no assistant gets to see it."),
        )
        self._library = library
        self._store = store
        self._server = server
        self._name = name
        self._trouble: Code | None = None
        row = QHBoxLayout()
        row.setSpacing(8)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(self.tr("The value of {0}").format(name))
        self.field.setPlaceholderText(self.tr("paste or type it"))
        self.field.textChanged.connect(self._refresh)
        self.show_button = button(self.tr("Show"))
        self.show_button.setCheckable(True)
        self.show_button.toggled.connect(self._show_value)
        row.addWidget(self.field, 1)
        row.addWidget(self.show_button)
        self.body.addLayout(row)
        self.waiting = label(self.tr("Waiting for the keychain. It may ask you to unlock it."), "second")
        self.wrong = label("", "wrong")
        elsewhere = self.tr(
            "You can keep it elsewhere: until Toolnote ends, or in the file {0}, which is as open as your other files."
        )
        self.instead = label(elsewhere.format(OPEN_FILE), "second")
        for text in (self.waiting, self.wrong, self.instead):
            text.hide()
            self.body.addWidget(text)
        self.body.addStretch(1)
        self.run_button = button(self.tr("Until Toolnote ends"))
        self.run_button.clicked.connect(lambda _checked: self.save(Place.RUN))
        self.file_button = button(self.tr("In the file, not encrypted"))
        self.file_button.clicked.connect(lambda _checked: self.save(Place.FILE))
        cancel = button(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.save_button = button(self.tr("Save"), "primary")
        self.save_button.clicked.connect(lambda _checked: self.save())
        for made in (self.run_button, self.file_button):
            made.hide()
            self.buttons.addWidget(made)
        self.buttons.addStretch(1)
        self.buttons.addWidget(cancel)
        self.buttons.addWidget(self.save_button)
        self.setMinimumWidth(round(560 * text_scale()))
        self._refresh()
        self.field.setFocus()

    def save(self, place: Place | None = None) -> None:
        """Keep what was typed. ``place``: where else than in the keychain; None: in it, or where the user chose before.

        A place that is chosen because there is no keychain is remembered.
        """
        value, store, server, name = self.field.text(), self._store, self._server, self._name
        if not value:
            return
        if place is not None and self._trouble is Code.KEYCHAIN_ABSENT:
            self._library.submit(SetFields(SETTINGS, {"secretsWithoutKeychain": str(place)}))
        self._set_busy(True)
        run_task(self, lambda: store.write(server, name, value, place=place), self._saved, self._failed)

    def _saved(self, _place: Place) -> None:
        self.field.clear()
        self.accept()

    def _failed(self, error: Exception) -> None:
        self._set_busy(False)
        problem = error.problem if isinstance(error, ToolnoteError) else None
        self.wrong.setText(self._reason(problem) if problem is not None else type(error).__name__)
        self.wrong.show()
        if problem is not None and problem.code in KEYCHAIN_TROUBLE:
            self._trouble = problem.code
            for widget in (self.instead, self.run_button, self.file_button):
                widget.show()
            self.save_button.setText(self.tr("Try again"))
        self.adjustSize()

    def _reason(self, problem: Problem) -> str:
        match problem.code:
            case Code.KEYCHAIN_ABSENT:
                return self.tr("There is no keychain on this computer that Toolnote could use.")
            case Code.KEYCHAIN_LOCKED:
                return self.tr("The keychain is locked. Unlock it, then try again.")
            case Code.KEYCHAIN_SILENT:
                return self.tr("The keychain does not answer. It may wait to be unlocked.")
        return messages.problem_text(problem)

    def _set_busy(self, busy: bool) -> None:
        self.waiting.setVisible(busy)
        if busy:
            self.wrong.hide()
        for widget in (self.field, self.save_button, self.run_button, self.file_button):
            widget.setEnabled(not busy)

    def _show_value(self, shown: bool) -> None:
        self.field.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.show_button.setText(self.tr("Hide") if shown else self.tr("Show"))

    def _refresh(self) -> None:
        self.save_button.setEnabled(bool(self.field.text()))
