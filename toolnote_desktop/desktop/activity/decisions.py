"""View *Decisions* of the Activity page: who decided and changed what, from the audit."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.activity.calls_model import AnyIndex, CallNames, time_text
from toolnote_desktop.desktop.activity.calls_table import prepare_table
from toolnote_desktop.desktop.messages import QT_TRANSLATE_NOOP
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import style_font, text_scale
from toolnote_desktop.desktop.widgets.basics import column, label
from toolnote_desktop.desktop.widgets.controls import Choice, FilterChips, SearchField
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.model.audit import ALL_CLIENTS, AuditEntry, AuditKind
from toolnote_desktop.model.toolsets.notes import ASSISTANT, USER
from toolnote_desktop.store.audit import AuditFilter

MOST: Final = 1_000
"""Entries that are shown, the newest; an export has all."""

_ALL: Final = "all"
_KINDS: Final[dict[str, tuple[AuditKind, ...]]] = {
    _ALL: (),
    "approval": (AuditKind.APPROVAL,),
    "note": (AuditKind.NOTE,),
    "review": (AuditKind.REVIEW,),
    "setting": (AuditKind.TOOL, AuditKind.TOOLSET, AuditKind.SERVER, AuditKind.SETTING),
    "client": (AuditKind.CLIENT, AuditKind.ASSIGNMENT, AuditKind.PUBLICATION),
}
_WORDS: Final = {
    AuditKind.APPROVAL: QT_TRANSLATE_NOOP("decisions", "Call"),
    AuditKind.NOTE: QT_TRANSLATE_NOOP("decisions", "Note"),
    AuditKind.REVIEW: QT_TRANSLATE_NOOP("decisions", "Definition"),
    AuditKind.TOOL: QT_TRANSLATE_NOOP("decisions", "Tool"),
    AuditKind.TOOLSET: QT_TRANSLATE_NOOP("decisions", "Toolset"),
    AuditKind.ASSIGNMENT: QT_TRANSLATE_NOOP("decisions", "Assignment"),
    AuditKind.SERVER: QT_TRANSLATE_NOOP("decisions", "Tool source"),
    AuditKind.CLIENT: QT_TRANSLATE_NOOP("decisions", "Assistant"),
    AuditKind.SETTING: QT_TRANSLATE_NOOP("decisions", "Setting"),
    AuditKind.PUBLICATION: QT_TRANSLATE_NOOP("decisions", "Publication"),
    AuditKind.AUDIT: QT_TRANSLATE_NOOP("decisions", "Decisions"),
}
_ACTIONS: Final = {
    "accepted": QT_TRANSLATE_NOOP("decisions", "accepted"),
    "added": QT_TRANSLATE_NOOP("decisions", "added"),
    "allowed": QT_TRANSLATE_NOOP("decisions", "allowed"),
    "assigned": QT_TRANSLATE_NOOP("decisions", "assigned"),
    "begun": QT_TRANSLATE_NOOP("decisions", "started anew"),
    "cancelled": QT_TRANSLATE_NOOP("decisions", "canceled by the assistant"),
    "changed": QT_TRANSLATE_NOOP("decisions", "changed"),
    "changed-back": QT_TRANSLATE_NOOP("decisions", "changed back"),
    "cleared": QT_TRANSLATE_NOOP("decisions", "cleared"),
    "deleted": QT_TRANSLATE_NOOP("decisions", "deleted"),
    "denied": QT_TRANSLATE_NOOP("decisions", "not allowed"),
    "expired": QT_TRANSLATE_NOOP("decisions", "expired"),
    "kept": QT_TRANSLATE_NOOP("decisions", "kept"),
    "lost": QT_TRANSLATE_NOOP("decisions", "not recorded: the disk could not be written"),
    "lost-rules-dropped": QT_TRANSLATE_NOOP("decisions", "not waited for anymore"),
    "made": QT_TRANSLATE_NOOP("decisions", "created"),
    "published": QT_TRANSLATE_NOOP("decisions", "published"),
    "refused": QT_TRANSLATE_NOOP("decisions", "refused"),
    "removed": QT_TRANSLATE_NOOP("decisions", "removed"),
    "rules-lost": QT_TRANSLATE_NOOP("decisions", "could not be read"),
    "reopened": QT_TRANSLATE_NOOP("decisions", "open again"),
    "set": QT_TRANSLATE_NOOP("decisions", "changed"),
    "taken-back": QT_TRANSLATE_NOOP("decisions", "asked about again"),
    "timed-out": QT_TRANSLATE_NOOP("decisions", "not answered in time"),
    "too-many": QT_TRANSLATE_NOOP("decisions", "refused: too many waited"),
    "tool-added": QT_TRANSLATE_NOOP("decisions", "tool added"),
    "tool-removed": QT_TRANSLATE_NOOP("decisions", "tool removed"),
    "turned-off": QT_TRANSLATE_NOOP("decisions", "turned off"),
    "turned-on": QT_TRANSLATE_NOOP("decisions", "turned on"),
    "unassigned": QT_TRANSLATE_NOOP("decisions", "default toolset"),
    "unavailable": QT_TRANSLATE_NOOP("decisions", "could not be asked about"),
}
_KEYS: Final = {
    "hints": QT_TRANSLATE_NOOP("decisions", "Behavior"),
    "whenToUse": QT_TRANSLATE_NOOP("decisions", "When to use"),
    "parameters": QT_TRANSLATE_NOOP("decisions", "Parameters"),
    "instructions": QT_TRANSLATE_NOOP("decisions", "Instructions"),
    "category": QT_TRANSLATE_NOOP("decisions", "Category"),
    "muted": QT_TRANSLATE_NOOP("decisions", "Muted paragraphs"),
    "title": QT_TRANSLATE_NOOP("decisions", "Name"),
    "command": QT_TRANSLATE_NOOP("decisions", "Command"),
    "args": QT_TRANSLATE_NOOP("decisions", "Command"),
    "cwd": QT_TRANSLATE_NOOP("decisions", "Folder"),
    "env": QT_TRANSLATE_NOOP("decisions", "Variables"),
    "url": QT_TRANSLATE_NOOP("decisions", "Address"),
    "headers": QT_TRANSLATE_NOOP("decisions", "Headers"),
    "changes": QT_TRANSLATE_NOOP("decisions", "When it changes a tool"),
}
"""Keys of documents, in the window's words."""
_HASHES: Final = {"digest", "fingerprint", "hash", "instructions", "through"}


