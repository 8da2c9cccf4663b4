"""Document of a tool: what the assistant reads, with the user's words as blocks where they are served."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QEvent, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.tool_document import DocumentPart, OwnText, ToolDocument
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import line_height, style_font, text_scale
from toolnote_desktop.desktop.theme.icons import draw_icon
from toolnote_desktop.desktop.widgets.basics import Button, column, in_direction, label, without_mnemonics
from toolnote_desktop.desktop.widgets.controls import Menu, paint_user_block, popup_below
from toolnote_desktop.desktop.widgets.text_editor import NoteText
from toolnote_desktop.guidance.description import WHEN_TITLE, PartKind

MOST_SHOWN: Final = 20_000
"""Characters of a text that are shown before *Show all*: laying out more takes too long (docs/speed.md)."""

_QUOTED: Final = 70
"""Characters of a paragraph in the menu."""


class DocumentText(QTextEdit):
    """Text that an assistant reads: read-only, as high as its content, with lines of a fixed height."""

    def __init__(self, name: str, *, struck: bool = False, colour: Literal["dim", "text"] = "dim") -> None:
        super().__init__()
        self._struck = struck
        self._colour = colour
        self._text: str | None = None
        self._spans: tuple[tuple[int, int], ...] = ()
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.setFont(style_font("read"))
        self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def text(self) -> str:
        """Return the shown text."""
        return self._text or ""

    def show_text(self, text: str, struck: tuple[tuple[int, int], ...] = ()) -> None:
        """Show a text, of a very long one only the start; spans of it struck out."""
        if (text, struck) != (self._text, self._spans):
            self._text, self._spans = text, struck
            self.setPlainText(text[:MOST_SHOWN])
            self._format()
        self.setVisible(bool(text))

    def show_all(self) -> None:
        """Show all of a very long text."""
        self.setPlainText(self.text())
        self._format()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme's colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._text is not None:
            self._format()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # scrolls the page: the text is shown whole

    def _format(self) -> None:
        lines, form = QTextBlockFormat(), QTextCharFormat()
        lines.setLineHeight(line_height("read"), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        form.setForeground(QColor(getattr(colours(self.palette()), self._colour)))
        form.setFontStrikeOut(self._struck)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(lines)
        cursor.mergeCharFormat(form)
        form.setFontStrikeOut(True)
        last = self.document().characterCount() - 1
        for start, end in self._spans:
            cursor.setPosition(min(last, utf16_length(self.text()[:start])))
            cursor.setPosition(min(last, utf16_length(self.text()[:end])), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(form)

    def _fit(self, size: QSizeF) -> None:
        height = int(size.height() + 0.999)
        if height != self.height():
            self.setFixedHeight(height)


class UserBlock(QFrame):
    """Block of the user's words: green ground and bar, an accent frame while it is written in."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.writing = False
        self.is_off = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_user_block(painter, QRectF(self.rect()), self, writing=self.writing, is_off=self.is_off)


class WordsBlock(UserBlock):
    """Block with a title and a text, editable or not, such as *When to use*.

    Signals:
        saved: the text, once the editor is left or Escape is pressed.
    """

    saved = Signal(str)

    def __init__(self, title: str, *, editable: bool) -> None:
        super().__init__()
        self._shown = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(*in_direction(20, 9, 16, 9))
        row.setSpacing(8)
        self.heading = label(title, "good")
        self.heading.setFont(style_font("head"))
        self.heading.setFixedHeight(QFontMetrics(style_font("read")).height())
        row.addWidget(self.heading, 0, Qt.AlignmentFlag.AlignTop)
        self.editor = NoteText("")
        self.editor.setAccessibleName(title)
        self.editor.setFont(style_font("read"))
        self.editor.setReadOnly(not editable)
        self.editor.entered.connect(self._entered)
        self.editor.left.connect(self._left)
        self.editor.done.connect(self.editor.clearFocus)
        row.addWidget(self.editor, 1)

    def show_text(self, text: str) -> None:
        """Show a text; what is being typed stays."""
        if not self.editor.hasFocus() or self.editor.text() == self._shown:
            self._shown = text
            if self.editor.text() != text:
                self.editor.show_text(text)
        self.setVisible(bool(text) or self.editor.hasFocus())

    def start_writing(self) -> None:
        """Show the block and focus its text."""
        self.show()
        self.editor.to_end()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def flush(self) -> None:
        """Save what was typed."""
        text = self.editor.text()
        if text.strip() != self._shown.strip():
            self._shown = text
            self.saved.emit(text)

    def _entered(self) -> None:
        self.writing = not self.editor.isReadOnly()
        self.update()

    def _left(self) -> None:
        self.writing = False
        self.update()
        self.flush()
        self.setVisible(bool(self._shown.strip()))


