"""Form of the user's preferences for guidance: for all assistants, or for one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QLocale, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop.widgets.auto_save_fields import LineField, captioned
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.preferences import GUIDE_TOKENS, LANGUAGE_NAMES, Preferences

_LEAST, _MOST = 500, 200_000


class PreferencesForm(QWidget):
    """Controls for each preference.

    Signals:
        changed: the preference's key in the file, and its value; None removes it.
    """

    changed = Signal(str, object)

    def __init__(self, *, of_one: bool) -> None:
        """``of_one``: of one assistant, for which those for all hold where nothing is chosen."""
        super().__init__()
        nothing = self.tr("As for all assistants") if of_one else self.tr("Not set")
        self.language = self._choice(
            "language", [(None, nothing), *((code, _language(code)) for code in LANGUAGE_NAMES)]
        )
        self.detail = self._choice(
            "detail",
            [
                (None, nothing),
                ("summary", self.tr("Short")),
                ("standard", self.tr("Standard")),
                ("full", self.tr("Full")),
            ],
        )
        self.asks = self._choice("askBeforeChanges", [(None, nothing), (True, self.tr("Yes")), (False, self.tr("No"))])
        self.tokens = LineField(self.tr("Longest guide, in tokens"))
        self.tokens.setValidator(QIntValidator(_LEAST, _MOST, self.tokens))
        self.tokens.setPlaceholderText(nothing if of_one else str(GUIDE_TOKENS))
        self.tokens.saved.connect(lambda text: self.changed.emit("guideTokens", int(text) if text else None))
        self.always = self._tools(self.tr("Tools to prefer"), "always")
        self.never = self._tools(self.tr("Tools to leave alone"), "never")
        inside = column(self, spacing=14)
        sentences = (
            (self.tr("Language"), self.tr("Assistants write to you, and notes, in it."), self.language),
            (self.tr("Length of guides"), self.tr("Where an assistant asks for no other."), self.detail),
            (self.tr("Ask before changes"), self.tr("Before a call that may change something."), self.asks),
            (self.tr("Longest guide, in tokens"), self.tr("Less is said of what matters least."), self.tokens),
            (self.tr("Tools to prefer"), self.tr("Names such as web.fetch, with commas between."), self.always),
            (self.tr("Tools to leave alone"), self.tr("Unless you name them yourself."), self.never),
        )
        for caption, sentence, control in sentences:
            control.setAccessibleName(caption)
            inside.addWidget(captioned(caption, sentence, control))

    def show_preferences(self, preferences: Preferences) -> None:
        """Show the values in the file."""
        for box, value in (
            (self.language, preferences.language),
            (self.detail, preferences.detail),
            (self.asks, preferences.ask_before_changes),
        ):
            box.setCurrentIndex(max(0, next((row for row in range(box.count()) if box.itemData(row) == value), 0)))
        self.tokens.show_text("" if preferences.guide_tokens is None else str(preferences.guide_tokens))
        self.always.show_text(", ".join(preferences.always))
        self.never.show_text(", ".join(preferences.never))

    def _choice(self, key: str, items: list[tuple[Any, str]]) -> ComboBox:
        box = ComboBox()
        for value, text in items:
            box.addItem(text, value)
        box.chosen.connect(lambda value: self.changed.emit(key, value))
        return box

    def _tools(self, name: str, key: str) -> LineField:
        field = LineField(name)
        field.saved.connect(lambda text: self.changed.emit(key, _names(text)))
        return field


def _names(text: str) -> list[str] | None:
    return [name for part in text.split(",") if (name := part.strip())] or None


def _language(code: str) -> str:
    return QLocale(code).nativeLanguageName().split(" (", 1)[0] or LANGUAGE_NAMES[code]