class DecisionColumn(IntEnum):
    """Columns of the table."""

    TIME = 0
    WHO = 1
    WHAT = 2
    SUBJECT = 3
    DETAIL = 4


class DecisionRow(Struct, frozen=True):
    """Entry in words, by column."""

    cells: tuple[str, str, str, str, str]


def in_words(entry: AuditEntry, names: CallNames) -> DecisionRow:
    """Return an entry as it is shown."""
    what = f"{_word(_WORDS.get(entry.kind), str(entry.kind))}: {_word(_ACTIONS.get(entry.action), entry.action)}"
    if entry.subject == ALL_CLIENTS:
        all_tools = messages.translate("decisions", "All tools")
        all_assistants = messages.translate("decisions", "All assistants")
        subject = all_tools if entry.kind is AuditKind.NOTE else all_assistants
    else:
        is_client = entry.kind in (AuditKind.CLIENT, AuditKind.ASSIGNMENT)
        subject = names.assistant(entry.subject) if is_client else names.named(entry.subject)
    hidden = _HASHES | ({"scope"} if entry.kind is AuditKind.NOTE else set())
    detail = [
        _particular(key, value, names)
        for key, value in entry.detail.items()
        if key not in hidden and value not in ("", "0", USER)
    ]
    return DecisionRow((time_text(entry.time / 1000), _actor(entry, names), what, subject, ", ".join(detail)))


def _word(text: str | None, other: str) -> str:
    return messages.translate("decisions", text) if text else other


def _particular(key: str, value: str, names: CallNames) -> str:
    match key, value:
        case "client", _ if value != ASSISTANT:
            return names.assistant(value)
        case "served", "old":
            return messages.translate("decisions", "the old text is served")
        case "served", "new":
            return messages.translate("decisions", "the new text is served")
        case _, "approval=ask":
            return messages.translate("decisions", "Ask me first")
    if key == "name":
        return value
    words = [_word(_KEYS.get(one), one) for one in value.split(", ")]
    return ", ".join(dict.fromkeys(words)) if any(one in _KEYS for one in value.split(", ")) else names.named(value)


def _actor(entry: AuditEntry, names: CallNames) -> str:
    match entry.actor:
        case "user":
            return messages.translate("decisions", "You")
        case "file":
            return messages.translate("decisions", "Another program")
        case "toolnote" | "registry":
            return "Toolnote"
        case "assistant":
            return messages.translate("decisions", "An assistant")
    return entry.actor if entry.kind is AuditKind.REVIEW else names.assistant(entry.actor)


