"""``catalog.json``: the last lists of each server as a document, and the catalogue built from it (docs/contract.md 2).

A server's entry is ``{"tools": [{"definition": …, "accepted": …, "listed": false}], "prompts": […],
"acceptedPrompts": {NAME: …}, "unlistedPrompts": […], "resources": […], "resourceTemplates": […],
"capabilities": {…}, "instructions": "…", "acceptedInstructions": "…", "serverInfo": {…}, "protocolVersion": "…",
"era": "…", "capabilitiesByEra": {…}, "faults": [{"code": "…", …}]}``; ``accepted``, ``acceptedPrompts`` and
``acceptedInstructions`` are present only if they differ from the newest, ``listed`` only if false, and the other keys
only if not empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import GUIDE_PROMPT, ToolKey, exposed_names
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ReviewState, ServerListing
from toolnote_desktop.model.tools.review import DecisionOf, reviewed_listing, reviewed_tool
from toolnote_desktop.model.tools.tool import Tool, Unreadable, malformed_reason
from toolnote_desktop.model.tools.valid_entries import ValidEntry, valid_prompt, valid_resource, valid_template

CATALOG_ENTRIES: Final = "servers"
"""Key of ``catalog.json`` that holds the entries, by server id."""


def initial_status(server: Server) -> ServerStatus:
    """Return the status of a server before the first connection attempt."""
    return ServerStatus(ServerState.DISABLED if server.disabled else ServerState.STARTING)


def known_tool(
    server: str,
    definition: JsonObject,
    accepted: JsonObject | None = None,
    *,
    listed: bool = True,
    renamed_from: str = "",
    first_seen: int = 0,
) -> KnownTool:
    """Create a tool for the catalogue, with its faults as problems. ``accepted`` None: the definition itself.

    The definition must not be malformed (``malformed_reason``).
    """
    tool = Tool(server, definition)
    seen = tool if accepted is None else Tool(server, accepted)
    known = KnownTool(tool, seen, listed, tool_faults(tool), renamed_from=renamed_from, first_seen=first_seen)
    return known if seen is tool else reviewed_tool(known, "show", None)


def tool_faults(tool: Tool) -> tuple[Problem, ...]:
    """Return a problem for each field of a tool that is not served as its server sent it."""
    parameters = {"server": tool.server, "tool": tool.name}
    return tuple(Problem(Code.TOOL_ODD, {**parameters, "reason": change}) for change in tool.valid.changes)


_KINDS: Final[Mapping[str, tuple[str, Callable[[JsonObject], ValidEntry]]]] = {
    "prompts": ("name", valid_prompt),
    "resources": ("uri", valid_resource),
    "resource_templates": ("uriTemplate", valid_template),
}
_KIND_NAMES: Final = {"prompts": "prompt", "resources": "resource", "resource_templates": "resource template"}


def valid_entries(server: str, field: str, listed: Iterable[object], report: Callable[[Problem], None]) -> list[Any]:
    """Return the prompts, resources or templates of a listing as they may be served, and report the faults.

    Args:
        field: of ``ServerListing``.
    """
    key, validate = _KINDS[field]
    served = []
    for entry in listed:
        name = entry.get(key) if isinstance(entry, dict) else getattr(entry, "name", None)
        parameters = {"server": server, "kind": _KIND_NAMES[field], "name": name if isinstance(name, str) else "?"}
        reason = _malformed_reason(entry, key)
        if reason is not None or not isinstance(entry, dict):
            report(Problem(Code.ENTRY_MALFORMED, {**parameters, "reason": reason or ""}))
            continue
        valid = validate(entry)
        if valid.entry is None:
            report(Problem(Code.ENTRY_MALFORMED, {**parameters, "reason": valid.changes[0]}))
            continue
        for change in valid.changes:
            report(Problem(Code.ENTRY_ODD, {**parameters, "reason": change}))
        served.append(valid.entry)
    return served


def _malformed_reason(entry: object, key: str) -> str | None:
    if isinstance(entry, Unreadable):
        return entry.reason
    if not isinstance(entry, dict):
        return "it is not an object"
    if not isinstance(entry.get(key), str):
        return f"its {key} is missing or not text"
    if json_text.exceeds_max_nesting(entry):
        return f"it is nested more than {json_text.MAX_NESTING} levels deep"
    return None


_LEFT_OUT: Final = frozenset({Code.TOOL_MALFORMED, Code.TOOL_DUPLICATE, Code.ENTRY_MALFORMED, Code.ENTRY_ODD})
_LISTING_FAULTS: Final = _LEFT_OUT | {Code.TOOL_ODD, Code.SERVER_PAGES}
_MOST_FAULTS: Final = 500
"""Faults that the document holds, of entries that it does not hold as they were sent."""


def listing_faults(listing: ServerListing, *, stored: bool = False) -> tuple[Problem, ...]:
    """Return the problems of a server's lists; ``stored``: those that its entry in ``catalog.json`` holds."""
    kinds = _LEFT_OUT if stored else _LISTING_FAULTS
    faults = tuple(problem for problem in listing.status.problems if problem.code in kinds)
    return faults[:_MOST_FAULTS] if stored else faults


