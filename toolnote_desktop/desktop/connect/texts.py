"""Texts of the connect dialog: state of an assistant, and what to do."""

from __future__ import annotations

from msgspec import Struct

from toolnote_desktop.assistants.installing.connect import ConnectAction, InstallState
from toolnote_desktop.assistants.installing.plan import Plan
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.model.problem import Code


class StatusTexts(Struct, frozen=True):
    """Texts for one state; ``good`` where nothing is left to do."""

    state: str
    advice: str = ""
    good: bool = False


def describe_completed(client: KnownClient, done: ConnectAction) -> StatusTexts:
    """Return the texts after a change was made here."""
    advice = messages.problem_text(client.advice_after_install())
    if done is ConnectAction.REMOVE:
        return StatusTexts(translate("connect", "{0} is no longer connected.").format(client.name), advice, good=True)
    return StatusTexts(translate("connect", "{0} is connected.").format(client.name), advice, good=True)


def describe_planned(
    client: KnownClient, action: ConnectAction, install_state: InstallState, plan: Plan
) -> StatusTexts:
    """Return the texts for a planned change, or for the state where nothing changes."""
    name = client.name
    if action is ConnectAction.REMOVE:
        return StatusTexts(
            translate("connect", "This takes Toolnote out of {0}.").format(name),
            translate("connect", "Its other settings stay as they are."),
        )
    if action is ConnectAction.RENEW:
        return StatusTexts(
            translate("connect", "{0} gets a new token.").format(name),
            translate("connect", "Only the token in its file changes; its old one is good for nothing then."),
        )
    if is_edited(plan):
        return StatusTexts(
            translate("connect", "Toolnote is in {0}, but its entry was changed.").format(name),
            translate("connect", "It stays as it is, unless you put a new entry in its place."),
        )
    if install_state.connected and install_state.direct is not None and not install_state.token_is_valid:
        return StatusTexts(
            translate("connect", "{0} cannot connect: its token is good for nothing.").format(name),
            translate("connect", "Below is its entry with a new one."),
        )
    if plan.changes and install_state.connected:
        return StatusTexts(translate("connect", "This changes in {0}’s settings.").format(name))
    if plan.changes:
        return StatusTexts(
            translate("connect", "This is added to {0}’s settings.").format(name),
            translate("connect", "The green lines are new. A copy of the file as it is now is kept."),
        )
    advice = messages.problem_text(client.advice_after_change())
    return StatusTexts(translate("connect", "{0} is connected.").format(name), advice, good=True)


def is_edited(plan: Plan) -> bool:
    """Return True if Toolnote's entry was edited in the file and is therefore left unchanged."""
    return any(note.code is Code.CLIENT_ENTRY_EDITED for note in plan.notes)
