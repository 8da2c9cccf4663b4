"""Rows of an assistant's page: what it may do, limits and names, parameters, protocol, and the instructions it gets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.preferences_form import PreferencesForm
from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.widgets.auto_save_fields import TextField
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton, Switch
from toolnote_desktop.desktop.widgets.form_rows import FormRow
from toolnote_desktop.desktop.widgets.full_text_label import LONGEST_BLOCK, blocks, made_visible
from toolnote_desktop.desktop.widgets.server_instructions import ServerInstructions, instructions_of
from toolnote_desktop.guidance.discovery import discovery_of, is_searched
from toolnote_desktop.guidance.instructions import USUAL_LIMIT, Instructions, client_instructions
from toolnote_desktop.guidance.served_tools import chosen_tools, served_problems, served_tools
from toolnote_desktop.model.clients import Discovery
from toolnote_desktop.model.preferences import Preferences
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset

UNCHOSEN = ""
"""Value of the menu's entry for an assistant that was connected before there was a choice."""

DETECTED = ""
"""Value of the menu's entry for the limits of the program that the assistant says it is."""

CUT_SHOWN = 4_000
"""Characters that are shown of what an assistant does not read; a source's whole text is shown with the source."""

TEXT_HEIGHT = 320
SWITCH_WIDTH = 40
"""Pixels before the words of a switch."""


class GuidanceFacts(Struct, frozen=True):
    """Guidance for an assistant as it is served.

    Attributes:
        dialect: its limits and names.
        instructions: None if it has no toolset.
        sources: tool sources of its toolset that have instructions or a note.
        refused: number of tools with parameters that it may refuse.
        is_searched: it finds its tools by searching.
    """

    dialect: Dialect
    instructions: Instructions | None
    sources: tuple[str, ...]
    refused: int
    is_searched: bool


def read_guidance(snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect, client: str) -> GuidanceFacts:
    """Compute the guidance for an assistant. For a thread: checks each served tool."""
    entry = snapshot.clients.get(client)
    refused = 0
    for tool in served_tools(snapshot, toolset, dialect):
        codes = {problem.code for problem in served_problems(tool, dialect)}
        refused += bool(codes & {Code.DIALECT_SCHEMA_REFUSED, Code.DIALECT_SCHEMA_CHANGED})
    names = dict.fromkeys(tool.known.tool.server for tool in chosen_tools(snapshot, toolset, dialect))
    sources = tuple(name for name in names if not instructions_of(snapshot, name).is_empty)
    made = client_instructions(snapshot, toolset, dialect, entry)
    return GuidanceFacts(dialect, made, sources, refused, is_searched(snapshot, entry, toolset, dialect))


