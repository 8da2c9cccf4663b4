"""Dialog *About Toolnote*: version, changes, licences."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QWidget

from toolnote_desktop import __version__
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.controls import Tabs
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.markdown_view import ReadingView
from toolnote_desktop.updates.build import Build, fact

LICENCE = "licence.txt"
CHANGES = "changelog.md"
NOTICES = "third-party-notices.txt"


class AboutDialog(Dialog):
    """Texts of the build; in a checkout, where to find them."""

    def __init__(self, build: Build, check: Callable[[], object], parent: QWidget | None = None) -> None:
        """``check``: checks for a new version."""
        super().__init__(parent)
        self.setObjectName("about")
        versions = self.tr("Version {version}, with Qt {qt}").format(version=__version__, qt=qVersion())
        self.introduce(self.tr("About Toolnote"), versions)
        pages = (
            (CHANGES, self.tr("What’s new")),
            (LICENCE, self.tr("License")),
            (NOTICES, self.tr("Third-party licenses")),
        )
        self._pages = tuple(page for page, _ in pages)
        self.tabs = Tabs(self.tr("Texts"), (text for _, text in pages))
        self.tabs.currentChanged.connect(lambda place: self._show(self._pages[place]))
        self.text = ReadingView()
        self.text.setAccessibleName(self.tr("Text"))
        self.body.addWidget(self.tabs)
        self.body.addWidget(self.text, 1)
        if build.looks_for_updates:
            check_now = Button(self.tr("Check for updates"))
            check_now.clicked.connect(check)
            self.buttons.addWidget(check_now)
        else:
            self.buttons.addWidget(label(self.tr("Updated by your package manager."), "second", wraps=True), 1)
        close = Button(self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        self.buttons.addStretch(1)
        self.buttons.addWidget(close)
        self.resize(round(720 * text_scale()), round(520 * text_scale()))
        self._show(CHANGES)

    def show_page(self, page: str) -> None:
        """Show a text."""
        self.tabs.setCurrentIndex(self._pages.index(page))

    def _show(self, page: str) -> None:
        text = fact(page) or self.tr("Toolnote runs from source here. The license is in its folder.")
        (self.text.show_markdown if page == CHANGES else self.text.show_text)(text)
