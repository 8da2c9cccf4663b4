"""Page of one assistant in the connect dialog: state, toolset, options, and the change to its file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from toolnote_desktop.assistants.installing.connect import InstallState
from toolnote_desktop.assistants.installing.plan import Plan
from toolnote_desktop.assistants.known_client import ConfigLocation
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.connect.toolset_picker import ToolsetPicker
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.alert import Alert
from toolnote_desktop.desktop.widgets.basics import label, restyle
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.diff_view import DiffView
from toolnote_desktop.model.problem import Problem

DIFF_HEIGHT = 120
"""Minimum height of the diff in pixels at the default text size."""


class AssistantPage(QWidget):
    """Page of one assistant.

    Signals:
        wished: something else is chosen, and the plan has to be made anew.
    """

    options_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._boxes: dict[str, CheckBox] = {}
        self.state = label("", "heading", wraps=True)
        self.presence = label("", "second", wraps=True)
        self.advice = label("", "second", wraps=True)
        self.file = label("", "small", wraps=True)
        self.files = ComboBox()
        self.files.setAccessibleName(self.tr("Which file"))
        self.files.chosen.connect(lambda _place: self.options_changed.emit())
        self.gets = ToolsetPicker()
        self.ways = ComboBox()
        self.ways.setAccessibleName(self.tr("How it connects"))
        self.ways.addItem(self.tr("By Toolnote’s own program, which finds it by itself"), False)
        self.ways.addItem(self.tr("By its address, with a token of its own"), True)
        self.ways.chosen.connect(lambda _way: self.options_changed.emit())
        self.notes = label("", "second", wraps=True)
        self.wrong = Alert()
        self.diff = DiffView()
        self.diff.setAccessibleName(self.tr("What changes in the file"))
        self.diff.setMinimumHeight(round(DIFF_HEIGHT * text_scale()))
        self.diff.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._lay_out()

    def _lay_out(self) -> None:
        self.panel = QFrame()
        self.panel.setProperty("kind", "panel")
        self._rows = QGridLayout(self.panel)
        self._rows.setContentsMargins(14, 12, 14, 12)
        self._rows.setHorizontalSpacing(14)
        self._rows.setVerticalSpacing(8)
        self._rows.setColumnStretch(1, 1)
        self._add_row(self.tr("What it gets"), self.gets)
        self.ways_caption = self._add_row(self.tr("How it connects"), self.ways)
        self.own = QWidget()
        self._own_column = QVBoxLayout(self.own)
        self._own_column.setContentsMargins(0, 0, 0, 0)
        self._own_column.setSpacing(2)
        self.own_caption = self._add_row(self.tr("Switch off there"), self.own)
        self._own_column.addWidget(
            label(
                self.tr("They run there and come through Toolnote too. They are on again when Toolnote goes."),
                "small",
                wraps=True,
            )
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 6, 0)
        column.setSpacing(8)
        for widget in (self.state, self.presence, self.advice, self.file, self.files, self.panel):
            column.addWidget(widget)
        for widget in (self.notes, self.wrong):
            column.addWidget(widget)
        column.addWidget(self.diff, 1)
        column.addStretch(0)

    def _add_row(self, caption: str, widget: QWidget) -> QWidget:
        row = self._rows.rowCount()
        said = label(caption)
        said.setContentsMargins(0, 6, 0, 0)
        self._rows.addWidget(said, row, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(widget, row, 1)
        return said

    # --- display

    def show_files(self, places: Sequence[ConfigLocation]) -> None:
        """Show the assistant's configuration files; with several, one can be chosen."""
        self.files.clear()
        for place in places:
            self.files.addItem(f"{place.file} ({place.label})" if place.label else str(place.file), place)
        self.files.setVisible(len(places) > 1)
        self.file.setText(str(places[0].file) if len(places) == 1 else "")
        self.file.setVisible(len(places) == 1)

    def show_install_state(self, install_state: InstallState, *, has_address: bool) -> None:
        """Show the options as they are in the assistant's file."""
        self.ways.setCurrentIndex(int(install_state.direct is not None))
        for widget in (self.ways, self.ways_caption):
            widget.setVisible(has_address)
        for box in self._boxes.values():
            self._own_column.removeWidget(box)
            box.deleteLater()
        self._boxes = {}
        for position, server in enumerate(dict.fromkeys([*install_state.off, *install_state.duplicates])):
            box = CheckBox(server.replace("&", "&&"))
            box.setChecked(server in install_state.off)
            box.toggled.connect(lambda _on: self.options_changed.emit())
            self._own_column.insertWidget(position, box)
            self._boxes[server] = box
        for widget in (self.own, self.own_caption):
            widget.setVisible(bool(self._boxes))

    def show_choices(self, shown: bool) -> None:
        """Show or hide the options."""
        self.panel.setVisible(shown)

    def show_state(self, state: str, presence: str = "", advice: str = "", *, good: bool = False) -> None:
        """Show the state in a sentence, the presence, and what to do."""
        self.state.setText(state)
        restyle(self.state, kind="good" if good else "heading")
        for widget, text in ((self.presence, presence), (self.advice, advice)):
            widget.setText(text)
            widget.setVisible(bool(text))

    def show_plan(self, plan: Plan | None, diff: str, remarks: Iterable[Problem] = ()) -> None:
        """Show the change to the file; ``diff`` is the plan's."""
        notes = [*remarks, *(plan.notes if plan is not None else ())]
        self.notes.setText("\n".join(messages.problem_text(note) for note in notes))
        self.notes.setVisible(bool(notes))
        self.diff.setVisible(bool(diff))
        self.diff.show_diff(diff, colours(self.palette()))

    def show_wrong(self, text: str) -> None:
        """Show why the change is impossible; "" hides that."""
        self.wrong.setText(text)
        self.wrong.setVisible(bool(text))

    # --- options

    def place(self) -> ConfigLocation | None:
        """Return the chosen file."""
        chosen = self.files.currentData()
        return chosen if isinstance(chosen, ConfigLocation) else None

    def by_address(self) -> bool:
        """Return True if the assistant is to connect to the address itself."""
        return bool(self.ways.currentData())

    def off(self) -> frozenset[str]:
        """Return the assistant's own servers that are to be switched off."""
        return frozenset(server for server, box in self._boxes.items() if box.isChecked())