def _stored_faults(server: str, raw: object) -> tuple[Problem, ...]:
    faults = []
    for one in _objects(raw):
        parameters = {key: value for key, value in one.items() if key != "code"}
        if one.get("code") in _LEFT_OUT and all(isinstance(value, str) for value in parameters.values()):
            faults.append(Problem(Code(one["code"]), {**parameters, "server": server}))
    return tuple(faults)


def parse_listing(server: str, raw: object, status: ServerStatus) -> ServerListing:
    """Parse a server's entry of ``catalog.json`` (not an object: nothing known).

    Malformed and duplicate tools are left out without a report: the file is our own, and the server will be queried
    again.
    """
    if not isinstance(raw, dict):
        return ServerListing(status)
    tools: dict[str, KnownTool] = {}
    for entry in _objects(raw.get("tools")):
        definition, accepted = entry.get("definition"), entry.get("accepted")
        if not isinstance(definition, dict) or malformed_reason(definition) or definition["name"] in tools:
            continue
        usable = isinstance(accepted, dict) and not malformed_reason(accepted)
        listed = entry.get("listed") is not False
        before, first = entry.get("renamedFrom"), entry.get("firstSeen")
        tools[definition["name"]] = known_tool(
            server,
            definition,
            accepted if usable else None,
            listed=listed,
            renamed_from=before if isinstance(before, str) else "",
            first_seen=first if type(first) is int else 0,
        )
    capabilities, instructions, version = (raw.get(key) for key in ("capabilities", "instructions", "protocolVersion"))
    era, info, seen = raw.get("era"), raw.get("serverInfo"), raw.get("acceptedInstructions")
    by_era, faults = raw.get("capabilitiesByEra"), _stored_faults(server, raw.get("faults"))
    return ServerListing(
        replace(status, problems=(*status.problems, *faults)) if faults else status,
        tools=tuple(tools.values()),
        prompts=_stored_prompts(server, raw),
        resources=_stored_entries(server, "resources", raw.get("resources")),
        resource_templates=_stored_entries(server, "resource_templates", raw.get("resourceTemplates")),
        capabilities=capabilities if isinstance(capabilities, dict) else {},
        instructions=instructions if isinstance(instructions, str) else None,
        accepted_instructions=seen if isinstance(seen, str) else None,
        server_info=info if isinstance(info, dict) else {},
        protocol_version=version if isinstance(version, str) else None,
        era=era if era in ("handshake", "modern") else None,
        by_era={one: of for one, of in by_era.items() if isinstance(of, dict)} if isinstance(by_era, dict) else {},
    )


def listing_document(listing: ServerListing) -> JsonObject:
    """Return the entry of ``catalog.json`` for a listing; the inverse of ``parse_listing``."""
    tools = []
    for known in listing.tools:
        entry: JsonObject = {"definition": known.newest.definition}
        if known.review is not ReviewState.UNCHANGED:
            entry["accepted"] = known.accepted.definition
        if known.renamed_from:
            entry["renamedFrom"] = known.renamed_from
        if not known.listed:
            entry["listed"] = False
        if known.first_seen:
            entry["firstSeen"] = known.first_seen
        tools.append(entry)
    document: JsonObject = {
        "tools": tools,
        "prompts": [known.newest.definition for known in listing.prompts if known.listed],
        "acceptedPrompts": {
            known.tool.name: known.accepted.definition
            for known in listing.prompts
            if known.review is not ReviewState.UNCHANGED
        },
        "unlistedPrompts": [known.newest.definition for known in listing.prompts if not known.listed],
        "resources": list(listing.resources),
        "resourceTemplates": list(listing.resource_templates),
        "capabilities": dict(listing.capabilities),
        "instructions": listing.instructions,
        "serverInfo": dict(listing.server_info),
        "protocolVersion": listing.protocol_version,
        "era": listing.era,
        "faults": [{"code": str(one.code), **one.parameters} for one in listing_faults(listing, stored=True)],
        "capabilitiesByEra": {era: dict(of) for era, of in listing.by_era.items()},
    }
    found = {key: value for key, value in document.items() if value or key == "tools"}
    seen = listing.accepted_instructions  # "" if there were none
    return found if seen is None else {**found, "acceptedInstructions": seen}


