"""What clients call resources: by their own URIs; where two servers have the same one, the second gets a mark.

A mark is a fragment that names the server, so that it is the same in every run and whatever else there is. Behind the
URI of any resource of a server it is understood, also of one that is not listed, and behind its templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

_MARK = "toolnote-server="


class ResourceOrigin(Struct, frozen=True):
    """A resource of a server, by its own URI (or a template)."""

    server: str
    uri: str


class ResourceNames(Struct, frozen=True, eq=False):
    """One kind of names that one caller knows: URIs or templates.

    Attributes:
        places: what each listed name stands for.
        listed: the definitions to list, as raw JSON.
    """

    places: Mapping[str, ResourceOrigin]
    listed: tuple[bytes, ...]


def resource_names(key: str, of_servers: Iterable[tuple[str, Iterable[JsonObject]]]) -> ResourceNames:
    """The names of all servers' resources, or of their templates.

    Args:
        key: the member with the name: ``uri`` or ``uriTemplate``.
        of_servers: server -> what it lists; of a name that two have, the first server keeps it.
    """
    places: dict[str, ResourceOrigin] = {}
    texts = []
    for server, definitions in of_servers:
        own: set[str] = set()
        for definition in definitions:
            uri = definition[key]
            if uri in own:
                continue
            own.add(uri)
            name = uri if uri not in places else marked(uri, server)
            places[name] = ResourceOrigin(server, uri)
            texts.append(json_text.dumps(definition if name == uri else {**definition, key: name}))
    return ResourceNames(places, tuple(texts))


def mark_of(server: str) -> str:
    """What stands behind a URI to say whose it is."""
    return _MARK + quote(server, safe="", errors="surrogatepass")


def marked(uri: str, server: str) -> str:
    """The URI with the mark of its server."""
    return f"{uri}{'&' if '#' in uri else '#'}{mark_of(server)}"


def unmarked(uri: str, servers: Iterable[str]) -> ResourceOrigin | None:
    """What a marked URI stands for, if it is one with the mark of one of these servers."""
    if _MARK not in uri:
        return None
    for server in servers:
        mark = mark_of(server)
        if uri.endswith(mark) and uri[-len(mark) - 1 : -len(mark)] in ("#", "&"):
            return ResourceOrigin(server, uri[: -len(mark) - 1])
    return None


def scheme_of(uri: str) -> str:
    """``file`` of ``file:///x``; "" where there is none."""
    try:
        return urlsplit(uri).scheme
    except ValueError:
        return uri.partition(":")[0].lower()


def resource_links(result: bytes | None) -> list[str]:
    """The URIs of resources that a tool's result links to or embeds."""
    if result is None or (b'"resource_link"' not in result and b'"resource"' not in result):
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
