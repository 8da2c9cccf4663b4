"""Review of changed definitions: which one is served, the old or the new (docs/contract.md 3).

The server's entry has the policy, ``tools.json`` the user's decision on one definition. A definition that is held
reaches no assistant: it is not part of the tool in the catalogue, and only the review shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from toolnote_desktop.model.document import Document
from toolnote_desktop.model.tools.catalogue import KnownTool, ReviewState, ServerListing
from toolnote_desktop.model.tools.tool import Tool

ChangePolicy: TypeAlias = Literal["accept", "show", "hold-meaning", "hold"]


class ReviewDecision(Document, frozen=True):
    """Decision of the user on a changed definition, in ``tools.json`` under ``review``.

    Attributes:
        decision: ``keep`` serves the accepted definition until another one is accepted.
        fingerprint: of the definition that was decided on; ``accept`` counts for no other.
    """

    decision: Literal["accept", "keep"]
    fingerprint: str


def reviewed_listing(
    listing: ServerListing, policy: ChangePolicy, decision_of: Callable[[str], ReviewDecision | None]
) -> ServerListing:
    """Return a listing whose tools are those to serve; the same object if it is so already.

    Args:
        decision_of: of a tool, by namespacedName.
    """
    if all(known.newest is known.accepted for known in listing.tools):
        return listing
    tools = tuple(
        known
        if known.newest is known.accepted
        else reviewed_tool(known, policy, decision_of(known.tool.namespaced_name))
        for known in listing.tools
    )
    same = all(now is before for now, before in zip(tools, listing.tools, strict=True))
    return listing if same else replace(listing, tools=tools)


def reviewed_tool(known: KnownTool, policy: ChangePolicy, decision: ReviewDecision | None) -> KnownTool:
    """Return a changed tool with the definition to serve; the same object if it is so already."""
    newest, accepted = known.newest, known.accepted
    state = _state(newest, accepted, policy, decision)
    served = accepted if state in (ReviewState.HELD, ReviewState.KEPT) else newest
    if known.tool is served and known.review is state:
        return known
    return replace(known, tool=served, latest=newest if served is not newest else None, review=state)


def _state(newest: Tool, accepted: Tool, policy: ChangePolicy, decision: ReviewDecision | None) -> ReviewState:
    if newest is accepted or newest.fingerprint == accepted.fingerprint:
        return ReviewState.UNCHANGED
    if decision is not None and decision.fingerprint == newest.fingerprint:
        return ReviewState.ACCEPTED if decision.decision == "accept" else ReviewState.KEPT
    if policy == "accept":
        return ReviewState.ACCEPTED
    if decision is not None and decision.decision == "keep":
        return ReviewState.HELD
    if policy == "hold":
        return ReviewState.HELD
    if policy == "hold-meaning":
        from toolnote_desktop.model.tools.definition_changes import changes_meaning  # not before the first paint

        if changes_meaning(accepted.definition, newest.definition):
            return ReviewState.HELD
    return ReviewState.SHOWN


def served_instructions(listing: ServerListing, policy: ChangePolicy) -> str:
    """Return a server's own instructions to serve: those of before while its changes of them are held."""
    now, accepted = listing.instructions or "", listing.accepted_instructions
    if accepted is None or policy in ("accept", "show"):
        return now
    from toolnote_desktop.model.tools.definition_changes import new_meaning  # not before the first paint

    return accepted if policy == "hold" or new_meaning(accepted, now) else now


def instructions_review(listing: ServerListing, policy: ChangePolicy) -> ReviewState:
    """Return the state of a server's own instructions: changed and served, changed and held, or nothing to decide."""
    if listing.accepted_instructions is None:
        return ReviewState.UNCHANGED
    if policy == "accept":
        return ReviewState.ACCEPTED
    is_served = served_instructions(listing, policy) == (listing.instructions or "")
    return ReviewState.SHOWN if is_served else ReviewState.HELD


def settle(known: KnownTool) -> Tool:
    """Return the definition that counts as accepted when the server changes a tool once more."""
    return known.newest if known.review is ReviewState.ACCEPTED else known.accepted


def decision_fields(known: KnownTool, decision: Literal["accept", "keep"]) -> Mapping[str, Any]:
    """Return the value of ``review`` in ``tools.json`` for a decision on a tool's newest definition."""
    return {"decision": decision, "fingerprint": known.newest.fingerprint}