def accepted_part(document: JsonObject, most: int) -> JsonObject:
    """Return what the user accepted of what a server has changed since, in at most so many bytes: an entry with which
    later definitions are compared. {} if the server has changed nothing.
    """
    earlier = document.get("acceptedPrompts")
    changed = [one["accepted"] for one in _objects(document.get("tools")) if isinstance(one.get("accepted"), dict)]
    tools = _fitting(({"definition": one} for one in changed), most // 4)
    prompts = _fitting(_objects(list(earlier.values()) if isinstance(earlier, dict) else ()), most // 4)
    kept: JsonObject = {key: found for key, found in (("tools", tools), ("prompts", prompts)) if found}
    text = document.get("acceptedInstructions")
    if isinstance(text, str):
        # Of a text without room nothing counts as accepted. That it was seen is known by ``serverInfo``.
        is_short = len(text.encode("utf-8", "surrogatepass")) <= most // 8
        kept |= {"instructions": text if is_short else "", "serverInfo": {"name": ""}}
    return kept


def _fitting(entries: Iterable[JsonObject], room: int) -> list[JsonObject]:
    found = []
    for entry in entries:
        room -= len(json_text.dumps(entry)) + 1
        if room < 0:
            break
        found.append(entry)
    return found


def build_catalogue(
    servers: Mapping[str, Server],
    listings: Mapping[str, ServerListing],
    reserved_names: Iterable[str],
    before: Catalogue | None = None,
) -> Catalogue:
    """Build the catalogue of all ``servers``, in their order, with the names that clients see for all known tools and
    prompts.

    Args:
        listings: by server id; a server without one has nothing known. Those of other servers are ignored.
        reserved_names: names of the built-in tools as served (with their prefix).
        before: previous catalogue, from which unchanged parts are reused.
    """
    reserved = frozenset(reserved_names)
    chosen = {server: listings.get(server) or ServerListing(initial_status(entry)) for server, entry in servers.items()}
    prefixes = {server: entry.toolnote.prefix for server, entry in servers.items()}
    named_before: tuple[Mapping[ToolKey, str], Mapping[ToolKey, str]] = ({}, {})
    if before is not None and (before.reserved, before.prefixes) == (reserved, prefixes):
        same = before.with_statuses(chosen)
        if same is not None:
            return same
        named_before = (before.exposed, before.exposed_prompts)
    tools = {known.tool.key for listing in chosen.values() for known in listing.tools}
    prompts = {known.tool.key for listing in chosen.values() for known in listing.prompts}
    # Names depend on the set of keys alone, and computing thousands of them takes long.
    exposed, exposed_prompts = named_before
    return Catalogue(
        servers=chosen,
        exposed=exposed if exposed.keys() == tools else exposed_names(tools, prefixes, reserved=reserved),
        exposed_prompts=exposed_prompts
        if exposed_prompts.keys() == prompts
        else exposed_names(prompts, prefixes, reserved=(GUIDE_PROMPT,)),
        reserved=reserved,
        prefixes=prefixes,
    )


def load_catalogue(
    raw_catalog: Mapping[str, Any] | None,
    servers: Mapping[str, Server],
    reserved_names: Iterable[str] = (),
    decision_of: DecisionOf = lambda _name: None,
    decision_on_prompt: DecisionOf = lambda _name: None,
) -> Catalogue:
    """Load the catalogue of ``catalog.json``: servers are starting, or disabled if the user disabled them."""
    entries = (raw_catalog or {}).get(CATALOG_ENTRIES)
    known = entries if isinstance(entries, dict) else {}
    listings = {
        server: reviewed_listing(
            parse_listing(server, known.get(server), initial_status(entry)),
            entry.toolnote.changes,
            decision_of,
            decision_on_prompt,
        ).with_headings(kept=entry.toolnote.keeps_heading)
        for server, entry in servers.items()
    }
    return build_catalogue(servers, listings, reserved_names)


def _stored_prompts(server: str, raw: Mapping[str, Any]) -> tuple[KnownTool, ...]:
    accepted = raw.get("acceptedPrompts")
    earlier = accepted if isinstance(accepted, dict) else {}
    found: dict[str, KnownTool] = {}
    for key in ("prompts", "unlistedPrompts"):
        for definition in _stored_entries(server, "prompts", raw.get(key)):
            tool, before = Tool(server, definition), earlier.get(definition["name"])
            if tool.name in found:
                continue
            usable = isinstance(before, dict) and before.get("name") == tool.name
            seen = Tool(server, before) if usable and before is not None else tool
            known = KnownTool(tool, seen, listed=key == "prompts")
            found[tool.name] = reviewed_tool(known, "show", None)
    return tuple(found.values())


def _stored_entries(server: str, field: str, raw: object) -> tuple[JsonObject, ...]:
    return tuple(valid_entries(server, field, raw if isinstance(raw, list) else (), lambda _problem: None))


def _objects(raw: Any) -> tuple[JsonObject, ...]:
    return tuple(item for item in raw if isinstance(item, dict)) if isinstance(raw, list) else ()
