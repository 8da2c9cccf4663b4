"""Inspector of a tool: who gets it, how it behaves, its category and its size."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.tool_document import ToolDocument
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.desktop.widgets.token_meter import ToolsetTokens
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.hints import DESTRUCTIVE, IDEMPOTENT, OPEN_WORLD, READ_ONLY, server_hints

SIZE_SCALE: Final = 1_200
"""Tokens at the end of the size's scale."""

_YES, _NO, _UNSET = "yes", "no", "unset"


class SizeBar(QWidget):
    """Bar of a tool's tokens on a fixed scale, the user's words in green."""

    def __init__(self) -> None:
        super().__init__()
        self._own, self._ours = 0, 0
        self.setFixedHeight(round(6 * text_scale()))

    def show_size(self, own: int, ours: int) -> None:
        """Show the server's and the user's tokens."""
        self._own, self._ours = own, ours
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(scheme.track))
        start = 0
        for tokens, colour in ((self._own, scheme.bar), (self._ours, scheme.note_bar)):
            width = min(self.width() - start, round(self.width() * tokens / SIZE_SCALE))
            x = self.width() - start - width if self.isRightToLeft() else start
            painter.fillRect(x, 0, width, self.height(), QColor(colour))
            start += width


class ToolInspector(Inspector):
    """Panel beside a tool's page.

    Signals:
        given: (id of an assistant, True if it gets the tool).
        hint_set: (name of the hint, value or None).
        category_set: the category; empty for none.
        reviewed: the user has seen how the source changed the tool.
    """

    given = Signal(str, bool)
    hint_set = Signal(str, object)
    category_set = Signal(str)
    reviewed = Signal()

    def __init__(self) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("Details of the tool"))
        self.changed = QFrame()
        self.changed.setProperty("kind", "attention-box")
        box = column(self.changed, (16, 12, 16, 12), 4)
        self.changed_title = label("", "heading", wraps=True)
        self.before = label("", "small", wraps=True, can_be_copied=True)
        self.now = label("", "small", wraps=True, can_be_copied=True)
        box.addWidget(self.changed_title)
        for title, text in ((self.tr("Before"), self.before), (self.tr("Now"), self.now)):
            box.addWidget(label(title, "small"))
            box.addWidget(text)
        reviewed = Button(self.tr("Mark as reviewed"), "plain", pressed=self.reviewed.emit)
        box.addWidget(reviewed, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.insertWidget(0, self.changed)
        self.readers = self.add_section(self.tr("Who gets this tool"))
        self.behavior = self.add_section(self.tr("Behavior"), self.tr("Edit"), self._toggle)
        self.size_section = self.add_section(self.tr("Size"))
        self.size_text = label("", wraps=True)
        self.bar = SizeBar()
        self.toolset_size = label("", "small", wraps=True)
        for widget in (self.size_text, self.bar, self.toolset_size):
            self.size_section.rows.addWidget(widget)
            self.size_section.rows.addSpacing(6)
        self.counter = ToolsetTokens(self)
        self.counter.counted.connect(self._show_toolset_size)
        self._toolset = ""
        self._allowed: int | None = None
        self.boxes: dict[str, CheckBox] = {}
        self._editing = False
        self._view: ToolView | None = None
        self._shown: object = None

    def show_tool(self, snapshot: Snapshot, view: ToolView, document: ToolDocument) -> None:
        """Show a tool as one assistant reads it."""
        self._view = view
        known = view.known
        self.changed.setVisible(known.changed and known.listed)
        self.changed_title.setText(self.tr("{source} changed this tool").format(source=known.tool.server))
        self.before.setText(known.accepted.description)
        self.now.setText(known.tool.description)
        readers = tuple(
            (client, messages.author_name(snapshot, client), toolset.title if toolset is not None else "", gets)
            for client in snapshot.clients
            for toolset in (snapshot.toolset_of(client),)
            for gets in (toolset is not None and toolset.name in view.entries,)
        )
        categories = tuple(
            sorted({one.category for toolset in snapshot.toolsets.values() for one in toolset.tools if one.category})
        )
        shown = (view.known, view.effective, readers, categories, self._editing)
        if shown != self._shown:
            self._shown = shown
            self._show_readers(readers)
            self._show_behavior(view, categories)
        self._allowed = snapshot.settings.toolset_tokens
        self._show_size(document, snapshot.settings.tool_tokens)
        if document.toolset is not None:
            self._toolset = document.toolset.title
            self.counter.count(snapshot, document.toolset, document.dialect)
            self.counter.resume()

    def _show_toolset_size(self, tokens: int) -> None:
        allowed = self._allowed
        text = (
            self.tr("{toolset} is about {n} tokens, more than the {most} that you allow")
            if allowed is not None and tokens > allowed
            else self.tr("{toolset} is about {n} tokens in all")
        )
        number = messages.number
        self.toolset_size.setText(text.format(toolset=self._toolset, n=number(tokens), most=number(allowed or 0)))

    def _show_readers(self, readers: tuple[tuple[str, str, str, bool], ...]) -> None:
        self.readers.clear()
        self.boxes = {}
        for client, name, toolset, gets in readers:
            box = CheckBox(name)
            box.setAccessibleName(f"{name}, {toolset}" if toolset else name)
            box.setChecked(gets)
            box.setEnabled(bool(toolset))
            box.toggled.connect(partial(self.given.emit, client))
            self.readers.rows.addWidget(box)
            self.readers.rows.addWidget(label(toolset or self.tr("No toolset"), "small"))
            self.readers.rows.addSpacing(6)
            self.boxes[client] = box
        if not readers:
            self.readers.rows.addWidget(label(self.tr("No assistant is connected."), "second", wraps=True))

    def _show_behavior(self, view: ToolView, categories: tuple[str, ...]) -> None:
        self.behavior.clear()
        hints = view.effective.hints
        sent = server_hints(view.known.tool.definition.get("annotations"))
        facts = (
            (self.tr("Changes data"), READ_ONLY, True),
            (self.tr("Can delete data"), DESTRUCTIVE, False),
            (self.tr("Safe to repeat"), IDEMPOTENT, False),
            (self.tr("Goes online"), OPEN_WORLD, False),
        )
        for text, hint, negated in facts:
            value = _answer({**sent, **hints}.get(hint), negated=negated)
            if self._editing:
                menu = MenuButton(text)
                own = _answer(hints.get(hint), negated=negated)
                choices = [Choice(self._word(one), one) for one in (_YES, _NO, _UNSET)]
                menu.set_choices(choices, own)
                menu.chosen.connect(partial(self._set_hint, hint, negated))
                self.behavior.add_fact(text, menu)
            else:
                said = self._word(value)
                self.behavior.add_fact(
                    text, self.tr("{value} (set by you)").format(value=said) if hint in hints else said
                )
        menu = MenuButton(self.tr("Category"))
        category = view.effective.category or ""
        offered = dict.fromkeys((*categories, category))
        choices = [Choice(self.tr("Not set"), _UNSET), *(Choice(one, one) for one in offered if one)]
        menu.set_choices(choices, category or _UNSET)
        menu.chosen.connect(lambda chosen: self.category_set.emit("" if chosen == _UNSET else chosen))
        self.behavior.add_fact(self.tr("Category"), menu)

    def _show_size(self, document: ToolDocument, allowed: int | None) -> None:
        served = document.served
        self.size_section.setVisible(served is not None)
        if served is None:
            return
        family = document.dialect.family
        whole = estimate_definition_tokens(served.definition, family)
        own = min(whole, estimate_definition_tokens(served.known.tool.definition, family))
        text = self.tr("About {n} tokens, {notes} in notes")
        if allowed is not None and whole > allowed:
            text = self.tr("About {n} tokens, {notes} in notes, more than the {most} that you allow")
        number = messages.number
        said = text.format(n=number(whole), notes=number(whole - own), most=number(allowed or 0))
        self.size_text.setText(said)
        self.bar.show_size(own, whole - own)

    def _toggle(self) -> None:
        self._editing = not self._editing
        self._shown = None
        view = self._view
        if view is not None:
            self._show_behavior(view, ())

    def _set_hint(self, hint: str, negated: bool, chosen: str) -> None:
        value = None if chosen == _UNSET else (chosen == _YES) is not negated
        self.hint_set.emit(hint, value)

    def _word(self, answer: str) -> str:
        words: Mapping[str, str] = {
            _YES: self.tr("Yes"),
            _NO: self.tr("No"),
            _UNSET: self.tr("Not specified"),
        }
        return words[answer]


def _answer(value: object, *, negated: bool) -> str:
    if not isinstance(value, bool):
        return _UNSET
    return _YES if value is not negated else _NO
