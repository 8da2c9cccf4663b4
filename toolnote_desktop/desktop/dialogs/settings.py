"""Settings: the few there are, each with a sentence on what it does. What is changed here is changed at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.closing import MINIMISE, QUIT, SETTING
from toolnote_desktop.desktop.dialogs.choice import Choice
from toolnote_desktop.desktop.dialogs.frame import Dialog, button, label
from toolnote_desktop.desktop.dialogs.tick_box import TickBox
from toolnote_desktop.desktop.theme import text_scale
from toolnote_desktop.model.edits import ABSENT, SETTINGS, SetFields
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.paths import DEFAULT_PORT
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.base import Autostart


class SettingsDialog(Dialog):
    """One row for each setting."""

    def __init__(
        self, library: Library, autostart: Autostart, command: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """``command`` starts the app at login."""
        super().__init__(parent)
        self.setObjectName("settings")
        self.introduce(self.tr("Settings"))
        self._library = library
        self._autostart = autostart
        self._command = tuple(command)
        settings = library.snapshot.settings
        self.theme = self._choice(
            self.tr("Colours"),
            self.tr("Light or dark, or as the system has it."),
            [("system", self.tr("As the system")), ("light", self.tr("Light")), ("dark", self.tr("Dark"))],
            settings.theme,
        )
        self.theme.chosen.connect(lambda value: self._set("theme", value))
        self.closing = self._choice(
            self.tr("Closing the window"),
            self.tr("Where the desktop has a tray, Toolnote stays in it. This is for desktops without one."),
            [(ABSENT, self.tr("Ask me")), (MINIMISE, self.tr("Minimises")), (QUIT, self.tr("Quits"))],
            (settings.model_extra or {}).get(SETTING, ABSENT),
        )
        self.closing.chosen.connect(lambda value: self._set(SETTING, value))
        self.login = TickBox(self.tr("Start at login"))
        self.login.setChecked(autostart.enabled())
        self.login.clicked.connect(self._set_login)
        self._row("", self.tr("Toolnote starts with your session, without opening its window."), self.login)
        self.port = QLineEdit("" if settings.port is None else str(settings.port))
        self.port.setValidator(QIntValidator(0, 65535, self.port))
        self.port.setPlaceholderText(str(DEFAULT_PORT))
        self.port.editingFinished.connect(self._set_port)
        self.finished.connect(self._set_port)
        self._row(
            self.tr("Port"),
            self.tr("Where assistants reach Toolnote that were given an address. It changes at the next start."),
            self.port,
        )
        self.wrong = label("", "wrong")
        self.wrong.hide()
        self.body.addWidget(self.wrong)
        self.body.addStretch(1)
        close = button(self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        self.buttons.addStretch(1)
        self.buttons.addWidget(close)
        self.setMinimumWidth(round(560 * text_scale()))

    def _choice(self, caption: str, sentence: str, choices: Sequence[tuple[object, str]], current: object) -> Choice:
        box = Choice()
        for value, text in choices:
            box.addItem(text, value)
        box.setCurrentIndex(next((row for row, (value, _) in enumerate(choices) if value == current), 0))
        self._row(caption, sentence, box)
        return box

    def _row(self, caption: str, sentence: str, control: QWidget) -> None:
        row = QHBoxLayout()
        row.setSpacing(20)
        words = QVBoxLayout()
        words.setSpacing(2)
        if caption:
            said = label(caption, "heading")
            said.setBuddy(control)
            words.addWidget(said)
            control.setAccessibleName(caption)
            control.setMinimumWidth(round(160 * text_scale()))
            control.setMaximumWidth(round(160 * text_scale()))
        else:
            words.addWidget(control)
        words.addWidget(label(sentence, "second"))
        control.setAccessibleDescription(sentence)
        row.addLayout(words, 1)
        if caption:
            row.addWidget(control)
        self.body.addLayout(row)

    def _set(self, key: str, value: object) -> None:
        try:
            self._library.submit(SetFields(SETTINGS, {key: value}))
        except ToolnoteError as error:
            self._say(messages.problem_text(error.problem))

    def _set_port(self) -> None:
        text = self.port.text().strip()
        value = int(text) if text else None
        if value != self._library.snapshot.settings.port:
            self._set("port", ABSENT if value is None else value)

    def _set_login(self, enabled: bool) -> None:
        try:
            if enabled:
                self._autostart.enable(self._command)
            else:
                self._autostart.disable()
        except OSError as error:
            self.login.setChecked(not enabled)
            self._say(str(error))

    def _say(self, text: str) -> None:
        self.wrong.setText(text)
        self.wrong.show()
