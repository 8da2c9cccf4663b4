"""Author of a note, and what an assistant wrote that the user has not confirmed: with *Keep* and *Undo*."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.notes import USER, Note


class WrittenBy(QWidget):
    """Line below a note of an assistant's; hidden below the user's and kept ones.

    Signals:
        kept, undone: the user keeps what the assistant wrote, or undoes it.
    """

    kept = Signal()
    undone = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = label("", "small", wraps=True)
        self.keep_button = Button(self.tr("Keep"), "link", pressed=self.kept.emit)
        self.undo_button = Button(self.tr("Undo"), "link", pressed=self.undone.emit)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self.text, 1)
        row.addWidget(self.keep_button)
        row.addWidget(self.undo_button)

    def show_note(self, snapshot: Snapshot, note: Note) -> None:
        """Show who wrote a note, if it is to be kept or undone."""
        author = messages.author_name(snapshot, note.author)
        ago = messages.how_long_ago(note.created_at)
        text = self.tr("{author} wrote this {when}.") if ago else self.tr("{author} wrote this.")
        self.text.setText(text.format(author=author, when=ago))
        for button in (self.keep_button, self.undo_button):
            button.set_text(button.text(), f"{button.text()}: {note.name}")
        self.setVisible(is_unconfirmed(note))


def is_unconfirmed(note: Note) -> bool:
    """Return True for a note of an assistant's that the user has not kept."""
    return note.author != USER and not note.kept


def author_words(snapshot: Snapshot, note: Note) -> str:
    """Return ``You, 1/10/26``; "" without a time."""
    when = messages.day_of(note.created_at)
    who = messages.author_name(snapshot, note.author) if note.author != USER else messages.translate("notes", "You")
    return messages.translate("notes", "{author}, {when}").format(author=who, when=when) if when else ""
