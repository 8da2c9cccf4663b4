"""Inspector of an assistant: what it reads, its last calls, its connection."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct
from PySide6.QtCore import QDateTime, QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, label, tooltip_text
from toolnote_desktop.desktop.widgets.page import Inspector
from toolnote_desktop.guidance.budgets import list_budget, tool_costs
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.guidance.tokens import estimate_tokens
from toolnote_desktop.model.calls.outcome import FAILURES, Outcome
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import last_calls

MOST_CALLS = 5


class ReadAmounts(Struct, frozen=True):
    """Amounts that an assistant reads: tools of its toolset, Toolnote's own, tokens of all and of the notes.

    Attributes:
        context: tokens of its context, and ``context_share`` those above which a list is too long for it.
    """

    tools: int
    own: int
    tokens: int
    note_tokens: int
    toolset: str
    limit: int | None
    token_limit: int | None
    context: int | None
    context_share: int | None
    warns: bool
    on_demand: bool


class AssistantFacts(Struct, frozen=True):
    """Content of the inspector."""

    amounts: ReadAmounts
    calls: tuple[tuple[Call, str], ...]
    """Last calls, the newest first, with the titles of their tools."""


def read_facts(
    snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect, home: Home, client: str
) -> AssistantFacts:
    """Count what an assistant reads, and read its last calls. For a thread: estimates each served tool."""
    served = served_tools(snapshot, toolset, dialect)
    budget = list_budget(snapshot, snapshot.clients.get(client), toolset, dialect, tool_costs(served, dialect))
    notes = {(one.note.name, one.note.note) for tool in served for one in tool.notes if one.note.enabled}
    limit = dialect.tool_limit or dialect.tool_warning
    amounts = ReadAmounts(
        budget.listed,
        budget.own,
        budget.list_tokens,
        sum(estimate_tokens(text) for _, text in notes) if not snapshot.settings.notes_paused else 0,
        toolset.title if toolset is not None else "",
        limit,
        dialect.token_limit,
        budget.context_tokens,
        None if dialect.loads_on_demand else budget.context_share,
        dialect.tool_limit is None,
        dialect.loads_on_demand,
    )
    tools = snapshot.catalogue.tools
    calls = [(call, tools.get((call.server, call.tool))) for call in last_calls(home, client, MOST_CALLS)]
    titled = ((call, known.tool.title if known is not None else call.tool) for call, known in calls)
    return AssistantFacts(amounts, tuple(titled))


class Meter(QWidget):
    """Bar of an amount and its limit; what exceeds the limit is in the colour of attention."""

    def __init__(self) -> None:
        super().__init__()
        self._amount, self._limit = 0, 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_amount(self, amount: int, limit: int) -> None:
        """Show an amount of a limit."""
        self._amount, self._limit = amount, max(limit, 1)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        scale = max(self._amount, self._limit)
        width, top = self.width(), (self.height() - 6) / 2
        parts = (
            (0, self.width(), scheme.pressed),
            (0, width * min(self._amount, self._limit) / scale, scheme.bar),
            (width * self._limit / scale, width * self._amount / scale, scheme.attention),
        )
        for begin, end, colour in parts:
            if end > begin:
                left = width - end if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else begin
                painter.setBrush(QColor(colour))
                painter.drawRoundedRect(QRectF(left, top, end - begin, 6), 3, 3)


class AssistantInspector(Inspector):
    """See the module.

    Signals:
        own_tools_requested: choose which of Toolnote's own tools are served.
        calls_requested: show all calls.
        budget_requested: compare what the toolsets cost the assistants.
    """

    own_tools_requested = Signal()
    calls_requested = Signal()
    budget_requested = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("Inspector"))
        self.reads = self.add_section(self.tr("What it reads"), self.tr("Compare"), self.budget_requested.emit)
        self.calls = self.add_section(self.tr("Last calls"), self.tr("All calls"), self.calls_requested.emit)
        self.connection = self.add_section(self.tr("Connection"))

    def show_facts(self, name: str, facts: AssistantFacts | None) -> None:
        """Show these facts; None while they are read."""
        self.reads.clear()
        self.calls.clear()
        if facts is None:
            return
        self._show_amounts(name, facts.amounts)
        self.calls.setVisible(bool(facts.calls))
        for call, title in facts.calls:
            self.calls.rows.addWidget(self._call_row(call, title))

    def show_connection(self, facts: Mapping[str, str]) -> None:
        """Show when it was active last, and its version."""
        self.connection.clear()
        self.connection.setVisible(any(facts.values()))
        for fact, value in facts.items():
            if value:
                self.connection.add_fact(fact, value)

    def _show_amounts(self, name: str, amounts: ReadAmounts) -> None:
        total = amounts.tools + amounts.own
        number = messages.number
        if amounts.limit is None:
            self.reads.add_fact(self.tr("Tools"), number(total))
        else:
            words = self.tr("{0} of {1}").format(number(total), number(amounts.limit))
            self.reads.add_fact(self.tr("Tools"), words)
            meter = Meter()
            meter.setAccessibleName(words)
            meter.show_amount(total, amounts.limit)
            self.reads.rows.addWidget(meter)
        if amounts.limit is not None and total > amounts.limit:
            above = (
                self.tr("{assistant} warns above {limit}.") if amounts.warns else self.tr("{assistant} takes {limit}.")
            )
            parts = self.tr("These are {n} from {toolset} and {own} of Toolnote’s own.")
            text = above.format(assistant=name, limit=number(amounts.limit))
            rest = parts.format(n=number(amounts.tools), toolset=amounts.toolset, own=number(amounts.own))
            self.reads.rows.addWidget(_attention(f"{text} {rest}"))
        if amounts.on_demand:
            text = self.tr("{0} reads the names first, and a tool’s text when it looks for it.").format(name)
            self.reads.rows.addWidget(label(text, "small", wraps=True))
        if amounts.own:
            self.reads.rows.addWidget(
                Button(self.tr("Choose Toolnote’s own tools…"), "link", pressed=self.own_tools_requested.emit)
            )
        self.reads.rows.addSpacing(12)
        self.reads.add_fact(self.tr("Tokens"), self.tr("about {0}").format(number(rounded(amounts.tokens))))
        notes = self.tr("Your notes are {0} of them.").format(number(rounded(amounts.note_tokens)))
        limit, most = "", amounts.token_limit
        if amounts.token_limit is not None:
            limit = self.tr("{0} accepts {1}.").format(name, number(amounts.token_limit))
        elif amounts.context is None:
            limit = self.tr("{0} has no known limit.").format(name)
        elif (most := amounts.context_share) is not None:
            text = self.tr("{0} has a context of {1}. A list should take at most {2}.")
            limit = text.format(name, number(amounts.context), number(most))
        if most is not None:
            meter = Meter()
            meter.setAccessibleName(self.tr("{0} of {1}").format(number(amounts.tokens), number(most)))
            meter.show_amount(amounts.tokens, most)
            self.reads.rows.addWidget(meter)
        if most is not None and amounts.tokens > most:
            self.reads.rows.addWidget(label(notes, "small", wraps=True))
            self.reads.rows.addWidget(_attention(limit))
        else:
            self.reads.rows.addWidget(label(f"{notes} {limit}".rstrip(), "small", wraps=True))

    def _call_row(self, call: Call, title: str) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(8)
        time = label(time_of(call.time), "second")
        time.setFixedWidth(64)
        tool = label(title)
        tool.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        tool.setToolTip(tooltip_text(title))
        row.addWidget(time)
        row.addWidget(tool, 1)
        if call.outcome is not Outcome.WORKED:
            row.addWidget(Dot(Mark.WRONG if call.outcome in FAILURES else Mark.OFF))
        row.addWidget(label(messages.outcome_word(call.outcome), "second"))
        return line


def rounded(tokens: int) -> int:
    """Round an estimate to two digits, since more would be false precision."""
    if tokens < 100:
        return tokens
    unit = int(10 ** (len(str(tokens)) - 2))
    return round(tokens / unit) * unit


def time_of(seconds: float) -> str:
    """Return a time of today as hours and minutes, else the day."""
    moment = datetime.fromtimestamp(seconds, UTC).astimezone()
    then = QDateTime.fromSecsSinceEpoch(int(seconds))
    days = (datetime.now(UTC).astimezone().date() - moment.date()).days
    if days == 0:
        return QLocale().toString(then.time(), QLocale.FormatType.ShortFormat)
    if days == 1:
        return messages.translate("times", "Yesterday")
    if days < 7:
        return QLocale().dayName(then.date().dayOfWeek(), QLocale.FormatType.ShortFormat)
    return QLocale().toString(then.date(), QLocale.FormatType.ShortFormat)


def _attention(text: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 4, 0, 4)
    row.setSpacing(4)
    column = QVBoxLayout()
    dot = Dot(Mark.ATTENTION)
    column.addWidget(dot)
    column.addStretch(1)
    row.addLayout(column)
    row.addWidget(label(text, "attention", wraps=True), 1)
    return line
