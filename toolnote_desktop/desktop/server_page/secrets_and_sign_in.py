"""Secrets of a tool source, and the sign-in to it; their values are never shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread, spawn
from toolnote_desktop.desktop.messages import QT_TRANSLATE_NOOP, translate
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.basics import Button, column, empty, label, open_web_page, tooltip_text
from toolnote_desktop.desktop.widgets.page import InspectorSection
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.variable_expansion import SECRET_NAME, secret_references
from toolnote_desktop.model.servers import Server, ServerState
from toolnote_desktop.store.secrets.store import SecretLocation, SecretStore

_PLACES: Final = {
    SecretLocation.KEYCHAIN: QT_TRANSLATE_NOOP("server_access", "Kept in this computer’s keychain"),
    SecretLocation.FILE: QT_TRANSLATE_NOOP("server_access", "Kept in a file, not encrypted"),
    SecretLocation.RUN: QT_TRANSLATE_NOOP("server_access", "For this session only"),
}


class SignInState(Struct, frozen=True):
    """Progress of a sign-in: the browser's URL, or why it failed."""

    url: str = ""
    problem: Problem | None = None


class SecretsAndSignIn(QWidget):
    """Progress of a sign-in on a tool source's page, hidden without one; its secrets are in the page's inspector.

    Signals:
        secret_requested: a tool source and the name of a secret that the user wants to set.
    """

    secret_requested = Signal(str, str)

    def __init__(self, section: InspectorSection) -> None:
        """``section``: the inspector's, in which the secrets are shown."""
        super().__init__()
        self.section = section
        self._link: ProxyLink | None = None
        self._server = ""
        self._entry: Server | None = None
        self._sign_ins: dict[str, SignInState] = {}
        self._requested: object = None
        self._reading = LatestTask(self)
        self._checking = LatestTask(self)
        self._unlocking = LatestTask(self)
        self._shown: object = None
        whole = column(self, (0, 16, 0, 0))
        self.box = QFrame()
        self.box.setProperty("kind", "box")
        self.rows = QVBoxLayout(self.box)
        self.rows.setContentsMargins(16, 12, 16, 12)
        self.rows.setSpacing(10)
        whole.addWidget(self.box)
        section.hide()
        self.hide()

    def connect_link(self, link: ProxyLink) -> None:
        """Connect to the proxy link and its secrets."""
        self._link = link
        link.sign_in_progress.connect(self._show_sign_in)
        link.secrets_changed.connect(self._refresh)

    def show_server(self, server: str, entry: Server | None, state: ServerState) -> None:
        """Show a tool source; its secrets are read again when it or its state has changed."""
        is_other = server != self._server
        if is_other:
            self.hide()
        now = (server, entry, state)
        self._server, self._entry = server, entry
        if now != self._requested:
            self._requested = now
            self._refresh()
        if is_other:
            self._check_keychain()

    def sign_in(self) -> None:
        """Sign in to the tool source that is shown, in the browser."""
        if self._link is not None:
            self._link.sign_in(self._server)

    def request_secret(self, name: str) -> None:
        """Request the dialog for a secret of the tool source that is shown."""
        self.secret_requested.emit(self._server, name)

    def unlock(self, name: str) -> None:
        """Let the system ask the user to unlock the keychain, which has this secret."""
        if self._link is not None and not self._unlocking.is_running:
            self._unlocking.start(self._unlock(self._link.secrets, self._server, name))

    async def _unlock(self, store: SecretStore, server: str, name: str) -> None:
        try:
            await in_thread(store.unlock, server, name)
        except ToolnoteError as error:  # the user dismissed the prompt: the page still says that it is locked
            if error.problem.code is not Code.KEYCHAIN_LOCKED:
                self._show_failure(error)

    def _refresh(self) -> None:
        if self._link is not None and self._server:
            self._reading.start(self._show_names(self._link.secrets.names, self._server))

    def _check_keychain(self) -> None:
        """Read the names from the keychain itself, where the user may have deleted some."""
        self._checking.cancel()
        if self._link is not None and self._server:
            self._checking.start(self._show_names(self._link.secrets.refresh, self._server))

    async def _show_names(self, read: Callable[[str], dict[str, SecretLocation]], server: str) -> None:
        try:
            names = await in_thread(read, server)
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self._show_failure(error)
        else:
            self._show(server, names)

    def _show(self, server: str, names: dict[str, SecretLocation]) -> None:
        wanted = secret_references(self._entry) if self._entry is not None else {}
        secrets = [name for name in dict.fromkeys([*wanted, *names]) if SECRET_NAME.fullmatch(name)]
        signed_in = any(not SECRET_NAME.fullmatch(name) for name in names)
        state = self._sign_ins.get(server)
        shown = (server, secrets, names, signed_in, state)
        self.setVisible(state is not None)
        self.section.setVisible(bool(secrets or signed_in))
        if shown == self._shown:
            return
        self._shown = shown
        empty(self.rows)
        self.section.clear()
        for name in secrets:
            self._add_secret(name, names.get(name), in_use=name in wanted)
        if state is not None:
            self._add_sign_in(state)
        if signed_in:
            sign_out = Button(self.tr("Sign out"), "link", pressed=self._sign_out)
            self._add_to_section(label(self.tr("You are signed in.")), "", [sign_out])

    def _add_secret(self, name: str, place: SecretLocation | None, *, in_use: bool) -> None:
        if place is None:
            second = self.tr("Missing. Required to start.")
        elif in_use:
            second = translate("server_access", _PLACES[place])
        else:
            second = self.tr("No longer used")
        words = self.tr("Enter…") if place is None else self.tr("Replace…")
        server = self._server
        enter = partial(self.secret_requested.emit, server, name)
        buttons = [Button(words, "link", name=f"{words}: {name}", pressed=enter)]
        if place is not None:
            remove = self.tr("Remove")
            buttons.append(Button(remove, "link", name=f"{remove}: {name}", pressed=lambda: self._remove(name)))
        shown = label(name, "name", wraps=True)
        shown.setToolTip(tooltip_text(name))
        self._add_to_section(shown, second, buttons)

    def _add_to_section(self, first: QLabel, second: str, buttons: list[Button]) -> None:
        """Add a name with its main action beside it, and below it a second line with another one."""
        whole = QWidget()
        rows = column(whole, (0, 2, 0, 8), 0)
        for text, button in zip((first, label(second, "small", wraps=True)), (*buttons, None, None), strict=False):
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(text, 1)
            if button is not None:
                row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            rows.addLayout(row)
            text.setVisible(bool(text.text()))
        self.section.rows.addWidget(whole)

    def _add_sign_in(self, state: SignInState) -> None:
        again = Button(self.tr("Sign in"), pressed=self.sign_in)
        if state.problem is not None:
            self._add_row(messages.problem_text(state.problem), [again])
            return
        cancel = Button(self.tr("Cancel"), name=self.tr("Cancel signing in"), pressed=self._cancel)
        if not state.url:
            self._add_row(self.tr("Looking for where to sign in…"), [cancel])
            return
        page = Button(self.tr("Open the page again"), pressed=partial(open_web_page, state.url))
        self._add_row(self.tr("Sign in on the page that has opened in your browser."), [page, cancel])

    def _add_row(self, text: str, buttons: list[Button]) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label(text, wraps=True), 1)
        for made in buttons:
            row.addWidget(made)
        self.rows.addWidget(line)

    def _remove(self, name: str) -> None:
        if self._link is not None:
            spawn(self, self._remove_secret(self._link.secrets, self._server, name))

    async def _remove_secret(self, store: SecretStore, server: str, name: str) -> None:
        try:
            await in_thread(store.remove, server, name)
        except Exception as error:  # noqa: BLE001 - a keychain may fail with anything; the user sees why
            self._show_failure(error)
        else:
            self._refresh()

    def _sign_out(self) -> None:
        if self._link is not None:
            self._link.sign_out(self._server)

    def _cancel(self) -> None:
        if self._link is not None:
            self._link.cancel_sign_in(self._server)

    def _show_failure(self, error: Exception) -> None:
        if self._link is not None:
            self._link.secret_failed.emit(error)

    def _show_sign_in(self, server: str, stage: str, url: str, problem: Problem | None) -> None:
        match stage:
            case "begun":
                self._sign_ins[server] = SignInState()
            case "in-browser":
                self._sign_ins[server] = SignInState(url)
                open_web_page(url)
            case "failed":
                self._sign_ins[server] = SignInState(problem=problem)
            case _:  # done, cancelled, signed out
                self._sign_ins.pop(server, None)
        self._refresh()
