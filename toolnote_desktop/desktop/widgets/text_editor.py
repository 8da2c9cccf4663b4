"""The editor of a note: plain text, as high as what stands in it, with the window's undo instead of one of its own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QTextBlockFormat, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

LINE_HEIGHT_PERCENT = 130.0
"""Room to read; the font's own line is about 1.2 of its size."""

_PARAGRAPH = "\u2029"
_LINE = "\u2028"


class NoteText(QTextEdit):
    """Plain text only: what is pasted loses its looks.

    Signals:
        typed: the text, whenever it changes by the user.
        entered, left: the editor has, or has lost, the focus.
        paused: the window is not the active one any more.
        done: Escape was pressed.
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
        """What stands here. ``toPlainText`` would turn a no-break space into another one."""
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
        """The cursor behind the last character."""
        self.moveCursor(QTextCursor.MoveOperation.End)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Qt's hook: a file that is dropped is the window's, which shows what is in it."""
        return source.hasText() and not any(url.isLocalFile() for url in source.urls())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Qt's hook: paste and drop."""
        if source.hasText():
            self.textCursor().insertText(source.text().replace("\r\n", "\n").replace("\r", "\n"))

    def event(self, event: QEvent) -> bool:
        """Qt's hook: an editor takes undo and redo for itself; these are the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_undo(event):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.done.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Qt would first take the format off an empty line, and start no new one
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        elif _is_undo(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls, the editor is never higher than it shows

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is Qt.FocusReason.ActiveWindowFocusReason:
            self.paused.emit()  # somebody who fetches a text from elsewhere comes back
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


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
