"""Inspector of a tool: who gets it, how it behaves, its category, its size, its last calls and the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.needs_you import Assistant, assistant_states, unread_count
from toolnote_desktop.desktop.models.tool_document import ToolDocument
from toolnote_desktop.desktop.models.tool_view import ToolView
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.tool_page.more_settings import MoreSettings
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, column, label, restyle
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.controls import Choice, MenuButton
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.desktop.widgets.token_meter import ToolsetTokens
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.calls.outcome import FAILURES, Outcome
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.hints import (
    DESTRUCTIVE,
    IDEMPOTENT,
    OPEN_WORLD,
    READ_ONLY,
    TEMPLATES,
    apply_template,
    approval_effects,
    effective_hints,
    hint_problems,
    server_hints,
)
from toolnote_desktop.store.activity_database import Call

SIZE_SCALE: Final = 1_200
"""Tokens at the end of the size's scale."""

_YES, _NO, _UNSET, _NEW = "yes", "no", "unset", "new"


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


class _Reader(QWidget):
    """Row of an assistant: a check box, its toolset below its name, and its state where that wants the user.

    Args:
        unread: how many changes it has not read; "" if that is not known.
    """

    def __init__(self, name: str, toolset: str, state: str, unread: str) -> None:
        super().__init__()
        self.box = CheckBox(name)
        self.box.setAccessibleName(f"{name}, {toolset}" if toolset else name)
        self.box.setAccessibleDescription(". ".join(one for one in (state, unread) if one))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 6)
        grid.setSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.box, 0, 0, 1, 2)
        second = label(toolset, "small", wraps=True)
        grid.setColumnMinimumWidth(0, self.box.text_indent)
        grid.addWidget(second, 1, 1)
        if state:
            dot = Dot(Mark.ATTENTION)
            grid.addWidget(dot, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)
            grid.setColumnMinimumWidth(3, 5)
            grid.addWidget(label(state, "attention"), 0, 4, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        if unread:
            grid.addWidget(label(unread, "small", wraps=True), 2, 1, 1, 4)


class CallLine(QWidget):
    """Row of a call: when, by which assistant, and how it ended."""

    def __init__(self, when: str, assistant: str, outcome: Outcome, width: int) -> None:
        """``width``: of the times of all rows, so that the names are in line."""
        super().__init__()
        text = messages.outcome_word(outcome)
        self.setAccessibleName(f"{when}, {assistant}, {text}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        time = label(when, "second")
        time.setFont(style_font("text", figures=True))
        time.setMinimumWidth(max(round(64 * text_scale()), width))
        row.addWidget(time)
        row.addWidget(label(assistant, wraps=True), 1)
        if outcome is not Outcome.WORKED:
            row.addWidget(Dot(Mark.WRONG if outcome in FAILURES else Mark.OFF))
        row.addWidget(label(text, "" if outcome in FAILURES else "second"))
        self.setMinimumHeight(round(28 * text_scale()))


class ToolInspector(Inspector):
    """Panel beside a tool's page.

    Signals:
        given: (id of an assistant, True if it gets the tool).
        answered: (question of ``PlainAnswers``, the answer or None).
        hints_set: hints by name; None removes one.
        category_set: the category; empty for none.
        category_wanted: the user wants to name a category.
        review_wanted: the button of the changed tool was pressed.
        calls_wanted: the link *All calls* was pressed.
    """

    given = Signal(str, bool)
    answered = Signal(str, object)
    hints_set = Signal(object)
    category_set = Signal(str)
    category_wanted = Signal()
    review_wanted = Signal()
    calls_wanted = Signal()

    def __init__(self, settings: ToolSettingsEditor) -> None:
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
        self.review_button = Button(self.tr("Review change"), "plain", pressed=self.review_wanted.emit)
        box.addWidget(self.review_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.insertWidget(0, self.changed)
        self.readers = self.add_section(self.tr("Who gets this tool"))
        self.behavior = self.add_section(self.tr("Behavior"), self.tr("Edit"), self._toggle)
        self.effect = label("", "small", wraps=True)
        self.problems = label("", "attention", wraps=True)
        self.size_section = self.add_section(self.tr("Size"))
        self.size_text = label("", wraps=True)
        self.bar = SizeBar()
        self.toolset_size = label("", "small", wraps=True)
        for widget in (self.size_text, self.bar, self.toolset_size):
            self.size_section.rows.addWidget(widget)
            self.size_section.rows.addSpacing(6)
        self.calls_section = self.add_section(self.tr("Last calls"), self.tr("All calls"), self.calls_wanted.emit)
        self.calls_section.hide()
        self.more = MoreSettings(settings)
        self.body.insertWidget(self.body.count() - 1, self.more)
        for place, widget in enumerate((self.effect, self.problems)):
            self.behavior.layout().insertWidget(2 + place, widget)  # type: ignore[union-attr]
        self.counter = ToolsetTokens(self)
        self.counter.counted.connect(self._show_toolset_size)
        self._toolset = ""
        self._allowed: int | None = None
        self.boxes: dict[str, CheckBox] = {}
        self._editing = False
        self._view: ToolView | None = None
        self._categories: tuple[str, ...] = ()
        self._shown: object = None
        self._calls: tuple[Call, ...] | None = None

    def show_tool(
        self, snapshot: Snapshot, view: ToolView, document: ToolDocument, assistants: Sequence[Assistant] = ()
    ) -> None:
        """Show a tool as one assistant reads it."""
        self._view = view
        known = view.known
        self.changed.setVisible(known.changed and known.listed)
        self.changed_title.setText(
            self.tr("{source} changed this tool").format(source=messages.source_name(known.tool.server))
        )
        self.before.setText(known.accepted.description)
        self.now.setText(known.tool.description)
        readers = tuple(
            (
                one.id,
                one.name,
                one.toolset.title if one.toolset is not None else "",
                one.toolset is not None and one.toolset.name in view.entries,
                one.word if one.mark is Mark.ATTENTION else "",
                unread_count(one.changes_behind) if one.mark is Mark.ATTENTION else "",
            )
            for one in assistant_states(snapshot, assistants)
            if one.id in snapshot.clients
        )
        self._categories = tuple(
            sorted({one.category for toolset in snapshot.toolsets.values() for one in toolset.tools if one.category})
        )
        shown = (view.known, view.effective, readers, self._categories, self._editing)
        if shown != self._shown:
            self._shown = shown
            self._show_readers(readers)
            self._show_behavior(view)
        self.more.show_view(view, has_switches=bool(document.dialect.meta_switches))
        self._allowed = snapshot.settings.toolset_tokens
        self._show_size(document, snapshot.settings.tool_tokens)
        if document.toolset is not None:
            self._toolset = document.toolset.title
            self.counter.count(snapshot, document.toolset, document.dialect)
            self.counter.resume()

    def show_calls(self, snapshot: Snapshot, calls: Sequence[Call]) -> None:
        """Show the last calls of the tool, the newest first; without any the section is hidden."""
        if tuple(calls) == self._calls:
            return
        self._calls = tuple(calls)
        self.calls_section.clear()
        self.calls_section.setVisible(bool(calls))
        times = [messages.moment(call.time) for call in calls]
        metrics = QFontMetrics(style_font("text", figures=True))
        width = max((metrics.horizontalAdvance(time) for time in times), default=0) + 2
        for call, time in zip(calls, times, strict=True):
            name = messages.author_name(snapshot, call.client) or self.tr("You")
            self.calls_section.rows.addWidget(CallLine(time, name, call.outcome, width))

    def _show_toolset_size(self, tokens: int) -> None:
        allowed = self._allowed
        text = (
            self.tr("{toolset} is about {n} tokens, more than the {most} that you allow")
            if allowed is not None and tokens > allowed
            else self.tr("{toolset} is about {n} tokens in all")
        )
        number = messages.number
        restyle(self.toolset_size, kind="attention" if allowed is not None and tokens > allowed else "small")
        self.toolset_size.setText(text.format(toolset=self._toolset, n=number(tokens), most=number(allowed or 0)))

    def _show_readers(self, readers: tuple[tuple[str, str, str, bool, str, str], ...]) -> None:
        focused = next((client for client, box in self.boxes.items() if box.hasFocus()), None)
        self.readers.clear()
        self.boxes = {}
        for client, name, toolset, gets, state, unread in readers:
            row = _Reader(name, toolset or self.tr("No toolset"), state, unread)
            row.box.setChecked(gets)
            row.box.setEnabled(bool(toolset))
            row.box.toggled.connect(partial(self.given.emit, client))
            self.readers.rows.addWidget(row)
            self.boxes[client] = row.box
        if focused in self.boxes:
            self.boxes[focused].setFocus(Qt.FocusReason.OtherFocusReason)
        if not readers:
            self.readers.rows.addWidget(label(self.tr("No assistant is connected."), "second", wraps=True))

    def _show_behavior(self, view: ToolView) -> None:
        self.behavior.clear()
        hints = view.effective.hints
        annotations = view.known.tool.definition.get("annotations")
        sent = server_hints(annotations)
        reads = effective_hints(annotations, hints).read_only_hint
        self.menus: dict[str, MenuButton] = {}
        for text, hint, negated in (
            (self.tr("Changes data"), READ_ONLY, True),
            (self.tr("Can delete data"), DESTRUCTIVE, False),
            (self.tr("Safe to repeat"), IDEMPOTENT, False),
            (self.tr("Goes online"), OPEN_WORLD, False),
        ):
            value = _answer({**sent, **hints}.get(hint), negated=negated)
            if self._editing:
                menu = self.menus[hint] = MenuButton(text)
                words = {one: self._word(one) for one in (_YES, _NO)}
                said = _answer(sent.get(hint), negated=negated)
                unset = self._word(_UNSET)
                if said != _UNSET:
                    unset = self.tr("{value} (set by {source})").format(
                        value=words[said], source=messages.source_name(view.known.tool.server)
                    )
                choices = [*(Choice(word, one) for one, word in words.items()), Choice(unset, _UNSET)]
                menu.set_choices(choices, _answer(hints.get(hint), negated=negated))
                menu.setEnabled(not (reads and hint == DESTRUCTIVE))
                menu.chosen.connect(partial(self._set_hint, hint, negated))
                self.behavior.add_fact(text, menu)
            else:
                shown = self._word(value)
                if hint in hints:
                    shown = self.tr("{value} (set by you)").format(value=shown)
                self.behavior.add_fact(text, shown)
        if self._editing:
            self.behavior.add_fact(self.tr("Presets"), self._presets())
        menu = self.menus["category"] = MenuButton(self.tr("Category"))
        category = view.effective.category or ""
        offered = dict.fromkeys((*self._categories, category))
        choices = [Choice(self.tr("Not set"), _UNSET), *(Choice(one, one) for one in offered if one)]
        menu.set_choices([*choices, Choice(self.tr("New category…"), _NEW)], category or _UNSET)
        menu.chosen.connect(self._set_category)
        self.behavior.add_fact(self.tr("Category"), menu)
        effects = approval_effects(annotations, hints)
        self.effect.setText(" ".join(messages.problem_text(one) for one in effects))
        self.effect.setVisible(self._editing)
        problems = hint_problems(view.known.tool.name, annotations, hints)
        self.problems.setText(" ".join(messages.problem_text(one) for one in problems))
        self.problems.setVisible(bool(problems))

    def _presets(self) -> MenuButton:
        menu = self.menus["presets"] = MenuButton(self.tr("Presets"))
        words = {
            "read-only": self.tr("Only reads"),
            "query": self.tr("Reads online data"),
            "destructive": self.tr("Deletes or overwrites"),
            "idempotent-update": self.tr("Updates a setting"),
        }
        choices = [Choice(words[name], name) for name in TEMPLATES]
        menu.set_choices([Choice(self.tr("Choose…"), _UNSET, enabled=False), *choices], _UNSET)
        menu.chosen.connect(self._apply)
        return menu

    def _apply(self, name: str) -> None:
        if self._view is not None:
            hints = self._view.effective.hints
            wanted = apply_template(hints, TEMPLATES[name])
            self.hints_set.emit({key: value for key, value in wanted.items() if hints.get(key) != value})

    def _show_size(self, document: ToolDocument, allowed: int | None) -> None:
        served = document.served
        self.size_section.setVisible(served is not None)
        if served is None:
            return
        family = document.dialect.family
        whole = estimate_definition_tokens(served.definition, family)
        alone = {**served.known.tool.definition, "name": served.name}
        own = min(whole, estimate_definition_tokens(alone, family))
        text = self.tr("About {n} tokens, {notes} in notes")
        if allowed is not None and whole > allowed:
            text = self.tr("About {n} tokens, {notes} in notes, more than the {most} that you allow")
        number = messages.number
        said = text.format(n=number(whole), notes=number(whole - own), most=number(allowed or 0))
        restyle(self.size_text, kind="attention" if allowed is not None and whole > allowed else "")
        self.size_text.setText(said)
        self.bar.show_size(own, whole - own)

    def edit_behavior(self, on: bool) -> None:
        """Show the facts as menus, or as words."""
        self._editing = on
        self._shown = None
        if self.behavior.link is not None:
            text = self.tr("Done") if on else self.tr("Edit")
            self.behavior.link.set_text(text, f"{text}: {self.behavior.heading.text()}")
        if self._view is not None:
            self._show_behavior(self._view)

    def _toggle(self) -> None:
        self.edit_behavior(not self._editing)

    def _set_category(self, chosen: str) -> None:
        if chosen == _NEW:
            self._shown = None
            if self._view is not None:
                self._show_behavior(self._view)
            self.category_wanted.emit()
        else:
            self.category_set.emit("" if chosen == _UNSET else chosen)

    def _set_hint(self, hint: str, negated: bool, chosen: str) -> None:
        answer = None if chosen == _UNSET else chosen == _YES
        match hint:
            case "readOnlyHint":
                self.answered.emit("changes", answer)
            case "destructiveHint":
                self.answered.emit("undoable", None if answer is None else not answer)
            case "openWorldHint":
                self.answered.emit("outside", answer)
            case _:
                self.hints_set.emit({hint: None if answer is None else answer is not negated})

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
