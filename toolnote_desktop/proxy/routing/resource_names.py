"""Names of resources for clients: their own URIs; if two servers have the same one, the second gets a mark.

A mark names the server, so that it does not depend on the run or on other servers. It is a fragment, understood after
any URI of the server, also of a resource that is not listed, and after its templates. In a skill's URI it is the first
segment, because relative paths in a skill are resolved against its folder (SEP-2640).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from toolnote_desktop.guidance.skill_addresses import MARK, SKILL, mark_of, marked_skill
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.url_parts import split_url

_FLAT_PAGE = "ui/resourceUri"
_NAMED_SCHEMES = ("ui://", SKILL)


class ResourceOrigin(Struct, frozen=True):
    """Server of a resource, and the server's URI (or template) for it."""

    server: str
    uri: str


class ResourceNames(Struct, frozen=True, eq=False):
    """Names of one kind for one caller: URIs or templates.

    Attributes:
        places: listed name -> origin.
        listed: definitions to list, as raw JSON.
    """

    places: Mapping[str, ResourceOrigin]
    listed: tuple[bytes, ...]


def resource_names(
    key: str, of_servers: Iterable[tuple[str, Iterable[JsonObject]]], own: str | None = None
) -> ResourceNames:
    """Name the resources of all servers, or their templates.

    Args:
        key: member with the name: ``uri`` or ``uriTemplate``.
        of_servers: server -> its definitions; a repeated name belongs to the first server.
        own: the name of a resource of Toolnote's own, which comes before those of servers.
    """
    places: dict[str, ResourceOrigin] = {}
    texts = []
    for server, definitions in of_servers:
        seen: set[str] = set()
        for definition in definitions:
            uri = definition[key]
            if uri in seen:
                continue
            seen.add(uri)
            name = marked(uri, server) if uri in places or uri == own else uri
            places[name] = ResourceOrigin(server, uri)
            texts.append(json_text.dumps(definition if name == uri else {**definition, key: name}))
    return ResourceNames(places, tuple(texts))


def marked(uri: str, server: str) -> str:
    """Return a URI with the mark of its server."""
    if uri.startswith(SKILL):
        return marked_skill(uri, server)
    return f"{uri}{'&' if '#' in uri else '#'}{mark_of(server)}"


def unmarked(uri: str, servers: Iterable[str]) -> ResourceOrigin | None:
    """Return the origin of a URI with the mark of one of these servers, or None."""
    if MARK not in uri:
        return None
    for server in servers:
        mark = mark_of(server)
        if uri.startswith(f"{SKILL}{mark}/"):
            return ResourceOrigin(server, SKILL + uri.removeprefix(f"{SKILL}{mark}/"))
        if uri.endswith(mark) and uri[-len(mark) - 1 : -len(mark)] in ("#", "&"):
            return ResourceOrigin(server, uri[: -len(mark) - 1])
    return None


def named_resources(definition: JsonObject) -> tuple[str, ...]:
    """Return the URIs that a tool names in its ``_meta``: its page (MCP Apps), and all of the schemes ui and skill."""
    meta = definition.get("_meta")
    if not isinstance(meta, dict):
        return ()
    ui = meta.get("ui")
    pages = [ui.get("resourceUri") if isinstance(ui, dict) else None, meta.get(_FLAT_PAGE)]
    found = dict.fromkeys(page for page in pages if isinstance(page, str))
    pending: list[Any] = [meta]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str) and value.startswith(_NAMED_SCHEMES):
            found[value] = None
    return tuple(found)


def with_moved_resources(definition: JsonObject, moved: Mapping[str, str]) -> JsonObject:
    """Return a tool that names other URIs in its ``_meta``."""
    return {**definition, "_meta": _with_moved(definition["_meta"], moved)}


def _with_moved(value: Any, moved: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _with_moved(one, moved) for key, one in value.items()}
    if isinstance(value, list):
        return [_with_moved(one, moved) for one in value]
    return moved.get(value, value) if isinstance(value, str) else value


def scheme_of(uri: str) -> str:
    """Return the scheme of a URI (``file`` of ``file:///x``), or ""."""
    try:
        return split_url(uri).scheme
    except ValueError:
        return uri.partition(":")[0].lower()


def resource_links(result: bytes | None) -> list[str]:
    """Return the URIs of resources that a tool's result links to or embeds."""
    if result is None or result.find(b'"resource') < 0:
        return []
    try:
        read: Any = json_text.loads(result)
    except ValueError:
        return []
    content = read.get("content") if isinstance(read, dict) else None
    found = []
    for item in content if isinstance(content, list) else ():
        if isinstance(item, dict) and item.get("type") in ("resource_link", "resource"):
            resource = item.get("resource") if item["type"] == "resource" else item
            uri = resource.get("uri") if isinstance(resource, dict) else None
            if isinstance(uri, str):
                found.append(uri)
    return found
