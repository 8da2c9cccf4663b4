"""What a tool source is let in with: its secrets, and the sign-in to it. Nothing of either is ever shown."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.background_task import run_task
from toolnote_desktop.desktop.messages import QT_TRANSLATE_NOOP, translate
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.basics import Button, card, column, empty, label
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.secrets.variable_expansion import SECRET_NAME, secret_references
from toolnote_desktop.model.servers import Server, ServerState
from toolnote_desktop.store.secrets.store import SecretLocation

_PLACES: Final = {
    SecretLocation.KEYCHAIN: QT_TRANSLATE_NOOP("server_access", "in the keychain"),
    SecretLocation.FILE: QT_TRANSLATE_NOOP("server_access", "in a file, not encrypted"),
    SecretLocation.RUN: QT_TRANSLATE_NOOP("server_access", "until Toolnote ends"),
}


class SignInState(Struct, frozen=True):
    """How far a sign-in is: where the browser is to go, or why it failed."""

    url: str = ""
    problem: Problem | None = None


class SecretsAndSignIn(QWidget):
    """The part of a tool source's page about who we are to it; hidden where there is nothing to say.

    Signals:
        secret_requested: a tool source and the name of a secret that the user wants to set.
    """

    secret_requested = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._link: ProxyLink | None = None
        self._server = ""
        self._entry: Server | None = None
        self._sign_ins: dict[str, SignInState] = {}
        self._looked_for: object = None
        self._shown: object = None
        whole = column(self, spacing=8)
        self.heading = label(self.tr("Secrets and sign-in"), "section")
        whole.addSpacing(16)
        whole.addWidget(self.heading)
        self.box = card("quiet-card")
        self.rows = QVBoxLayout(self.box)
        self.rows.setContentsMargins(16, 10, 10, 10)
        self.rows.setSpacing(10)
        whole.addWidget(self.box)
        self.hide()

    def use(self, link: ProxyLink) -> None:
        """Where secrets are, and where sign-ins go."""
        self._link = link
        link.sign_in_told.connect(self._sign_in_told)
        link.secrets_changed.connect(self._look)

    def show_server(self, server: str, entry: Server | None, state: ServerState) -> None:
        """Show what this tool source is let in with; looked at anew when it, or its state, is another."""
        is_other = server != self._server
        if is_other:
            self.hide()
        now = (server, entry, state)
        self._server, self._entry = server, entry
        if now != self._looked_for:
            self._looked_for = now
            self._look()
        if is_other:
            self._look_into_the_keychain()

    def sign_in(self) -> None:
        """Sign in to the tool source that is shown; the browser opens."""
        if self._link is not None:
            self._link.sign_in(self._server)

    def give_secret(self, name: str) -> None:
        """Ask for a secret of the tool source that is shown."""
        self.secret_requested.emit(self._server, name)

    # -- what there is

    def _look(self) -> None:
        link, server = self._link, self._server
        if link is not None and server:
            store = link.secrets
            run_task(self, lambda: store.names(server), lambda names: self._show(server, names), self._failed)

    def _look_into_the_keychain(self) -> None:
        """A person may have deleted something there; what they have not is shown already."""
        link, server = self._link, self._server
        if link is not None and server:
            store = link.secrets
            run_task(self, lambda: store.look_for(server), lambda names: self._show(server, names), self._failed)

    def _show(self, server: str, names: dict[str, SecretLocation]) -> None:
        if server != self._server:
            return
        wanted = secret_references(self._entry) if self._entry is not None else {}
        secrets = [name for name in dict.fromkeys([*wanted, *names]) if SECRET_NAME.fullmatch(name)]
        signed_in = any(not SECRET_NAME.fullmatch(name) for name in names)
        state = self._sign_ins.get(server)
        shown = (server, secrets, names, signed_in, state)
        if shown == self._shown:
            self.setVisible(bool(secrets or signed_in or state))
            return
        self._shown = shown
        empty(self.rows)
        for name in secrets:
            self._add_secret(name, names.get(name), in_use=name in wanted)
        if state is not None:
            self._add_sign_in(state)
        elif signed_in:
            self._add_row(self.tr("You are signed in."), "", [Button(self.tr("Sign out"), pressed=self._sign_out)])
        self.setVisible(bool(secrets or signed_in or state))

    def _add_secret(self, name: str, place: SecretLocation | None, *, in_use: bool) -> None:
        if place is None:
            second = self.tr("missing: it needs this to start")
        elif in_use:
            second = translate("server_access", _PLACES[place])
        else:
            second = self.tr("not used any more")
        words = self.tr("Set") if place is None else self.tr("Change")
        server = self._server
        buttons = [Button(words, name=f"{words}: {name}", pressed=lambda: self.secret_requested.emit(server, name))]
        if place is not None:
            remove = self.tr("Remove")
            buttons.append(Button(remove, name=f"{remove}: {name}", pressed=lambda: self._remove(name)))
        self._add_row(name, second, buttons)

    def _add_sign_in(self, state: SignInState) -> None:
        again = Button(self.tr("Sign in"), pressed=self.sign_in)
        if state.problem is not None:
            self._add_row(messages.problem_text(state.problem), "", [again])
            return
        cancel = Button(self.tr("Cancel"), name=self.tr("Cancel signing in"), pressed=self._cancel)
        if not state.url:
            self._add_row(self.tr("Asking where to sign in…"), "", [cancel])
            return
        url = state.url
        page = Button(self.tr("Open the page again"), pressed=lambda: QDesktopServices.openUrl(QUrl(url)))
        self._add_row(self.tr("Sign in on the page that has opened in your browser."), "", [page, cancel])

    def _add_row(self, first: str, second: str, buttons: list[Button]) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(label(first, wraps=True))
        if second:
            words.addWidget(label(second, "second", wraps=True))
        row.addLayout(words, 1)
        for made in buttons:
            row.addWidget(made)
        self.rows.addWidget(line)

    # -- what a person does

    def _remove(self, name: str) -> None:
        if self._link is not None:
            store, server = self._link.secrets, self._server
            run_task(self, lambda: store.remove(server, name), lambda _: self._look(), self._failed)

    def _sign_out(self) -> None:
        if self._link is not None:
            self._link.sign_out(self._server)

    def _cancel(self) -> None:
        if self._link is not None:
            self._link.cancel_sign_in(self._server)

    def _failed(self, error: Exception) -> None:
        if self._link is not None:
            self._link.secret_failed.emit(error)

    def _sign_in_told(self, server: str, stage: str, url: str, problem: Problem | None) -> None:
        match stage:
            case "begun":
                self._sign_ins[server] = SignInState()
            case "in-browser":
                self._sign_ins[server] = SignInState(url)
                QDesktopServices.openUrl(QUrl(url))
            case "failed":
                self._sign_ins[server] = SignInState(problem=problem)
            case _:  # done, cancelled, signed out
                self._sign_ins.pop(server, None)
        self._look()