class GuidanceRows(QWidget):
    """See the module.

    Signals:
        reread: the sentences of the family were changed, and with them what the assistant is told.
    """

    reread = Signal()

    def __init__(self, files: GuidanceFiles, settings: AssistantSettings) -> None:
        super().__init__()
        self._files, self._settings = files, settings
        self._client, self._name = "", ""
        self._snapshot: Snapshot | None = None
        self._facts: GuidanceFacts | None = None
        self.may_row = FormRow(self.tr("What it may do"))
        text = self.tr("Write notes")
        self.may_write = Switch(text, text, text, flush=True)
        self.may_write.toggled.connect(lambda on: self._settings.allow_notes(self._client, on=on))
        text = self.tr("Change its toolset")
        self.may_choose = Switch(text, text, text, flush=True)
        self.may_choose.toggled.connect(lambda on: self._settings.allow_toolsets(self._client, on=on))
        keep = label(self.tr("You can keep or undo each one."), "small", wraps=True)
        fill_rows(self.may_row.body, self.may_write, keep, self.may_choose)
        self.discovery_row = FormRow(self.tr("Finding tools"))
        self.discovery = MenuButton(self.tr("Finding tools"), boxed=True)
        self.discovery.setFixedWidth(round(280 * text_scale()))
        self.discovery.chosen.connect(self._choose_discovery)
        self.discovery_text = label("", "small", wraps=True)
        fill_rows(self.discovery_row.body, self.discovery, self.discovery_text)
        self.rules_row = FormRow(self.tr("Limits and names"))
        self.rules = MenuButton(self.tr("Limits and names"), boxed=True)
        self.rules.setFixedWidth(round(280 * text_scale()))
        self.rules.chosen.connect(self._choose_rules)
        self.rules_text = label("", "small", wraps=True)
        text = self.tr("Simplify parameters")
        self.simple = Switch(text, text, text, flush=True)
        self.simple.toggled.connect(lambda on: self._settings.simplify(self._client, simple=on))
        self.simple_text = label("", "small", wraps=True)
        text = self.tr("Use the older protocol")
        self.older = Switch(text, text, text, flush=True)
        self.older.toggled.connect(lambda on: self._settings.keep_in_handshake_era(self._client, on=on))
        self.older_text = label(
            self.tr("For assistants built with pydantic-ai or FastMCP: they hear of your changes only there."),
            "small",
            wraps=True,
        )
        fill_rows(
            self.rules_row.body, self.rules, self.rules_text, self.simple, self.simple_text, self.older, self.older_text
        )
        self.sentences = TextField(self.tr("Sentences for this family"), self.tr("One a line. Added to instructions."))
        self.sentences.saved.connect(self._save_sentences)
        self.sentences_text = label("", "small", wraps=True)
        self.rules_row.body.insertWidget(2, self.sentences)
        self.rules_row.body.insertWidget(3, self.sentences_text)
        self.wishes_row = FormRow(self.tr("Your preferences"))
        self.wishes = PreferencesForm(of_one=True)
        self.wishes.changed.connect(lambda key, value: self._settings.prefer(self._client, key, value))
        self.wishes_fold = Collapsible(self.tr("Language, guides, and tools to prefer"), flat=True)
        self.wishes_fold.body.setContentsMargins(0, 4, 0, 8)
        self.wishes_fold.body.addWidget(self.wishes)
        self.wishes_row.body.addWidget(self.wishes_fold)
        self.text_row = FormRow(self.tr("Instructions"))
        self.whole = Collapsible("", flat=True)
        self.whole.body.setContentsMargins(0, 4, 0, 8)
        self.text = QPlainTextEdit()
        self.text.setProperty("kind", "guide")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(style_font("read"))
        self.text.setFixedHeight(round(TEXT_HEIGHT * text_scale()))
        self.whole.body.addWidget(self.text)
        self.whole.opened.connect(self._fill)
        self.cut_text = label("", "attention", wraps=True)
        self._sources = QVBoxLayout()
        self._sources.setContentsMargins(0, 12, 0, 0)
        self._sources.setSpacing(20)
        self.sources: dict[str, ServerInstructions] = {}
        self.text_row.body.addWidget(self.whole)
        self.text_row.body.addWidget(self.cut_text)
        self.text_row.body.addLayout(self._sources)
        inside = column(self, spacing=0)
        inside.addWidget(self.may_row)
        inside.addWidget(self.discovery_row)
        inside.addWidget(self.wishes_row)
        inside.addWidget(self.rules_row)
        inside.addWidget(self.text_row)

    def set_narrow(self, narrow: bool) -> None:
        """Put captions above their controls in a narrow window."""
        for row in (self.may_row, self.discovery_row, self.wishes_row, self.rules_row, self.text_row):
            row.set_narrow(narrow)

    def show_settings(self, snapshot: Snapshot, client: str, name: str) -> None:
        """Show an assistant's settings; nothing for one that is not set up."""
        if client != self._client:
            self._facts = None
        self._client, self._name, self._snapshot = client, name, snapshot
        entry = snapshot.clients.get(client)
        self.setVisible(entry is not None)
        if entry is None:
            return
        dialects = self._files.dialects
        # What the assistant is by its own name, whatever the user chose.
        detected = self._files.detected_dialect(client)
        choices = [Choice(self.tr("As it reports ({0})").format(detected.title), DETECTED)]
        choices += [Choice(one.title, key) for key, one in dialects.items()]
        self.rules.set_choices(choices, entry.dialect if entry.dialect in dialects else DETECTED)
        text = self.tr("How much {0} reads, how it names tools, and which parameters it accepts.")
        self.rules_text.setText(text.format(name))
        self.wishes.show_preferences(entry.preferences)
        self.wishes_fold.header.summarise("" if entry.preferences == Preferences() else self.tr("Set"))
        dialect = self._files.dialect_of(client, entry)
        self.sentences.show_text("\n".join(dialect.sentences))
        text = self.tr("For all assistants of this family: {0}.")
        self.sentences_text.setText(text.format(dialect.title))
        self.may_write.show_state(entry.may_write_notes)
        self.may_choose.show_state(entry.may_choose_toolset and not entry.toolset_assigned)
        self.may_choose.setEnabled(not entry.toolset_assigned)
        choices = [
            Choice(self.tr("Automatic"), "auto"),
            Choice(self.tr("Whole list"), "full"),
            Choice(self.tr("By searching"), "search"),
        ]
        current: str = discovery_of(snapshot.settings, entry)
        if entry.discovery is None and not snapshot.settings.lazy_mode:
            choices.append(Choice(self.tr("Whole list, until you choose"), UNCHOSEN))
            current = UNCHOSEN
        self.discovery.set_choices(choices, current)
        self.discovery.setEnabled(not snapshot.settings.lazy_mode)
        self.simple.show_state(entry.schema_subset)
        self.older.show_state(entry.era == "handshake")
        self._show_sources(snapshot)
        self._show_refused(entry.schema_subset)

    def show_facts(self, snapshot: Snapshot, facts: GuidanceFacts) -> None:
        """Show what was computed."""
        self._facts = facts
        entry = snapshot.clients.get(self._client)
        self._show_refused(entry is not None and entry.schema_subset)
        self._show_sources(snapshot)
        if snapshot.settings.lazy_mode:
            text = self.tr("All assistants search for their tools: that is set in Settings.")
        elif facts.is_searched:
            text = self.tr("{0} searches for tools. Always listed ones and those that ask first are in its list.")
        else:
            text = self.tr("All tools are in its list.")
        self.discovery_text.setText(text.replace("{0}", self._name))
        made = facts.instructions
        self.text_row.setVisible(made is not None)
        if made is None:
            return
        self.whole.header.rename(self.tr("Show the instructions that {0} gets").format(self._name))
        self.text.setAccessibleName(self.tr("Instructions for {0}").format(self._name))
        limit = messages.number(
            USUAL_LIMIT if facts.dialect.instructions_limit is None else facts.dialect.instructions_limit
        )
        self.cut_text.setText(
            self.tr("{0} reads {1} characters of them. What it doesn’t read is struck through.").format(
                self._name, limit
            )
        )
        self.cut_text.setVisible(bool(made.cut))
        if self.whole.is_open:
            self._fill()

    def _show_refused(self, simplified: bool) -> None:
        facts = self._facts
        count = facts.refused if facts is not None else 0
        self.simple.setVisible(simplified or count > 0)
        self.simple_text.setVisible(self.simple.isVisibleTo(self))
        if simplified:
            text = self.tr("1 tool is simplified.") if count == 1 else self.tr("%n tools are simplified.", "", count)
        elif count == 1:
            text = self.tr("{0} may refuse the parameters of 1 tool.")
        else:
            text = self.tr("{0} may refuse the parameters of %n tools.", "", count)
        self.simple_text.setText(text.replace("{0}", self._name))

    def _show_sources(self, snapshot: Snapshot) -> None:
        facts = self._facts
        names = facts.sources if facts is not None else ()
        if tuple(self.sources) != names:
            for widget in self.sources.values():
                self._sources.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
            self.sources = {name: self._source(name) for name in names}
        entry = snapshot.clients.get(self._client)
        withheld = entry.without_instructions if entry is not None else ()
        for name, widget in self.sources.items():
            widget.show_instructions(instructions_of(snapshot, name), self._name, is_sent=name not in withheld)

    def _source(self, name: str) -> ServerInstructions:
        widget = ServerInstructions(is_named=True)
        widget.switched.connect(lambda on: self._settings.send_instructions(name, on=on, client=self._client))
        widget.note_saved.connect(lambda text: self._settings.note_instructions(name, text))
        widget.decided.connect(lambda one, text: self._settings.review_instructions(name, one, text))
        self._sources.addWidget(widget)
        return widget

    def _choose_discovery(self, discovery: object) -> None:
        if discovery != UNCHOSEN:
            self._settings.set_discovery(self._client, cast("Discovery", discovery))

    def _save_sentences(self, text: str) -> None:
        entry = self._snapshot.clients.get(self._client) if self._snapshot is not None else None
        if entry is None:
            return
        dialect = self._files.dialect_of(self._client, entry)
        sentences = [line.strip() for line in text.splitlines() if line.strip()]
        if tuple(sentences) != dialect.sentences:
            self._files.save_sentences(dialect.name, sentences)
            self.reread.emit()

    def _choose_rules(self, key: object) -> None:
        self._settings.set_dialect(self._client, str(key) or None)

    def _fill(self) -> None:
        """Show the whole text, with what the assistant does not read struck through."""
        made = self._facts.instructions if self._facts is not None else None
        if made is None:
            return
        text, cuts = marked_text(made)
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        selections = []
        for begin, end in cuts:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(self.text.document())
            selection.cursor.setPosition(begin)
            selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            struck = QTextCharFormat()
            struck.setFontStrikeOut(True)
            selection.format = struck
            selections.append(selection)
        self.text.setExtraSelections(selections)


