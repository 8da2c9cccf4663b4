"""Web pages that tool sources ask the user to open where the assistant cannot: a toast, an entry under *Needs you*."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from shiboken6 import isValid

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.library_rows import Mark
from toolnote_desktop.desktop.models.needs_you import Need
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.basics import open_web_page
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.store.library import Library

if TYPE_CHECKING:
    from toolnote_desktop.desktop.dialogs.page_offer import PageOffer
    from toolnote_desktop.desktop.proxy_link import PageOffered


class PageOffers(QObject):
    """Shows in the window the pages that ``ProxyLink`` reports, and answers them. A page is opened by a press alone."""

    def __init__(
        self,
        window: MainWindow,
        dialogs: DialogOpener,
        link: ProxyLink,
        library: Library,
        announce: Callable[[str], object],
    ) -> None:
        """``announce`` shows a text outside the window, for while it is hidden."""
        super().__init__(window)
        self._window, self._dialogs, self._link, self._library = window, dialogs, link, library
        self._announce = announce
        self._dialog: tuple[int, PageOffer] | None = None
        link.page_offered.connect(self._show_offered)
        link.page_withdrawn.connect(self._withdraw)

    def _show_offered(self, page: PageOffered) -> None:
        text = self.tr("{0} asks you to open a web page").format(messages.source_name(page.server))
        assistant = self._assistant(page)
        reason = self.tr("{0} can’t show it. It waits for your answer.").format(assistant)
        action = self.tr("Show address…")
        need = Need(Mark.ATTENTION, text, reason, action)
        self._window.show_need(_name(page.number), need, lambda: self.show_page(page))
        if not self._window.isVisible():
            self._announce(text)
        self._window.toast.show_message(text, action, lambda: self.show_page(page), about=_name(page.number))

    def show_page(self, page: PageOffered) -> None:
        """Open the dialog with a page's address."""
        from toolnote_desktop.desktop.dialogs.page_offer import PageOffer

        dialog = PageOffer(
            messages.source_name(page.server), self._assistant(page), page.message, page.url, self._window
        )
        dialog.answered.connect(lambda opens: self._answer(page, opens=opens))
        dialog.rejected.connect(lambda: self._dismissed(page))
        self._dialog = (page.number, dialog)
        self._dialogs.show_dialog(dialog)

    def _assistant(self, page: PageOffered) -> str:
        return messages.client_name(self._library.snapshot, page.client) if page.client else self.tr("An assistant")

    def _answer(self, page: PageOffered, *, opens: bool) -> None:
        is_open = opens and open_web_page(page.url)
        self._link.answer_page(page.number, "accept" if is_open else "decline")
        self._remove(page.number)

    def _dismissed(self, page: PageOffered) -> None:
        if self._dialog is not None and self._dialog[0] == page.number:
            self._link.answer_page(page.number, "cancel")
            self._remove(page.number)

    def _withdraw(self, number: int) -> None:
        shown = self._dialog
        self._remove(number)
        if shown is not None and shown[0] == number and isValid(shown[1]):
            shown[1].reject()

    def _remove(self, number: int) -> None:
        if self._dialog is not None and self._dialog[0] == number:
            self._dialog = None
        self._window.drop_need(_name(number))
        if self._window.toast.about == _name(number):
            self._window.toast.dismiss()


def _name(number: int) -> str:
    return f"page-{number}"
