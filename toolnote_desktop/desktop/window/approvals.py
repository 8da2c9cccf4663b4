"""Calls that wait for the user's approval: the approval window, and an entry under *Needs you*."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.needs_you import Need
from toolnote_desktop.desktop.models.tool_view import tool_view, view_in
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.log import covered
from toolnote_desktop.model import json_text
from toolnote_desktop.model.secrets.secret_detection import masked, masked_json
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import top_level_arguments
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.hints import IDEMPOTENT, OPEN_WORLD, CallEffect, call_effect, stated_hints
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, Toolset
from toolnote_desktop.store.library import Library

if TYPE_CHECKING:
    from toolnote_desktop.desktop.dialogs.approval_window import ApprovalWindow, Argument, Details, Question
    from toolnote_desktop.desktop.proxy_link import ApprovalQuestion

_LONGEST = 100_000
"""Characters of all values that are shown."""

_LONGEST_NAME = 200
"""Characters of a title or name that are shown."""

_MOST_NAMED = 5
"""Questions that have a row of their own under *Needs you*; the others are counted."""

_MOST_ROWS = 40
"""Arguments that have a row of their own: an assistant chooses how many there are, and a row takes a millisecond."""


class ApprovalPrompts(QObject):
    """Shows the questions that ``ProxyLink`` reports, and answers them.

    Calls that begin or end to wait together are shown once: an assistant chooses how many there are.

    Signals:
        changed: the oldest of the questions that wait, in words.
    """

    changed = Signal(tuple)

    def __init__(self, window: MainWindow, link: ProxyLink, library: Library) -> None:
        super().__init__(window)
        self._window, self._link, self._library = window, link, library
        self._asked: dict[int, ApprovalQuestion] = {}
        self._new: dict[int, ApprovalQuestion] = {}
        self._shown: ApprovalWindow | None = None
        self._showing = QTimer(self, singleShot=True, interval=0)
        self._showing.timeout.connect(self._show_questions)
        self._naming = QTimer(self, singleShot=True, interval=0)
        self._naming.timeout.connect(self._name_questions)
        link.approval_asked.connect(self._ask)
        link.approval_closed.connect(self._withdraw_question)

    def close(self) -> None:
        """Close the window; calls that wait are not allowed."""
        if self._shown is not None:
            self._shown.close()
            self._shown.deleteLater()
            self._shown = None
        self._showing.stop()
        self._naming.stop()

    def _ask(self, asked: ApprovalQuestion) -> None:
        self._asked[asked.id] = self._new[asked.id] = asked
        self._showing.start()

    def _show_questions(self) -> None:
        """Show what waits now."""
        new = [self._question(asked) for asked in self._new.values()]
        self._new.clear()
        if new:
            self._approval_window().ask(new)
        self._naming.start()

    def _name_questions(self) -> None:
        """Name what waits under *Needs you* and in the tray, in a pass after that which laid out the window."""
        first = list(islice(self._asked.values(), _MOST_NAMED))
        texts = [self.tr("{0} wants to run {1}").format(*self._names(asked)) for asked in first]
        needs = [Need(Mark.ATTENTION, text, self.tr("It waits for your answer."), self.tr("Show")) for text in texts]
        if more := len(self._asked) - len(first):
            text = self.tr("1 more call") if more == 1 else self.tr("{0} more calls").format(more)
            needs.append(Need(Mark.ATTENTION, text, self.tr("They wait for your answer."), self.tr("Show")))
        self._window.show_needs("approvals", needs, self.show_window)
        self.changed.emit(tuple(texts))

    def _approval_window(self) -> ApprovalWindow:
        from toolnote_desktop.desktop.dialogs.approval_window import ApprovalWindow

        if self._shown is None:
            self._shown = ApprovalWindow()
            self._shown.decided.connect(self._decide)
        return self._shown

    def show_window(self) -> None:
        """Bring the approval window to the front, if there is a question."""
        if self._shown is not None:
            self._shown.showNormal()
            self._shown.raise_()
            self._shown.activateWindow()

    def _decide(self, number: int, decision: str) -> None:
        asked = self._asked.get(number)
        if asked is not None and decision == "always":
            snapshot = self._library.snapshot
            view = tool_view(snapshot, RowKey(Kind.TOOL, *asked.key))
            if view is not None:
                toolset = snapshot.toolsets.get(asked.toolset or "")
                self._window.settings_.allow_always(view_in(snapshot, view, toolset), asked.arguments)
            decision = "once"
        self._link.answer_approval(number, decision)
        self._close_question(number)

    def _withdraw_question(self, number: int) -> None:
        if self._shown is not None:
            self._shown.withdraw(number)
        self._close_question(number)

    def _close_question(self, number: int) -> None:
        self._new.pop(number, None)
        if self._asked.pop(number, None) is not None:
            self._showing.start()

    def _names(self, asked: ApprovalQuestion) -> tuple[str, str]:
        """Return the assistant and the tool of a question as they are called."""
        snapshot = self._library.snapshot
        known = snapshot.catalogue.tools.get(asked.key)
        assistant = messages.client_name(snapshot, asked.client) if asked.client else self.tr("An assistant")
        return assistant, _beginning(known.tool.title if known is not None else asked.key[1], _LONGEST_NAME)

    def _question(self, asked: ApprovalQuestion) -> Question:
        from toolnote_desktop.desktop.dialogs.approval_window import Question

        assistant, tool = self._names(asked)
        ends = time.monotonic() + asked.seconds
        return Question(
            asked.id, assistant, tool, partial(self._details, asked), ends, asked.seconds, asked.for_session
        )

    def _details(self, asked: ApprovalQuestion) -> Details:
        from toolnote_desktop.desktop.dialogs.approval_window import Details

        snapshot = self._library.snapshot
        known = snapshot.catalogue.tools.get(asked.key)
        toolset = snapshot.toolsets.get(asked.toolset or "")
        effect, mark = self._effect(_hints(snapshot, known, toolset), messages.source_name(asked.key[0]))
        return Details(effect, mark, _arguments(known, asked.arguments), _notes(snapshot, known, toolset))

    def _effect(self, hints: Mapping[str, Any], source: str) -> tuple[str, Mark]:
        """Return what a call does, by the user's hints over the server's."""
        beyond = self.tr("Reaches beyond {0}").format(source)
        reaches = f". {beyond}" if hints.get(OPEN_WORLD) is True else ""
        effect = call_effect(hints)
        if effect is CallEffect.READS:
            mark = Mark.ATTENTION if reaches else Mark.GOOD
            return self.tr("Only reads from {0}").format(source) + reaches, mark
        if hints.get(IDEMPOTENT) is True:
            reaches += ". " + self.tr("A second run changes nothing more")
        if effect is CallEffect.DELETES:
            return self.tr("Can delete data on {0}").format(source) + reaches, Mark.ATTENTION
        if effect is CallEffect.CHANGES:
            return self.tr("Changes data on {0}").format(source) + reaches, Mark.ATTENTION
        return self.tr("{0} doesn’t say what it changes").format(source) + reaches, Mark.ATTENTION


def _hints(snapshot: Snapshot, known: KnownTool | None, toolset: Toolset | None) -> Mapping[str, Any]:
    """Return the hints of a tool in a toolset: the server's annotations, with the user's over them."""
    if known is None:
        return {}
    listed = toolset.tools if toolset is not None else ()
    entry = next((one for one in listed if known in snapshot.catalogue.resolve(one)), NOTHING_SET)
    return stated_hints(known.annotations, snapshot.effective_entry(known, entry).hints)


def _arguments(known: KnownTool | None, sent: dict[str, Any]) -> tuple[Argument, ...]:
    """Return the arguments by their titles: required ones first, in the order of the schema."""
    from toolnote_desktop.desktop.dialogs.approval_window import Argument

    schema = known.tool.definition["inputSchema"] if known is not None else {}
    declared = top_level_arguments(schema)
    required = schema.get("required")
    needed = [name for name in required if name in sent] if isinstance(required, list) else []
    order = list(dict.fromkeys([*needed, *(name for name in declared if name in sent), *sent]))
    found = []
    left = _LONGEST
    for name in order[:_MOST_ROWS]:
        about = declared.get(name)
        title = about.get("title") if isinstance(about, dict) else None
        value = sent[name]
        is_text = isinstance(value, str)
        text = value if is_text else json_text.dumps(value).decode("utf-8")
        shown = (masked if is_text else masked_json)(name, _beginning(text, left)) or "“”"
        left = max(left - len(text), 0)
        named = title if isinstance(title, str) and title else name
        found.append(Argument(_beginning(named, _LONGEST_NAME), shown, not is_text))
    if others := order[_MOST_ROWS:]:
        text = json_text.dumps({name: sent[name] for name in others}).decode("utf-8")
        found.append(Argument(f"+{len(others):,}", masked_json("", _beginning(text, left)), mono=True))
    return tuple(found)


def _beginning(text: str, size: int) -> str:
    """Return a text without secrets; of a longer one the beginning, and how many characters follow."""
    shown = covered(text[:size])
    return shown if len(text) <= size else f"{shown}… (+{len(text) - size:,})"


def _notes(snapshot: Snapshot, known: KnownTool | None, toolset: Toolset | None) -> tuple[str, ...]:
    """Return the user's notes on the tool, as a client of the toolset reads them."""
    if known is None:
        return ()
    applied = NoteIndex(toolset, snapshot.notes, snapshot.catalogue).applied(known.tool)
    return tuple(one.note.note for one in applied if one.note.enabled and one.note.confirmed)