class DecisionsModel(QAbstractTableModel):
    """Decisions, the newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.decisions: tuple[DecisionRow, ...] = ()

    def show_decisions(self, decisions: Sequence[DecisionRow]) -> None:
        """Show these decisions."""
        if tuple(decisions) != self.decisions:
            self.beginResetModel()
            self.decisions = tuple(decisions)
            self.endResetModel()

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.decisions)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(DecisionColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (self.tr("Time"), self.tr("Who"), self.tr("What"), self.tr("Of"), self.tr("Details"))[section]

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
        if not index.isValid() or role not in shown:
            return None
        return self.decisions[index.row()].cells[index.column()]


class _Delegate(QStyledItemDelegate):
    """Paint a cell on one line, dim but for what was done to what."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(60, round(36 * text_scale()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option
        rect: QRect = option_.rect
        scheme = colours(option_.palette)
        direction: Qt.LayoutDirection = option_.direction
        painter.save()
        if option_.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(scheme.accent_ground))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(scheme.line))
        font = style_font("text")
        painter.setFont(font)
        bright = index.column() in (DecisionColumn.WHAT, DecisionColumn.SUBJECT)
        painter.setPen(QColor(scheme.text if bright else scheme.dim))
        place = QStyle.visualRect(direction, rect, rect.adjusted(0, 0, -12, 0))
        text = QFontMetrics(font).elidedText(str(index.data() or ""), Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class DecisionsView(QWidget):
    """Decisions with their filters.

    Signals:
        filter_changed: the list must be read anew.
    """

    filter_changed = Signal()

    def __init__(self, names: CallNames) -> None:
        super().__init__()
        self._names = names
        self._entries: list[AuditEntry] = []
        self.kinds = FilterChips(
            self.tr("Kind"),
            [
                Choice(self.tr("All"), _ALL),
                Choice(self.tr("Calls"), "approval"),
                Choice(self.tr("Notes"), "note"),
                Choice(self.tr("Definitions"), "review"),
                Choice(self.tr("Settings"), "setting"),
                Choice(self.tr("Assistants"), "client"),
            ],
        )
        self.search = SearchField(self.tr("Filter"))
        self.search.setMinimumWidth(96)
        self.search.setMaximumWidth(200)
        self.kinds.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.model = DecisionsModel()
        self.model.setParent(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setItemDelegate(_Delegate(self.table))
        self.table.setAccessibleName(self.tr("Decisions"))
        self._set_header()
        self.nothing = label("", "second", wraps=True)
        layout = column(self, spacing=8)
        filters = QHBoxLayout()
        filters.setSpacing(12)
        filters.addWidget(self.kinds, 3)
        filters.addWidget(self.search, 1)
        layout.addLayout(filters)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.nothing)
        self._typing = Debouncer(self, 50, self.filter_changed.emit)
        self.search.textChanged.connect(lambda _text: self._typing.trigger())
        self.kinds.chosen.connect(lambda _kind: self.filter_changed.emit())

    def _set_header(self) -> None:
        header = prepare_table(self.table)
        widths = {
            DecisionColumn.TIME: 104,
            DecisionColumn.WHO: 130,
            DecisionColumn.WHAT: 210,
            DecisionColumn.DETAIL: 240,
        }
        for section, width in widths.items():
            header.resizeSection(section, round(width * text_scale()))
        header.setSectionResizeMode(DecisionColumn.SUBJECT, QHeaderView.ResizeMode.Stretch)
        self.table.setMinimumHeight(round(36 * 6 * text_scale()))

    def chosen(self, since: float | None) -> AuditFilter:
        """Return the filter that the user has chosen. Calls have a view of their own."""
        kinds = _KINDS[str(self.kinds.current)]
        return AuditFilter(kinds=kinds, since=since, text=self.search.text().strip(), without=(AuditKind.CALL,))

    def show_entries(self, entries: list[AuditEntry]) -> None:
        """Show entries, the newest first."""
        self._entries = entries
        self.show_names()
        self.table.setVisible(bool(entries))
        self.nothing.setVisible(not entries or len(entries) >= MOST)
        if entries:
            text = self.tr("The newest {n} are shown. An export has all.").format(n=messages.number(MOST))
        else:
            text = self.tr("No decisions match these filters.")
        self.nothing.setText(text)

    def show_names(self) -> None:
        """Show the names of assistants as they are now."""
        self.model.show_decisions([in_words(entry, self._names) for entry in self._entries])
