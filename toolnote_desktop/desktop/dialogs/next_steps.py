"""Remaining steps in connected assistants, most of which do not notice that their file changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.model.problem import Code

if TYPE_CHECKING:
    from toolnote_desktop.desktop.proxy_link import ConnectedClient


class NextSteps(Dialog):
    """Dialog with the remaining step of each assistant, until it is connected."""

    def __init__(self, clients: Sequence[KnownClient], link: ProxyLink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("next-steps")
        self.introduce(
            self.tr("What to do now"), self.tr("Then your assistants have your tools, with your notes on them.")
        )
        self.steps: dict[str, QLabel] = {}
        for client in clients:
            row = QFrame()
            row.setProperty("kind", "panel")
            column = QVBoxLayout(row)
            column.setContentsMargins(14, 10, 14, 10)
            column.setSpacing(3)
            column.addWidget(label(client.name, "heading", wraps=True))
            step = self.steps[client.id] = label(
                messages.problem_text(client.advice_after_install()), "second", wraps=True
            )
            column.addWidget(step)
            self.body.addWidget(row)
        self.body.addStretch(1)
        done = Button(self.tr("Done"), "primary")
        done.clicked.connect(self.accept)
        self.buttons.addStretch(1)
        self.buttons.addWidget(done)
        self.setMinimumWidth(round(560 * text_scale()))
        link.clients_changed.connect(self._tick_off)
        self._tick_off(link.clients())

    def _tick_off(self, connected: Sequence[ConnectedClient]) -> None:
        for one in connected:
            step = self.steps.get(one.id)
            if step is not None:
                step.setText(self.tr("✓ Running"))


def needs_user_action(clients: Sequence[KnownClient]) -> bool:
    """Return True if an assistant does not notice the change by itself."""
    return any(client.after_install is not Code.CLIENT_FOLLOWS for client in clients)


def summary(clients: Sequence[KnownClient]) -> str:
    """Return a sentence on which assistants are connected and whether a step is left."""
    names = [client.name for client in clients]
    shown = messages.joined(names if len(names) <= 3 else [*names[:2], translate("next_steps", "others")])
    one, left = len(names) == 1, needs_user_action(clients)
    words = {
        (True, True): translate("next_steps", "{names} is connected; something is left to do there."),
        (True, False): translate("next_steps", "{names} is connected."),
        (False, True): translate("next_steps", "{names} are connected; something is left to do there."),
        (False, False): translate("next_steps", "{names} are connected."),
    }
    return words[one, left].format(names=shown)
