"""Frame of the window: sidebar, top bar, page, inspector and toast, arranged by the window's width."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import column, side_ground
from toolnote_desktop.desktop.widgets.page import INSPECTOR_WIDTH, Page, Width
from toolnote_desktop.desktop.window.pane_focus import first_control
from toolnote_desktop.desktop.window.toast import Toast
from toolnote_desktop.desktop.window.top_bar import TopBar

SIDEBAR_WIDTH = 260


class SidePanel(QWidget):
    """Side column with a hairline towards the page."""

    def __init__(self, *, line_at_start: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line_at_start = line_at_start
        side_ground(self)
        self.layout_ = column(self, (1, 0, 0, 0) if line_at_start else (0, 0, 1, 0), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        at_left = self._line_at_start is not self.isRightToLeft()
        painter = QPainter(self)
        painter.fillRect(0 if at_left else self.width() - 1, 0, 1, self.height(), QColor(colours(self.palette()).line))


class Veil(QWidget):
    """Shade over the window behind a drawer or the search; a press on it closes what it is behind.

    Signals:
        pressed: the veil was pressed.
    """

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(16, 18, 24, 64))


class Frame(QWidget):
    """Columns of the window.

    Attributes:
        width_class: the window's current class of width.
        shows_inspector: True if the inspector is shown in a wide window.
        shows_sidebar: True if the sidebar is shown in a window that is not narrow.

    Signals:
        width_changed: the new ``Width``.
        inspector_changed: True if an inspector is visible now.
    """

    width_changed = Signal(object)
    inspector_changed = Signal(bool)

    def __init__(self, sidebar: QWidget, *, shows_inspector: bool = True, shows_sidebar: bool = True) -> None:
        super().__init__()
        self.width_class = Width.WIDE
        self.shows_inspector = shows_inspector
        self.shows_sidebar = shows_sidebar
        self._inspector_is_over = False
        self._drawer_is_open = False
        self._page: Page | None = None
        self._veil = Veil(self)
        self._veil.hide()
        self._veil.pressed.connect(self.close_drawer)
        self.sidebar = sidebar
        self.sidebar_panel = SidePanel(line_at_start=False, parent=self)
        self.sidebar_panel.layout_.addWidget(sidebar)
        self.top_bar = TopBar()
        self.pages = QStackedWidget()
        self.feet = QStackedWidget()
        self.feet.hide()
        self.middle = QWidget(self)
        whole = column(self.middle, spacing=0)
        whole.addWidget(self.top_bar)
        whole.addWidget(self.pages, 1)
        whole.addWidget(self.feet)
        self.inspector_panel = SidePanel(line_at_start=True, parent=self)
        self.inspectors = QStackedWidget()
        self.inspector_panel.layout_.addWidget(self.inspectors)
        self.inspector_panel.hide()
        self.toast = Toast(self)
        self.top_bar.sidebar_pressed.connect(self.toggle_sidebar)
        self.top_bar.inspector_toggled.connect(self.show_inspector)
        QWidget.setTabOrder(self.sidebar_panel, self.middle)
        QWidget.setTabOrder(self.middle, self.inspector_panel)

    # --- pages

    def add_page(self, page: Page) -> None:
        """Add a page that is shown later."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
            page.set_width_class(self.width_class)

    def show_page(self, page: Page) -> None:
        """Show a page with what it has for the frame."""
        self.add_page(page)
        if page is not self._page:
            self._inspector_is_over = False
            before, self._page = self._page, page
            focus = self.window().focusWidget()
            had_focus = before is not None and focus is not None and before.isAncestorOf(focus)
            self.pages.setCurrentWidget(page)
            if had_focus:
                self._focus_page(self.pages)
        self.update_chrome()

    def update_chrome(self) -> None:
        """Show the current page's crumbs, menu, inspector and foot."""
        page = self._page
        if page is None:
            return
        self.top_bar.show_page(page)
        foot = page.foot()
        if foot is not None:
            if self.feet.indexOf(foot) < 0:
                self.feet.addWidget(foot)
            self.feet.setCurrentWidget(foot)
        self.feet.setVisible(foot is not None)
        inspector = page.inspector()
        if inspector is not None and not self._is_inside_page(page):
            if self.inspectors.indexOf(inspector) < 0:
                self.inspectors.addWidget(inspector)
            self.inspectors.setCurrentWidget(inspector)
        self.arrange()

    def _is_inside_page(self, page: Page) -> bool:
        """Return True if the page shows its inspector as its own tab."""
        return page.takes_details and self.width_class < Width.MEDIUM

    # --- inspector and sidebar

    @property
    def inspector_is_visible(self) -> bool:
        """True if the current page's inspector is visible."""
        page = self._page
        if page is None or page.inspector() is None or self._is_inside_page(page):
            return False
        return self.shows_inspector if self.width_class is Width.WIDE else self._inspector_is_over

    def show_inspector(self, shown: bool) -> None:
        """Show or hide the inspector: as a column, or over the page in a window that is not wide."""
        if self.width_class is Width.WIDE:
            self.shows_inspector = shown
        else:
            self._inspector_is_over = shown
        self.arrange()

    def toggle_inspector(self) -> None:
        """Show the inspector, or hide it (F9)."""
        self.show_inspector(not self.inspector_is_visible)

    def toggle_sidebar(self) -> None:
        """Show or hide the sidebar (Ctrl+B); in a narrow window it is a drawer."""
        if self.width_class < Width.MEDIUM:
            self._drawer_is_open = not self._drawer_is_open
            self.arrange()
            if self._drawer_is_open:
                self.sidebar.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.shows_sidebar = not self.shows_sidebar
            self.arrange()

    def close_drawer(self) -> None:
        """Close the sidebar's drawer in a narrow window, and what is open over the page."""
        if self._drawer_is_open:
            self._drawer_is_open = False
            self._focus_page(self.sidebar_panel)
            self.arrange()

    def _focus_page(self, left: QWidget) -> None:
        """Move the focus from a widget that is left to the page's first control; Qt would choose any."""
        focus, page = self.window().focusWidget(), self._page
        if focus is None or page is None or not left.isAncestorOf(focus):
            return
        entrance = page.entrance() or first_control(page)
        if entrance is not None:
            entrance.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self._drawer_is_open or self._inspector_is_over):
            self._inspector_is_over = False
            self._drawer_is_open = False
            self.arrange()
        else:
            super().keyPressEvent(event)

    # --- layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = Width.of(self.width())
        if width is not self.width_class:
            self.width_class = width
            self._drawer_is_open = self._inspector_is_over = False
            self.top_bar.set_width_class(width)
            for place in range(self.pages.count()):
                page = self.pages.widget(place)
                if isinstance(page, Page):
                    page.set_width_class(width)
            self.width_changed.emit(width)
            self.update_chrome()
        self.arrange()

    def arrange(self) -> None:
        """Place the columns."""
        whole = self.rect()
        is_narrow = self.width_class < Width.MEDIUM
        is_alone = self._page is not None and self._page.is_alone
        self.top_bar.setVisible(not is_alone)
        sidebar_shown = not is_alone and (self._drawer_is_open if is_narrow else self.shows_sidebar)
        side = min(round(SIDEBAR_WIDTH * min(text_scale(), 1.4)), whole.width() - 40)
        inspector_shown = self.inspector_is_visible
        inspector = self.inspectors.currentWidget()
        wanted = int(getattr(inspector, "wanted_width", INSPECTOR_WIDTH) * min(text_scale(), 1.4))
        panel = min(wanted, whole.width() - 40)
        start = side if sidebar_shown and not is_narrow else 0
        end = panel if inspector_shown and self.width_class is Width.WIDE else 0
        self._put(self.sidebar_panel, QRect(0, 0, side, whole.height()))
        self._put(self.middle, QRect(start, 0, whole.width() - start - end, whole.height()))
        self._put(self.inspector_panel, QRect(whole.width() - panel, 0, panel, whole.height()))
        if inspector_shown and not end:  # over the page, below the bar whose button closes it
            bar = self.top_bar.height()
            self._put(self.inspector_panel, QRect(whole.width() - panel, bar, panel, whole.height() - bar))
        self.sidebar_panel.setVisible(sidebar_shown)
        self.inspector_panel.setVisible(inspector_shown)
        self._veil.setGeometry(whole)
        self._veil.setVisible(is_narrow and sidebar_shown)
        self.middle.lower()
        if self._veil.isVisible():
            self._veil.raise_()
        self.inspector_panel.raise_()
        self.sidebar_panel.raise_()
        self.toast.raise_()
        self.toast.place_over(self.middle.geometry())
        button = self.top_bar.inspector_button
        if button.isChecked() is not inspector_shown:
            button.setChecked(inspector_shown)
            self.inspector_changed.emit(inspector_shown)

    def _put(self, widget: QWidget, place: QRect) -> None:
        """Set a geometry, mirrored from right to left."""
        if self.isRightToLeft():
            place = QRect(self.width() - place.right() - 1, place.top(), place.width(), place.height())
        widget.setGeometry(place)
