"""Chips under a tool's title that state and set its behaviour (docs/requirements.md 2 and 4.15)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from toolnote_desktop.desktop.editing.tool_settings import ToolSettings
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.widgets.basics import Button, restyle
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.tools.hints import PlainAnswers, hints_as_answers, server_hints

CHANGES, UNDOABLE, OUTSIDE = "changes", "undoable", "outside"

GAP_ABOVE: Final = 10
"""Pixels between the line below the title and the chips."""


class _Words(Struct, frozen=True):
    """Question and its answers as sentences."""

    question: str
    yes: str
    no: str

    def said(self, answer: bool) -> str:
        return self.yes if answer else self.no


class HintChips(QWidget):
    """Row of chips, one for each known hint, filled if the user set it; pressing a chip changes the answer.

    Signals:
        question_requested: the user wants to answer whether the tool changes something.
    """

    question_requested = Signal()

    def __init__(self, settings: ToolSettings) -> None:
        super().__init__()
        self._settings = settings
        self._view: ToolView | None = None
        self._words = {
            CHANGES: _Words(self.tr("Can it change something?"), self.tr("Changes things"), self.tr("Only reads")),
            UNDOABLE: _Words(self.tr("Can that be undone?"), self.tr("Can be undone"), self.tr("Cannot be undone")),
            OUTSIDE: _Words(
                self.tr("Does it reach outside this computer?"),
                self.tr("Reaches outside"),
                self.tr("Stays on this computer"),
            ),
        }
        self.menu = QMenu(self)
        self.chips: dict[str, Button] = {}
        flow = FlowLayout(self, spacing=8)
        flow.setContentsMargins(0, GAP_ABOVE, 0, 0)
        for key, words in self._words.items():
            chip = Button(words.yes, "chip", pressed=lambda key=key: self._open(key))  # type: ignore[misc]
            self.chips[key] = chip
            flow.addWidget(chip)
        self.unsaid = Button(self.tr("Say what it does…"), "chip", pressed=self.question_requested.emit)
        self.consent = Button(self.tr("Ask me before it runs"), "chip")
        self.consent.setCheckable(True)
        self.consent.clicked.connect(self._set_consent)
        flow.addWidget(self.unsaid)
        flow.addWidget(self.consent)

    def show_view(self, view: ToolView) -> None:
        """Show the hints of a tool in its toolset; nothing for a tool outside of it."""
        self._view = view
        self.setVisible(view.entry is not None)
        if view.entry is None:
            return
        own, known = self._answers(view)
        for key, words in self._words.items():
            answer = getattr(known, key)
            chip = self.chips[key]
            chip.setVisible(answer is not None)
            if answer is None:
                continue
            is_own = getattr(own, key) is not None
            who = self.tr("said by you") if is_own else self.tr("said by the tool itself")
            chip.set_text(words.said(answer), f"{words.question} {words.said(answer)}, {who}")
            chip.setToolTip(who)
            restyle(chip, set=is_own)
        self.unsaid.setVisible(known.changes is None)
        self.consent.setChecked(view.effective.consent is not None)

    def _answers(self, view: ToolView) -> tuple[PlainAnswers, PlainAnswers]:
        """Return the user's answers alone, and combined with the tool's own hints."""
        hints = view.effective.hints
        sent = server_hints(view.known.tool.definition.get("annotations"))
        return hints_as_answers(hints), hints_as_answers({**sent, **hints})

    def _open(self, key: str) -> None:
        self.fill(key)
        chip = self.chips[key]
        self.menu.popup(chip.mapToGlobal(chip.rect().bottomLeft() + QPoint(0, 2)))

    def fill(self, key: str) -> None:
        """Fill the menu with the answers to one question."""
        self.menu.clear()
        if self._view is None:
            return
        own, _known = self._answers(self._view)
        words = self._words[key]
        group = QActionGroup(self.menu)
        for answer, text in ((True, words.yes), (False, words.no), (None, self.tr("I do not say"))):
            action = self.menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(getattr(own, key) is answer)
            group.addAction(action)
            action.triggered.connect(lambda _checked, answer=answer: self._answer(key, answer))

    def _answer(self, key: str, answer: bool | None) -> None:
        if self._view is not None:
            self._settings.set_answer(self._view, key, answer)

    def _set_consent(self, wanted: bool) -> None:
        if self._view is not None:
            self._settings.set_consent(self._view, {} if wanted else None)
