"""Toast over the page's foot: a sentence and at most two buttons. It pushes nothing, and leaves by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QEnterEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.theme.motion import fade_in
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.controls import IconButton
from toolnote_desktop.desktop.widgets.debouncer import Debouncer

SHOWN_MS: Final = 6_000
"""Milliseconds until a toast leaves, counted anew after the pointer or the focus has left it."""

_MARGIN: Final = 24


class Toast(QFrame):
    """Toast with one message; a new one replaces it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "toast")
        self.setAutoFillBackground(True)
        self.setAccessibleName(self.tr("Message"))
        self._action: Callable[[], object] | None = None
        self._other: Callable[[], object] | None = None
        self._before: QWidget | None = None
        self._room = QRect()
        self.about: object = None
        """Subject of the message, by which its sender can recognise and close it."""
        self.dot = Dot()
        self.sentence = label("", wraps=True)
        self.other_button = Button("", "text", pressed=lambda: self._act(self._other))
        self.action_button = Button("", "text", pressed=lambda: self._act(self._action))
        self.close_button = IconButton("close", self.tr("Close this message"), pressed=self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 3, 5, 3)
        row.setSpacing(8)
        row.addWidget(self.dot)
        row.addWidget(self.sentence, 1)
        row.addWidget(self.other_button)
        row.addWidget(self.action_button)
        row.addWidget(self.close_button)
        self.timer = Debouncer(self, SHOWN_MS, self._leave)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)
        self.hide()

    def show_message(
        self,
        text: str,
        action: str = "",
        pressed: Callable[[], object] | None = None,
        *,
        mark: Mark = Mark.NONE,
        about: object = None,
        other: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        """Show a sentence, with a button if there is an action. ``other``: words and action of one before it."""
        self._action = pressed
        words, self._other = other or ("", None)
        self.other_button.set_text(words)
        self.other_button.setVisible(bool(words))
        self.about = about
        self.dot.show_mark(mark)
        self.sentence.setText(text)
        self.action_button.set_text(action)
        self.action_button.setVisible(bool(action))
        self._place()  # before it is shown: where it was first, the pointer may be
        if self.isHidden():
            fade_in(self)
        self.show()
        self.raise_()
        self._count_down()
        announce(self, " ".join(part for part in (text, words, action) if part))

    def dismiss(self) -> None:
        """Close the message; the focus goes back to where it was."""
        self._action = self._other = None
        self.about = None
        self.timer.cancel()
        had_focus = self._has_focus()
        self.hide()
        if had_focus and self._before is not None:
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_focus(self) -> None:
        """Focus the button (F8)."""
        if self.isVisible():
            self._before = QApplication.focusWidget()
            target = self.action_button if self.action_button.isVisible() else self.close_button
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def place_over(self, room: QRect) -> None:
        """Stay in the middle of the foot of ``room``."""
        self._room = room
        if self.isVisible():
            self._place()

    def _place(self) -> None:
        most = max(200, min(self._room.width() - 2 * _MARGIN, round(640 * text_scale())))
        beside = self.width_beside()
        words = self.sentence.fontMetrics().horizontalAdvance(self.sentence.text()) + 4
        width = min(most, words + beside)
        height = self.sentence.heightForWidth(width - beside)
        height = max(round(40 * text_scale()), height + 12)
        left = self._room.left() + (self._room.width() - width) // 2
        place = QRect(left, self._room.bottom() + 1 - _MARGIN - height, width, height)
        parent, button = self.parentWidget(), QApplication.focusWidget()
        if parent is not None and isinstance(button, QAbstractButton) and not self.isAncestorOf(button):
            below = QRect(button.mapTo(parent, QPoint()), button.size()) if parent.isAncestorOf(button) else QRect()
            if below.intersects(place):
                place.moveBottom(below.top() - 1 - _MARGIN // 2)  # what the user would press next stays free
        self.setGeometry(place)

    def width_beside(self) -> int:
        """Return the pixels beside the sentence."""
        shown = [self.close_button]
        width = 16 + 5 + 2
        for widget in (self.dot, self.other_button, self.action_button, *shown):
            if not widget.isHidden():
                width += widget.sizeHint().width() + 8 if widget is not self.close_button else widget.width() + 8
        return width

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def _count_down(self) -> None:
        if self.isVisible() and not self.underMouse() and not self._has_focus():
            self.timer.trigger()
        else:
            self.timer.cancel()

    def _leave(self) -> None:
        if not self.underMouse() and not self._has_focus():
            self.dismiss()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.timer.cancel()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._count_down()

    def _focus_changed(self, _before: QWidget | None, _now: QWidget | None) -> None:
        if self.isVisible():
            self._place()
            self._count_down()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def _act(self, action: Callable[[], object] | None) -> None:
        self.dismiss()
        if action is not None:
            action()
