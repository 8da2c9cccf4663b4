"""View of a longer text: our own Markdown formatted, other texts verbatim."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument, QTextOption
from PySide6.QtWidgets import QTextBrowser, QWidget

from toolnote_desktop.desktop.theme.fonts import fixed_font, text_font


class ReadingView(QTextBrowser):
    """Read-only view without HTML; links are not followed and resources not loaded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "reading")
        self.setOpenLinks(False)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(12)
        self.document().setIndentWidth(20)

    def show_markdown(self, text: str) -> None:
        """Show a Markdown text."""
        self.document().setDefaultFont(text_font())
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.document().setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownNoHTML)

    def show_text(self, text: str) -> None:
        """Show a preformatted text, such as a licence."""
        self.document().setDefaultFont(fixed_font(text_font().pixelSize() - 1))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setPlainText(text)

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        """Load nothing: remote resources are not fetched."""
        return None
