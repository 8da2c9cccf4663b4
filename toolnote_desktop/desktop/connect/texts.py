"""What the connect dialog says of an assistant: how it stands, and what to do."""

from __future__ import annotations

from msgspec import Struct

from toolnote_desktop.assistants.installing.connect import ConnectAction, InstallState
from toolnote_desktop.assistants.installing.plan import Plan
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.model.problem import Code


class Words(Struct, frozen=True):
    """``good`` where nothing is left to do here."""

    state: str
    advice: str = ""
    good: bool = False


def of_done(client: KnownClient, done: ConnectAction) -> Words:
    """After it was done here."""
    advice = messages.problem_text(client.advice_after_install())
    if done is ConnectAction.REMOVE:
        return Words(translate("connect", "{0} is no longer connected.").format(client.name), advice, good=True)
    return Words(translate("connect", "{0} is connected.").format(client.name), advice, good=True)


def of_plan(client: KnownClient, deed: ConnectAction, standing: InstallState, plan: Plan) -> Words:
    """Before, of what would be done, or of how it is where there is nothing to do."""
    name = client.name
    if deed is ConnectAction.REMOVE:
        return Words(
            translate("connect", "This takes Toolnote out of {0}.").format(name),
            translate("connect", "Its other settings stay as they are."),
        )
    if deed is ConnectAction.RENEW:
        return Words(
            translate("connect", "{0} gets a new token.").format(name),
            translate("connect", "Only the token in its file changes; its old one is good for nothing then."),
        )
    if is_edited(plan):
        return Words(
            translate("connect", "Toolnote is in {0}, changed by somebody.").format(name),
            translate("connect", "It stays as it is, unless you put a new entry in its place."),
        )
    if standing.connected and standing.direct is not None and not standing.token_is_valid:
        return Words(
            translate("connect", "{0} cannot connect: its token is good for nothing.").format(name),
            translate("connect", "Below is its entry with a new one."),
        )
    if plan.changes and standing.connected:
        return Words(translate("connect", "This changes in {0}’s settings.").format(name))
    if plan.changes:
        return Words(
            translate("connect", "This is added to {0}’s settings.").format(name),
            translate("connect", "The green lines are new. A copy of the file as it is now is kept."),
        )
    advice = messages.problem_text(client.advice_after_change())
    return Words(translate("connect", "{0} is connected.").format(name), advice, good=True)


def is_edited(plan: Plan) -> bool:
    """Whether somebody changed our entry, so that it is left alone."""
    return any(note.code is Code.CLIENT_ENTRY_EDITED for note in plan.notes)