def fill_rows(rows: QVBoxLayout, *widgets: QWidget) -> None:
    """Add controls below each other; a text after a switch is in line with the switch's own."""
    before: QWidget | None = None
    for widget in widgets:
        if isinstance(widget, QLabel):
            if isinstance(before, Switch):
                mirrored = QGuiApplication.isRightToLeft()
                widget.setContentsMargins(0 if mirrored else SWITCH_WIDTH, 0, SWITCH_WIDTH if mirrored else 0, 0)
            rows.addWidget(widget)
        else:
            rows.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeading)
        before = widget


def marked_text(made: Instructions) -> tuple[str, list[tuple[int, int]]]:
    """Return instructions as whole text to show, and the positions, in UTF-16 units, of what is cut."""
    if not made.parts:
        return _shown(made.text), []
    text, cuts, place = "", [], 0
    for piece, is_read in _pieces(made):
        shown = _shown(piece)
        units = len(shown.encode("utf-16-le", "surrogatepass")) // 2
        if not is_read:
            cuts.append((place, place + units))
        text += shown
        place += units
    return text, cuts


def _pieces(made: Instructions) -> Iterator[tuple[str, bool]]:
    """Yield the parts of instructions, and whether the assistant reads each."""
    for part in made.parts:
        if part.server:
            yield f"\n\n## {part.server}\n\n", part.kept > 0
        if part.kept:
            yield part.text[: part.kept], True
        if part.kept < len(part.text):
            rest = part.text[part.kept :]
            yield f"{rest[:CUT_SHOWN]}…" if len(rest) > CUT_SHOWN else rest, False


def _shown(text: str) -> str:
    """Return a text that is laid out in linear time, with characters that cannot be seen written out."""
    visible = made_visible(text)
    longest = max(map(len, visible.split()), default=0)
    return visible if longest <= LONGEST_BLOCK else "\n".join(blocks(visible))
