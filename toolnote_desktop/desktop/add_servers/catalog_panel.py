"""Catalog of tool sources: a search field, filters, and a card for each source; the page's inspector adds one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import TextStyle, style_font, text_scale
from toolnote_desktop.desktop.theme.icons import IconName, draw_icon
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.controls import (
    Choice,
    FilterChips,
    PaintedButton,
    SearchField,
    initials_of,
    paint_tile,
)
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.public_registry.bundled import bundled_servers, search_bundled
from toolnote_desktop.public_registry.client import RegistryClient
from toolnote_desktop.public_registry.form import suggested_id
from toolnote_desktop.public_registry.publisher import AsksFor, PublisherKind, ServerPublisher, asks_for, publisher_of
from toolnote_desktop.public_registry.records import Published, RegistryResults

TYPING_MS = 350
"""Delay of the search after typing, in milliseconds."""

CARD_HEIGHT = 92
NARROW = 560
"""Pixels below which cards are in one column."""

POPULAR, HERE, NO_KEY = "popular", "here", "no-key"


class Card(PaintedButton):
    """Card of a source: what it is, who published it, what it asks for."""

    def __init__(self, server: Published, publisher: str, asks: AsksFor, *, is_added: bool) -> None:
        asked = asks_text(asks)
        added = translate("catalog", "Added") if is_added else ""
        super().__init__(server.title)
        self.server = server
        self._publisher, self._asked, self._added, self._icon = publisher, asked, added, _ICONS.get(asks, "key")
        self.setAccessibleDescription(". ".join(part for part in (publisher, added, server.description, asked) if part))
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(300, round(CARD_HEIGHT * text_scale()))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_marked = self.isChecked() or self._ring
        inset = 1.0 if is_marked else 0.5
        painter.setBrush(QColor(scheme.hover if self.underMouse() else scheme.card))
        painter.setPen(QPen(QColor(scheme.accent if is_marked else scheme.line), 2 if is_marked else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 8, 8)
        scale, whole, direction = text_scale(), self.rect(), self.layoutDirection()

        def place(left: float, top: float, width: float, height: float) -> QRect:
            rect = QRect(round(left), round(top), round(max(width, 0)), round(height))
            if direction is Qt.LayoutDirection.RightToLeft:
                rect.moveLeft(whole.width() - rect.x() - rect.width())
            return rect

        paint_tile(painter, QRectF(place(16, 16, 32, 32)), initials_of(self.server.title), scheme)
        left, line = 60.0, 20 * scale
        room = whole.width() - left - 16
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        second = style_font("second")
        small = QFontMetrics(second)
        added = small.horizontalAdvance(self._added) + (12 if self._added else 0)

        def draw(text: str, font_name: TextStyle, colour: str, at: float, top: float, width: float) -> float:
            font = style_font(font_name)
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(max(width, 0)))
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(place(at, top, width, line), alignment, shown)
            return float(metrics.horizontalAdvance(shown))

        named = draw(self.server.title, "head", scheme.text, left, 14, room - added)
        draw(self._publisher, "second", scheme.dim, left + named + 8, 14, room - added - named - 8)
        if self._added:
            draw(self._added, "second", scheme.dim, whole.width() - 16 - added + 12, 14, added)
        draw(self.server.description, "text", scheme.text, left, 14 + line, room)
        draw_icon(painter, self._icon, place(left, 14 + 2 * line, 12, line), QColor(scheme.dim), 12)
        draw(self._asked, "second", scheme.dim, left + 18, 14 + 2 * line, room - 18)


class CatalogPanel(QWidget):
    """See the module.

    Signals:
        chosen: the ``Published`` that is selected, or None.
    """

    chosen = Signal(object)

    def __init__(self, client: Callable[[], RegistryClient], existing: Callable[[], Collection[str]]) -> None:
        super().__init__()
        self._client, self._existing = client, existing
        self._servers: list[Published] = []
        self._cursor = ""
        self._is_curated = True
        self._columns = 0
        self._asking = LatestTask(self)
        self._typing = Debouncer(self, TYPING_MS, self.search_now)
        self.current: Published | None = None
        self.cards: list[Card] = []
        self.search = SearchField(self.tr("Search the catalog"))
        self.search.textChanged.connect(lambda _text: self._typing.trigger())
        self.search.returnPressed.connect(self.search_now)
        self.filters = FilterChips(
            self.tr("Filter"),
            [
                Choice(self.tr("Popular"), POPULAR),
                Choice(self.tr("On this computer"), HERE),
                Choice(self.tr("No key needed"), NO_KEY),
            ],
        )
        self.filters.chosen.connect(lambda _value: self._show_cards())
        head = QHBoxLayout()
        head.setSpacing(24)
        head.addWidget(self.search, 1)
        head.addWidget(self.filters)
        self.state = label("", "small", wraps=True)
        self.nothing = label("", "second", wraps=True)
        self.grid = QGridLayout()
        self.grid.setSpacing(16)
        self.more_button = Button(self.tr("Show more"), pressed=self._request_more)
        self.more_button.hide()
        whole = column(self, spacing=16)
        whole.addLayout(head)
        whole.addWidget(self.state)
        whole.addWidget(self.nothing)
        whole.addLayout(self.grid)
        whole.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.search_now()

    def set_columns(self, width: int) -> None:
        """Arrange the cards for a width of the page."""
        columns = 1 if width < NARROW * text_scale() else 2
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def search_now(self) -> None:
        """Search for what is typed; without a text, show the release's own list."""
        self._typing.cancel()
        self._asking.cancel()
        self._cursor = ""
        text = self.search.text().strip()
        if not text:
            self._show_servers(bundled_servers(), is_curated=True, state="")
            return
        self.state.setText(self.tr("Searching…"))
        self.state.show()
        self._asking.start(self._ask(text, ""))

    def _request_more(self) -> None:
        self._asking.start(self._ask(self.search.text().strip(), self._cursor))

    async def _ask(self, text: str, cursor: str) -> None:
        try:
            found: RegistryResults = await self._client().page(text, cursor)
        except Exception as error:  # noqa: BLE001 - whatever the registry answers, the release's list is shown
            self._show_servers(search_bundled(text), is_curated=True, state=self._offline_text(error))
            return
        servers = [*self._servers, *found.servers] if cursor else list(found.servers)
        self._cursor = found.next_cursor
        self._show_servers(servers, is_curated=False, state="")

    def _offline_text(self, error: Exception) -> str:
        if isinstance(error, ToolnoteError) and error.problem.code is Code.REGISTRY_UNREACHABLE:
            return self.tr("No network. These are the sources that came with Toolnote.")
        why = messages.error_text(error)
        return self.tr("{0} These are the sources that came with Toolnote.").format(why)

    def _show_servers(self, servers: Sequence[Published], *, is_curated: bool, state: str) -> None:
        self._servers, self._is_curated = list(servers), is_curated
        self.state.setText(state)
        self.state.setVisible(bool(state))
        self._show_cards()

    def _show_cards(self) -> None:
        for card in self.cards:
            card.hide()
            card.deleteLater()
        existing = self._existing()
        self.cards = []
        for server in self._servers:
            asks = asks_for(server, is_curated=self._is_curated)
            if not self._passes(server, asks):
                continue
            is_added = _is_added(server, existing)
            card = Card(server, publisher_text(publisher_of(server)), asks, is_added=is_added)
            card.clicked.connect(lambda _on, card=card: self._choose(card))
            self.cards.append(card)
        text = self.search.text().strip()
        if self.cards:
            self.nothing.hide()
        else:
            self.nothing.setText(self.tr("No results for “{0}”.").format(text) if text else self.tr("No results."))
            self.nothing.show()
        self.more_button.setVisible(bool(self._cursor))
        self._arrange()
        self._keep_choice()

    def _keep_choice(self) -> None:
        """Mark the current source's card, else the first one that is not added yet."""
        existing = self._existing()
        kept = next((card for card in self.cards if card.server == self.current), None)
        new = (card for card in self.cards if not _is_added(card.server, existing))
        card = kept or next(new, next(iter(self.cards), None))
        if card is not None:
            self._choose(card)

    def _passes(self, server: Published, asks: AsksFor) -> bool:
        match self.filters.current:
            case "here":
                return bool(server.packages) and not server.remotes
            case "no-key":
                return asks is AsksFor.NOTHING
        return True

    def _arrange(self) -> None:
        while self.grid.takeAt(0) is not None:
            pass
        columns = self._columns or 2
        for number, card in enumerate(self.cards):
            self.grid.addWidget(card, number // columns, number % columns)
            card.show()
        self.grid.setColumnStretch(0, 1)
        self.grid.setColumnStretch(1, 1 if columns == 2 else 0)

    def _choose(self, chosen: Card) -> None:
        for card in self.cards:
            card.setChecked(card is chosen)
        if chosen.server != self.current:  # else what the user has typed in the inspector would be lost
            self.current = chosen.server
            self.chosen.emit(chosen.server)


_ICONS: Final[dict[AsksFor, IconName]] = {
    AsksFor.SIGN_IN: "globe",
    AsksFor.FOLDER: "folder",
    AsksFor.NOTHING: "check",
}


def publisher_text(publisher: ServerPublisher) -> str:
    """Return the publisher in words: *Official*, *By ada*, *Community*."""
    match publisher.kind:
        case PublisherKind.OFFICIAL:
            return translate("catalog", "Official")
        case PublisherKind.KNOWN:
            return translate("catalog", "By {publisher}").format(publisher=publisher.name)
    return translate("catalog", "Community")


def asks_text(asks: AsksFor) -> str:
    """Return what a source asks for in words."""
    texts = {
        AsksFor.SIGN_IN: translate("catalog", "Asks you to sign in"),
        AsksFor.TOKEN: translate("catalog", "Asks for an access token"),
        AsksFor.FOLDER: translate("catalog", "Asks for a folder"),
        AsksFor.DATABASE: translate("catalog", "Asks for a database address"),
        AsksFor.OTHER: translate("catalog", "Asks for a few settings"),
        AsksFor.NOTHING: translate("catalog", "Asks for nothing"),
    }
    return texts.get(asks, translate("catalog", "Doesn’t say what it asks for"))


def _is_added(server: Published, existing: Collection[str]) -> bool:
    """Return True if a source has the name or an address of one that is there (``AddToolsPage``)."""
    addresses = (remote.url.rstrip("/") for remote in server.remotes)
    return suggested_id(server).casefold() in existing or any(one in existing for one in addresses)
