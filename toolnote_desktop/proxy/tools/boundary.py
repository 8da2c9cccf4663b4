"""Boundary between clients: what a caller may change of toolsets (docs/contract.md 7).

The user's assignment of toolsets decides what each client is served; no client widens or narrows another's.
"""

from __future__ import annotations

from typing import Any, Final

from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.tools.context import ToolContext

PROTECTED: Final = "toolset_protected"


def has_assigned_toolset(snapshot: Snapshot, principal: Principal) -> bool:
    """Return True if the user chose the toolset of this client, at its entry or with ``bridge --toolset``."""
    client = snapshot.clients.get(principal.client) if principal.client else None
    return (client is not None and client.toolset_assigned) or principal.bridge_toolset is not None


def refuse_change(name: str, context: ToolContext) -> Result[Any] | None:
    """Return the failed result if a caller may not replace or delete a toolset that exists, else None.

    It may if it made the toolset itself and the user gave it to no other client, neither by name nor as the shared one.
    """
    toolset = context.snapshot.toolsets[name]
    if toolset.created_by != context.principal.author:
        return _protected(context, name, "was not made by you", "Build one under another name instead.")
    shared = name in (context.snapshot.settings.equipped_toolset, context.choices.run_toolset)
    if shared and context.principal.client is not None:
        reason = "is the one that the user shares with all assistants"
        return _protected(context, name, reason, "Ask the user to change it.")
    return refuse_use(name, context)


def refuse_use(name: str, context: ToolContext) -> Result[Any] | None:
    """Return the failed result if the user gave a toolset to another client, which alone may use it, else None."""
    given = {client: entry.toolset for client, entry in context.snapshot.clients.items() if entry.toolset_assigned}
    for client, toolset in {**context.choices.bridge_toolsets, **given}.items():
        if client != context.principal.client and toolset == name:
            known = context.snapshot.clients.get(client)
            reason = f"was given to {(known.name if known is not None else '') or client} by the user"
            return _protected(context, name, reason, "Ask the user to change it.")
    return None


def refuse_loss(name: str, tool: str, context: ToolContext) -> Result[Any]:
    """Return the failed result for a change by which a tool would lose what the user restricted it to."""
    return _protected(context, name, f"has the user's rules for {tool}", "Keep the tool in it, or ask the user.")


def refuse_deletion(name: str, context: ToolContext) -> Result[Any] | None:
    """Return the failed result for a deletion by which the user's words would be lost, else None.

    Those are notes that the caller did not write or that the user kept, and what the user wrote on a tool's entry.
    """
    toolset, author = context.snapshot.toolsets[name], context.principal.author
    notes = (note for group in toolset.notes for note in group.notes)
    if any(note.author != author or note.kept for note in notes):
        return _protected(context, name, "has notes that are not yours", "Ask the user to delete it.")
    if any(entry.when_to_use or entry.instructions for entry in toolset.tools):
        return _protected(context, name, "has the user's words on its tools", "Ask the user to delete it.")
    return None


def refuse_name(name: str, context: ToolContext) -> Result[Any] | None:
    """Return the failed result if the name of a new toolset is one that something else refers to, else None."""
    snapshot = context.snapshot
    referring = [
        entry.name or client
        for client, entry in snapshot.clients.items()
        if client != context.principal.client and entry.toolset == name
    ]
    referring += [client for client, given in context.choices.bridge_toolsets.items() if given == name]
    referring += [server for server, entry in snapshot.servers.items() if entry.toolnote.toolset == name]
    if name in (snapshot.settings.equipped_toolset, context.choices.run_toolset):
        referring.append("the choice for all assistants")
    if not referring:
        return None
    reason = f"is a name that is in use already ({referring[0]})"
    return _protected(context, name, reason, "Build one under another name.")


def _protected(context: ToolContext, name: str, reason: str, instruction: str) -> Result[Any]:
    context.library.audit.record(AuditEntry(context.principal.author, AuditKind.TOOLSET, "refused", name))
    return Result.failure(f'the toolset "{name}" {reason}', PROTECTED, instruction=instruction)
