"""Editor of a note: plain text, as high as its content, with the window's undo instead of its own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QTextBlockFormat, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

LINE_HEIGHT_PERCENT = 130.0
"""Line height for comfortable reading; the font's own is about 1.2 of its size."""

_PARAGRAPH = "\u2029"
_LINE = "\u2028"


class NoteText(QTextEdit):
    """Plain-text editor; pasted text loses its formatting.

    Signals:
        typed: the text, whenever it changes by the user.
        entered, left: the editor has, or has lost, the focus.
        paused: the window is not the active one any more.
        done: Escape or Ctrl+Enter was pressed.
    """

    typed = Signal(str)
    entered = Signal()
    left = Signal()
    paused = Signal()
    done = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._showing = False
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.show_text(text)
        self.textChanged.connect(self._tell)

    def text(self) -> str:
        """Return the content; ``toPlainText`` would replace no-break spaces."""
        return self.document().toRawText().replace(_PARAGRAPH, "\n").replace(_LINE, "\n")

    def show_text(self, text: str) -> None:
        """Show another text; the cursor stays where it was, or goes to the end."""
        position = self.textCursor().position()
        self._showing = True
        try:
            self.setPlainText(text)
            self._space_lines()
        finally:
            self._showing = False
        cursor = self.textCursor()
        cursor.setPosition(min(position, len(self.document().toRawText())))
        self.setTextCursor(cursor)

    def to_end(self) -> None:
        """Move the cursor behind the last character."""
        self.moveCursor(QTextCursor.MoveOperation.End)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Leave dropped files to the window, which shows their content."""
        return source.hasText() and not any(url.isLocalFile() for url in source.urls())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert pasted or dropped text with line feeds only."""
        if source.hasText():
            self.textCursor().insertText(source.text().replace("\r\n", "\n").replace("\r", "\n"))

    def event(self, event: QEvent) -> bool:
        """Leave undo and redo to the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_undo_key(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape or (is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self.done.emit()
        elif is_enter:
            # Qt would first take the format off an empty line, and start no new one
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        elif is_undo_key(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # scrolls the page: the editor shows its whole content

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is Qt.FocusReason.ActiveWindowFocusReason:
            self.paused.emit()  # the user may be copying a text from another program
        elif event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def _tell(self) -> None:
        if not self._showing:
            self.typed.emit(self.text())

    def _space_lines(self) -> None:
        form = QTextBlockFormat()
        form.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _fit(self, size: QSizeF) -> None:
        height = max(int(size.height() + 0.999), self.fontMetrics().height()) + 2
        if height != self.height():
            self.setFixedHeight(height)


def is_undo_key(event: QKeyEvent) -> bool:
    """Return True for the keys of undo and redo."""
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
