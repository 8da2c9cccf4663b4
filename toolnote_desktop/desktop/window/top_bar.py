"""Top bar above a page: back and forward, the trail, the page's menu and the button of the inspector."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.banner import Dot
from toolnote_desktop.desktop.widgets.basics import Button, empty, label
from toolnote_desktop.desktop.widgets.controls import IconButton, Menu
from toolnote_desktop.desktop.widgets.page import Crumb, Page, Width

HEIGHT = 48


class TopBar(QWidget):
    """Bar of the page that is shown.

    Signals:
        back_pressed, forward_pressed, sidebar_pressed, search_pressed, needs_pressed: a button was pressed.
        inspector_toggled: True to show the inspector.
        crumb_pressed: the place of a crumb.
    """

    back_pressed = Signal()
    forward_pressed = Signal()
    sidebar_pressed = Signal()
    search_pressed = Signal()
    needs_pressed = Signal()
    inspector_toggled = Signal(bool)
    crumb_pressed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Top bar"))
        self.setFixedHeight(round(HEIGHT * text_scale()))
        self._page: Page | None = None
        self._crumbs: tuple[Crumb, ...] | None = None
        self._width = Width.WIDE
        self._needs = 0
        self.sidebar_button = IconButton("menu", self.tr("Sidebar"), pressed=self.sidebar_pressed.emit)
        self.back_button = IconButton(
            "left", self.tr("Back"), pressed=self.back_pressed.emit, tooltip=_with_keys(self.tr("Back"), "Alt+Left")
        )
        self.forward_button = IconButton(
            "right",
            self.tr("Forward"),
            pressed=self.forward_pressed.emit,
            tooltip=_with_keys(self.tr("Forward"), "Alt+Right"),
        )
        self.needs_dot = Dot(Mark.ATTENTION)
        self.needs_button = Button("", "attention", pressed=self.needs_pressed.emit)
        self.search_button = IconButton(
            "search",
            self.tr("Search"),
            pressed=self.search_pressed.emit,
            tooltip=_with_keys(self.tr("Search"), "Ctrl+K"),
        )
        self.menu_button = IconButton("more", self.tr("More"), pressed=self._open_menu)
        self.inspector_button = IconButton(
            "panel", self.tr("Inspector"), tooltip=_with_keys(self.tr("Inspector"), "F9")
        )
        self.inspector_button.setCheckable(True)
        self.inspector_button.clicked.connect(self.inspector_toggled)
        self.menu = Menu(self)
        self._trail = QHBoxLayout()
        self._trail.setContentsMargins(8, 0, 0, 0)
        self._trail.setSpacing(4)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(0)
        self._row.addWidget(self.sidebar_button)
        self._row.addWidget(self.back_button)
        self._row.addWidget(self.forward_button)
        self._row.addLayout(self._trail, 1)
        for widget in (self.needs_dot, self.needs_button, self.search_button, self.menu_button, self.inspector_button):
            self._row.addWidget(widget)
        self._row.insertSpacing(self._row.indexOf(self.needs_button), 5)
        self.set_width_class(Width.WIDE)

    def show_page(self, page: Page) -> None:
        """Show what a page has for the bar."""
        self._page = page
        self.menu_button.setVisible(page.has_menu)
        self._show_inspector_button()
        crumbs = tuple(page.crumbs())
        if crumbs != self._crumbs:
            self._crumbs = crumbs
            self._show_crumbs(crumbs)

    def show_history(self, *, back: bool, forward: bool) -> None:
        """Enable the buttons of what is possible."""
        self.back_button.setEnabled(back)
        self.forward_button.setEnabled(forward)

    def show_needs(self, count: int, text: str) -> None:
        """Show how many things need the user, in a window without a sidebar."""
        self._needs = count
        self.needs_button.setText(text)
        self._show_needs()

    def set_width_class(self, width: Width) -> None:
        """Arrange the bar for a width of the window."""
        self._width = width
        is_narrow = width < Width.MEDIUM
        self.sidebar_button.setVisible(is_narrow)
        self.forward_button.setVisible(not is_narrow)
        self.search_button.setVisible(is_narrow)
        margin = 12 if is_narrow else 34
        self._row.setContentsMargins(margin, 0, 12 if is_narrow else 16, 0)
        self._show_needs()
        self._show_inspector_button()

    def _show_needs(self) -> None:
        shown = self._width < Width.MEDIUM and self._needs > 0
        self.needs_dot.setVisible(shown)
        self.needs_button.setVisible(shown)

    def _show_inspector_button(self) -> None:
        has_one = self._page is not None and self._page.inspector() is not None
        inside = self._page is not None and self._page.takes_details and self._width < Width.MEDIUM
        self.inspector_button.setVisible(has_one and not inside)

    def _show_crumbs(self, crumbs: Sequence[Crumb]) -> None:
        empty(self._trail)
        for number, one in enumerate(crumbs):
            if number:
                self._trail.addWidget(label("›", "second"))
            self._trail.addWidget(self._crumb(one))
        self._trail.addStretch(1)

    def _crumb(self, crumb: Crumb) -> QWidget:
        if crumb.place is None:
            return label(crumb.text, "second")
        return Button(crumb.text, "quiet", pressed=lambda: self.crumb_pressed.emit(crumb.place))

    def _open_menu(self) -> None:
        if self._page is not None:
            self.menu.clear()
            self._page.fill_menu(self.menu)
            if not self.menu.isEmpty():
                self.menu_button.open_menu(self.menu)


def _with_keys(text: str, keys: str) -> str:
    return f"{text}  {QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)}"
