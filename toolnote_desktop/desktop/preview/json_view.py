"""Exact JSON served to an assistant, with the differences from the server's on a ground of their own."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit

from toolnote_desktop.desktop.models.json_diff import MarkedJson, marked_json
from toolnote_desktop.desktop.preview.text_view import utf16_units
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import fixed_font
from toolnote_desktop.desktop.widgets.basics import FocusRing


class JsonView(FocusRing, QPlainTextEdit):
    """JSON text, marked where it differs from another JSON."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[MarkedJson, bool] | None = None
        self.setProperty("kind", "view")
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(fixed_font(11))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(2)

    def show_seen(self, value: Any, other: Any, *, gone: bool = False) -> None:
        """Show the JSON, marking differences from ``other`` as added, or (``gone``) as removed."""
        shown = (marked_json(value, other), gone)
        if shown != self._shown:
            bar = self.verticalScrollBar()
            place = bar.value()
            self._shown = shown
            self.setPlainText(shown[0].text)
            self._mark()
            bar.setValue(place)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark()

    def _mark(self) -> None:
        selections = []
        if self._shown is not None:
            data, gone = self._shown
            scheme = colours(self.palette())
            form = QTextCharFormat()
            if gone:
                form.setFontStrikeOut(True)
                form.setForeground(QColor(scheme.dim))
            else:
                form.setBackground(QColor(scheme.added_ground))
                form.setForeground(QColor(scheme.added_text))
            for start, end in data.spans:
                selection = QTextEdit.ExtraSelection()
                cursor = QTextCursor(self.document())
                cursor.setPosition(utf16_units(data.text[:start]))
                cursor.setPosition(utf16_units(data.text[:end]), QTextCursor.MoveMode.KeepAnchor)
                selection.cursor = cursor
                selection.format = form
                selections.append(selection)
        self.setExtraSelections(selections)