class CutLine(QWidget):
    """Line where an assistant stops reading."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setFixedHeight(round(24 * text_scale()))

    def show_text(self, text: str) -> None:
        """Show the sentence in the line."""
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setFont(style_font("second"))
        width = painter.fontMetrics().horizontalAdvance(self._text)
        start, middle = (self.width() - width) // 2, self.height() // 2
        painter.setPen(QPen(QColor(scheme.attention), 1, Qt.PenStyle.DashLine))
        painter.drawLine(0, middle, start - 12, middle)
        painter.drawLine(start + width + 12, middle, self.width(), middle)
        painter.setPen(QColor(scheme.attention_text))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)


class _Caption(QWidget):
    """Line of a small icon and a dim sentence."""

    def __init__(self, icon: str) -> None:
        super().__init__()
        self._icon = icon
        row = QHBoxLayout(self)
        row.setContentsMargins(*in_direction(round(18 * text_scale()), 0, 0, 0))
        self.text = label("", "small", wraps=True)
        row.addWidget(self.text)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        size = round(12 * text_scale())
        x = self.width() - size if self.isRightToLeft() else 0
        place = QRectF(x, (self.height() - size) / 2, size, size)
        draw_icon(painter, self._icon, place, QColor(colours(self.palette()).dim), size)  # type: ignore[arg-type]


class OwnWords(QWidget):
    """The server's own words, read-only; what is muted, and what is behind the end of reading, is struck out.

    Signals:
        muted: a paragraph, and True to mute it or False to let assistants read it again.
    """

    muted = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._own = OwnText()
        self.caption = _Caption("lock")
        self.read = DocumentText("")
        self.cut_line = CutLine()
        self.unread = DocumentText(self.tr("Not read by this assistant"), struck=True)
        self.show_all_button = Button(self.tr("Show all"), "link", pressed=self._show_all)
        whole = column(self, spacing=4)
        for widget in (self.caption, self.read, self.cut_line, self.unread):
            whole.addWidget(widget)
        whole.addWidget(self.show_all_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.mute_button = Button("", "link", pressed=self._choose_muted)
        self.mute_menu = Menu(self, self.tr("Paragraphs that assistants read"))
        whole.addWidget(self.mute_button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_part(self, source: str, own: OwnText, stops: str) -> None:
        """Show the server's text, as far as the assistant reads it; ``stops`` says where it ends."""
        self._own = own
        text, read = own.text, own.read
        self.caption.text.setText(self.tr("{source}’s own words").format(source=messages.source_name(source)))
        self.read.setAccessibleName(self.tr("From {source}, read-only").format(source=messages.source_name(source)))
        self.read.show_text(text[:read], own.muted)
        self.unread.show_text(text[read:])
        self.cut_line.show_text(stops)
        self.cut_line.setVisible(read < len(text))
        self.show_all_button.setVisible(len(text) > MOST_SHOWN)
        count = len(own.muted)
        one = self.tr("Mute a paragraph…") if not count else self.tr("1 paragraph muted…")
        self.mute_button.set_text(one if count < 2 else self.tr("%n paragraphs muted…", "", count))
        self.mute_button.setVisible(bool(own.paragraphs or own.lost))
        self.setVisible(bool(text))

    def _choose_muted(self) -> None:
        """Show a menu of the paragraphs; the ticked ones are read."""
        menu = self.mute_menu
        menu.clear()
        for text, is_muted in (*self._own.paragraphs, *((text, True) for text in self._own.lost)):
            words = " ".join(text.split())
            action = menu.addAction(without_mnemonics(words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"))
            action.setCheckable(True)
            action.setChecked(not is_muted)
            action.setEnabled(bool(words))
            action.triggered.connect(lambda read, text=text: self.muted.emit(text, not read))
        popup_below(self.mute_button, menu)

    def _show_all(self) -> None:
        self.read.show_all()
        self.unread.show_all()
        self.show_all_button.hide()


class DocumentView(QWidget):
    """Text of a tool in the order in which it is served; ``notes`` is the list of its notes.

    Attributes:
        when: block *When to use*; ``instructions``: block of instructions.
    """

    def __init__(self, notes: QWidget) -> None:
        super().__init__()
        self.first_line = _Caption("none")
        self.own = OwnWords()
        self.approval = WordsBlock(self.tr("Ask me first"), editable=False)
        self.consent = WordsBlock(self.tr("Confirmation word"), editable=False)
        self.when = WordsBlock(self.tr("When to use"), editable=True)
        self.instructions = WordsBlock(self.tr("Instructions"), editable=True)
        self.examples = WordsBlock(self.tr("Examples"), editable=False)
        self.heading = label("", "good")
        font = style_font("read")
        font.setWeight(QFont.Weight.DemiBold)
        self.heading.setFont(font)
        self.heading.setMinimumHeight(round(36 * text_scale()))
        self.notes = notes
        self.last = DocumentText(self.tr("Added for this assistant"))
        self.cut_line = CutLine()
        self._ours = QWidget()
        ours = column(self._ours, spacing=8)
        words = (self.approval, self.consent, self.when, self.instructions, self.examples)
        for block in (*words, self.heading, self.notes):
            ours.addWidget(block)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 12, 0, 0)
        self._whole.setSpacing(8)
        for widget in (self.first_line, self.own, self._ours, self.cut_line, self.last):
            self._whole.addWidget(widget)

    def show_document(self, document: ToolDocument, source: str, reader: str) -> None:
        """Show what a reader is served of a tool of ``source``; without the tool only the notes stay."""
        parts = {one.part.kind: one for one in document.parts if one.note is None}
        stops = ""
        if document.limit is not None:
            text = self.tr("{assistant} stops reading here, after {n} characters")
            stops = text.format(assistant=reader, n=messages.number(document.limit))
        own = parts.get(PartKind.OWN)
        self.own.show_part(source, document.own, stops)
        self.approval.show_text(_text_of(parts.get(PartKind.APPROVAL)))
        self.consent.show_text(_text_of(parts.get(PartKind.CONSENT)))
        self.when.show_text(_text_of(parts.get(PartKind.WHEN)).removeprefix(WHEN_TITLE))
        self.instructions.show_text(_text_of(parts.get(PartKind.INSTRUCTIONS)))
        self.examples.show_text(_text_of(parts.get(PartKind.EXAMPLES)))
        heading = parts.get(PartKind.HEADING)
        self.heading.setText(_text_of(heading).lstrip("# "))
        self.heading.setVisible(heading is not None)
        self.last.show_text(_text_of(parts.get(PartKind.DIALECT)))
        cut_elsewhere = any(one.is_cut for one in document.parts) and not (own is not None and own.is_cut)
        self.cut_line.show_text(stops)
        self.cut_line.setVisible(cut_elsewhere)
        text = self.tr("{assistant} reads only the start of a long description, so your notes come first.")
        self.first_line.text.setText(text.format(assistant=reader))
        self.first_line.setVisible(document.notes_first and document.limit is not None)
        place = 2 if document.notes_first else 1
        if self._whole.indexOf(self.own) != place:
            self._whole.insertWidget(place, self.own)

    def flush(self) -> None:
        """Save what is being typed in the blocks."""
        self.when.flush()
        self.instructions.flush()


def _text_of(part: DocumentPart | None) -> str:
    return part.part.text if part is not None else ""


def utf16_length(text: str) -> int:
    """Return the length of a text in Qt's units; a line break is one."""
    return len(text.replace("\r\n", "\n").encode("utf-16-le", "surrogatepass")) // 2
