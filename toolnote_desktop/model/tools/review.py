"""Review of changed definitions: which one is served, the old or the new (docs/contract.md 3).

The server's entry has the policy, ``tools.json`` the user's decision on one definition. A definition that is held
reaches no assistant: it is not part of the tool in the catalogue, and only the review shows it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import namespaced_name
from toolnote_desktop.model.servers import ReviewDecision, ServerOptions
from toolnote_desktop.model.tools.catalogue import KnownTool, ReviewState, ServerListing
from toolnote_desktop.model.tools.tool import Tool

ChangePolicy: TypeAlias = Literal["accept", "show", "hold-meaning", "hold"]


DecisionOf: TypeAlias = Callable[[str], ReviewDecision | None]
"""Function that returns the user's decision on a tool or prompt, by namespacedName."""


def reviewed_listing(
    listing: ServerListing, policy: ChangePolicy, decision_of: DecisionOf, decision_on_prompt: DecisionOf
) -> ServerListing:
    """Return a listing whose tools and prompts are those to serve; the same object if it is so already."""
    tools = _reviewed(listing.tools, policy, decision_of)
    prompts = _reviewed(listing.prompts, policy, decision_on_prompt)
    is_same = tools is listing.tools and prompts is listing.prompts
    return listing if is_same else replace(listing, tools=tools, prompts=prompts)


def _reviewed(all_known: tuple[KnownTool, ...], policy: ChangePolicy, of: DecisionOf) -> tuple[KnownTool, ...]:
    if all(known.newest is known.accepted for known in all_known):
        return all_known
    found = tuple(
        known if known.newest is known.accepted else reviewed_tool(known, policy, _decision(known, of))
        for known in all_known
    )
    return all_known if all(now is before for now, before in zip(found, all_known, strict=True)) else found


def _decision(known: KnownTool, decision_of: DecisionOf) -> ReviewDecision | None:
    """Return the user's decision on a tool; on one that was renamed, that on its old name counts until there is one."""
    decision = decision_of(known.tool.namespaced_name)
    if decision is None and known.renamed_from:
        return decision_of(namespaced_name(known.tool.server, known.renamed_from))
    return decision


def reviewed_tool(known: KnownTool, policy: ChangePolicy, decision: ReviewDecision | None) -> KnownTool:
    """Return a changed tool with the definition to serve; the same object if it is so already."""
    newest, accepted = known.newest, known.accepted
    if known.renamed_from and newest is not accepted and newest.fingerprint == accepted.fingerprint:
        state = _state_of_name(newest, policy, decision)
    else:
        state = _state(newest, accepted, policy, decision)
    served = accepted if state in (ReviewState.HELD, ReviewState.KEPT) else newest
    if known.tool is served and known.review is state:
        return known
    return replace(known, tool=served, latest=newest if served is not newest else None, review=state)


def _state_of_name(newest: Tool, policy: ChangePolicy, decision: ReviewDecision | None) -> ReviewState:
    """Return the state of a tool of which the name alone changed: there is no other text to hold."""
    is_decided = decision is not None and decision.fingerprint == newest.fingerprint
    return ReviewState.ACCEPTED if is_decided or policy == "accept" else ReviewState.SHOWN


def _state(newest: Tool, accepted: Tool, policy: ChangePolicy, decision: ReviewDecision | None) -> ReviewState:
    if newest is accepted or newest.fingerprint == accepted.fingerprint:
        return ReviewState.UNCHANGED

    return _decided(newest.fingerprint, policy, decision, lambda: is_another_meaning(newest, accepted))


def is_another_meaning(newest: Tool, accepted: Tool) -> bool:
    """Return True if the newest definition does or says more than the accepted one, as far as the words show it."""
    from toolnote_desktop.model.tools.definition_changes import changes_meaning  # not before the first paint

    is_from_nothing = accepted.definition == nothing_of(newest.definition)
    return is_from_nothing or changes_meaning(accepted.definition, newest.definition)


def _decided(
    fingerprint: str, policy: ChangePolicy, decision: ReviewDecision | None, changes_meaning: Callable[[], bool]
) -> ReviewState:
    """Return the state of something that changed."""
    if decision is not None and decision.fingerprint == fingerprint:
        return ReviewState.ACCEPTED if decision.decision == "accept" else ReviewState.KEPT
    if policy == "accept":
        return ReviewState.ACCEPTED
    if decision is not None and decision.decision == "keep":
        return ReviewState.HELD
    is_held = policy == "hold" or (policy == "hold-meaning" and changes_meaning())
    return ReviewState.HELD if is_held else ReviewState.SHOWN


def served_instructions(listing: ServerListing, options: ServerOptions) -> str:
    """Return a server's own instructions to serve: those of before while its changes of them are held or not wanted."""
    now, accepted = listing.instructions or "", listing.accepted_instructions
    state = instructions_review(listing, options)
    return accepted if accepted is not None and state in (ReviewState.HELD, ReviewState.KEPT) else now


def instructions_review(listing: ServerListing, options: ServerOptions) -> ReviewState:
    """Return the state of a server's own instructions, as of a tool's definition."""
    now, accepted = listing.instructions or "", listing.accepted_instructions
    if accepted is None:
        return ReviewState.UNCHANGED

    def changes_meaning() -> bool:
        from toolnote_desktop.model.tools.definition_changes import new_meaning  # not before the first paint

        return not accepted or bool(new_meaning(accepted, now))

    return _decided(instructions_fingerprint(now), options.changes, options.instructions_review, changes_meaning)


def instructions_fingerprint(text: str) -> str:
    """Return what a decision on a server's instructions names them by."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def instructions_decision(text: str, decision: Literal["accept", "keep"]) -> Mapping[str, Any]:
    """Return the keys of a server's entry, under ``toolnote``, for a decision on instructions that were shown."""
    return {"instructionsReview": {"decision": decision, "fingerprint": instructions_fingerprint(text)}}


def settle_instructions(listing: ServerListing, options: ServerOptions) -> str:
    """Return the instructions that count as accepted when the server changes them once more."""
    accepted = listing.accepted_instructions
    decision = options.instructions_review
    is_accepted = decision is not None and decision.decision == "accept"
    if accepted is None or (is_accepted and instructions_review(listing, options) is ReviewState.ACCEPTED):
        return listing.instructions or ""
    return accepted


def nothing_of(definition: JsonObject) -> JsonObject:
    """Return a definition of that name that says nothing: what counts as accepted where that is not known any more."""
    schema = {"inputSchema": {"type": "object"}} if "inputSchema" in definition else {}
    return {"name": definition["name"], **schema}


def settle(known: KnownTool) -> Tool:
    """Return the definition that counts as accepted when the server changes a tool once more."""
    return known.newest if known.review is ReviewState.ACCEPTED else known.accepted


def decision_fields(known: KnownTool, decision: Literal["accept", "keep"]) -> Mapping[str, Any]:
    """Return the value of ``review`` in ``tools.json`` for a decision on a tool's newest definition."""
    return {"decision": decision, "fingerprint": known.newest.fingerprint}
