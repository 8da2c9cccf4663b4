"""Instructions of one tool source: its own text with a switch, a change to be reviewed, and the user's note."""

from __future__ import annotations

import difflib

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.condensed_texts import condensed, cut
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.auto_save_fields import TextField
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.desktop.widgets.full_text_label import LONGEST_SHOWN, FullTextLabel, blocks, made_visible
from toolnote_desktop.model.servers import ServerOptions
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, ReviewState
from toolnote_desktop.model.tools.review import instructions_review

DIFF_LINES = 16
DIFFED_LINES = 400
"""Lines that are compared: more take quadratic time."""


class SourceInstructions(Struct, frozen=True):
    """State of a tool source's instructions.

    Attributes:
        text: its own; "" if it has none.
        before: those that the user accepted last, where they differ; None if there is nothing to review.
        is_sent: they are sent to assistants.
        note: the user's note, sent before them.
    """

    source: str
    text: str
    before: str | None
    is_sent: bool
    note: str
    is_kept: bool = False
    """The user decided to go on with those of before."""

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return not self.text and not self.note and self.before is None


def instructions_of(snapshot: Snapshot, source: str) -> SourceInstructions:
    """Return the state of a tool source's instructions."""
    listing, entry = snapshot.catalogue.servers.get(source), snapshot.servers.get(source)
    options = entry.toolnote if entry is not None else ServerOptions()
    state = instructions_review(listing, options) if listing is not None else ReviewState.UNCHANGED
    return SourceInstructions(
        source,
        (listing.instructions or "") if listing is not None else "",
        listing.accepted_instructions if listing is not None and state in IN_REVIEW else None,
        options.instructions,
        options.instructions_note,
        state is ReviewState.KEPT,
    )


class ServerInstructions(QWidget):
    """See the module.

    Signals:
        switched: send the source's own instructions, or not.
        note_saved: the text of the user's note.
        decided: the changed instructions were reviewed: ``accept`` or ``keep``, and the text that was shown.
    """

    switched = Signal(bool)
    note_saved = Signal(str)
    decided = Signal(str, str)

    def __init__(self, *, is_named: bool = False) -> None:
        """``is_named``: with the source's name above, where several are in a list."""
        super().__init__()
        self._shown: SourceInstructions | None = None
        self._reviewed: SourceInstructions | None = None
        self._is_outdated = False
        self.name = label("", "heading", wraps=True)
        self.name.setVisible(is_named)
        self.switch = Switch("", "", "", flush=True)
        self.switch.toggled.connect(self.switched)
        self.why = label("", "small", wraps=True)
        self.change = QFrame()
        self.change.setProperty("kind", "attention-box")
        inside = column(self.change, (16, 12, 16, 12), 8)
        self.change_title = label("", "heading", wraps=True)
        self.diff = DiffView()
        self.diff.setLineWrapMode(DiffView.LineWrapMode.WidgetWidth)
        self.diff.setAccessibleName(self.tr("Change of the instructions"))
        self.accept_button = Button(self.tr("Accept"), pressed=self._accept)
        self.keep_button = Button(self.tr("Keep the old version"), pressed=lambda: self._decide("keep"))
        buttons = QHBoxLayout()
        buttons.addWidget(self.accept_button)
        buttons.addWidget(self.keep_button)
        buttons.addStretch(1)
        inside.addWidget(self.change_title)
        inside.addWidget(self.diff)
        inside.addLayout(buttons)
        self.own = Collapsible(self.tr("Show its instructions"), flat=True)
        self.own.body.setContentsMargins(0, 4, 0, 8)
        self.text = FullTextLabel("")
        self.own.body.addWidget(self.text)
        self.own.opened.connect(self._fill)
        self.note = TextField(self.tr("Your note"), self.tr("Your note to assistants on this tool source"))
        self.note.saved.connect(self.note_saved)
        whole = column(self, spacing=6)
        whole.addWidget(self.name)
        whole.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeading)
        for widget in (self.why, self.change, self.own, self.note):
            whole.addWidget(widget)

    def show_instructions(self, shown: SourceInstructions, assistant: str = "", *, is_sent: bool | None = None) -> None:
        """Show a source's instructions, or update them.

        Args:
            assistant: name of the assistant that the switch is for; "" for all.
            is_sent: state of that assistant's switch.
        """
        before = self._shown
        is_read = self.change.isVisible() and before is not None and before.source == shown.source
        self._shown = shown
        self.name.setText(messages.source_name(shown.source))
        off_for_all = bool(assistant) and not shown.is_sent
        name = (
            self.tr("Send its instructions to {0}").format(assistant)
            if assistant
            else self.tr("Send its instructions to assistants")
        )
        self.switch.set_text(name)
        self.switch.show_state(shown.is_sent if is_sent is None else is_sent and shown.is_sent)
        self.switch.setEnabled(not off_for_all)
        self.switch.setVisible(bool(shown.text))
        self.why.setText(
            self.tr("Turned off on the page of {0}, for all assistants.").format(messages.source_name(shown.source))
        )
        self.why.setVisible(off_for_all and bool(shown.text))
        self.own.setVisible(bool(shown.text))
        if before is None or before.text != shown.text:
            self.text.show_text("")
            if self.own.is_open:
                self._fill()
        self.note.show_text(shown.note)
        self.keep_button.setVisible(not shown.is_kept)
        reviewed = self._reviewed
        if is_read and reviewed is not None and shown.before is not None and reviewed.text != shown.text:
            self._is_outdated = True  # nothing changes under the eyes and the pointer of the user
            self.change_title.setText(self.tr("{0} changed its instructions once more").format(self.name.text()))
            self.accept_button.setText(self.tr("Show the newest version"))
        elif self._is_outdated or reviewed is None or _change_of(reviewed) != _change_of(shown):
            self._show_change(shown)

    def _fill(self) -> None:
        if self._shown is not None:
            self.text.show_text(self._shown.text)

    def _accept(self) -> None:
        """Accept what is shown; where that is not the newest text any more, show this."""
        if self._is_outdated and self._shown is not None:
            self._show_change(self._shown)
        else:
            self._decide("accept")

    def _decide(self, decision: str) -> None:
        if self._shown is not None:
            self.decided.emit(decision, self._shown.text)

    def _show_change(self, shown: SourceInstructions) -> None:
        self._reviewed, self._is_outdated = shown, False
        self.accept_button.setText(self.tr("Accept"))
        self.change.setVisible(shown.before is not None)
        if shown.before is None:
            return
        self.change_title.setText(self.tr("{0} changed its instructions").format(messages.source_name(shown.source)))
        texts = condensed(shown.before, shown.text, LONGEST_SHOWN, DIFFED_LINES)
        before, now = (blocks(cut(made_visible(text), LONGEST_SHOWN))[:DIFFED_LINES] for text in texts)
        diff = difflib.unified_diff(before, now, lineterm="")
        self.diff.show_diff("\n".join(diff), colours(self.palette()))
        lines = min(max(self.diff.document().blockCount() + 2, 6), DIFF_LINES)
        self.diff.setFixedHeight(self.diff.fontMetrics().lineSpacing() * lines + 28)


def _change_of(shown: SourceInstructions) -> tuple[str, str | None, str]:
    return shown.source, shown.before, shown.text
