"""Routing of a client's URI to its server, based on lists and results only, never on a guess."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INVALID_PARAMS
from toolnote_desktop.proxy.routing.resource_names import ResourceOrigin, marked, resource_links, scheme_of, unmarked
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply

NOT_FOUND = -32002
"""Error code of the handshake era; the modern one uses invalid params (SEP-2164)."""

MAX_LINKS = 4096
MAX_SEARCHED_BYTES = 256 * 1024
"""Bytes of the longest result that is searched for links."""


class ResourceRoutes:
    """Routes of resources."""

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._snapshot = snapshot
        self._linked: OrderedDict[tuple[Principal, str], str] = OrderedDict()

    def find(self, uri: object, view: ClientView, principal: Principal, *, modern: bool) -> ResourceOrigin | Reply:
        """Return the origin of a URI, or an error."""
        if not isinstance(uri, str):
            return error_reply(INVALID_PARAMS, "The uri is missing")
        place = view.resources.get(uri) or unmarked(uri, view.servers)
        if place is not None:
            return place
        if uri in view.pages:
            return ResourceOrigin(view.pages[uri], uri)
        servers = self._candidates(uri, view, principal)
        if len(servers) == 1:
            return ResourceOrigin(servers[0], uri)
        data = {"uri": uri}
        if servers:
            names = ", ".join(marked(uri, server) for server in servers)
            return error_reply(INVALID_PARAMS, f"Several servers may have this resource; say which: {names}", data)
        return error_reply(INVALID_PARAMS if modern else NOT_FOUND, f"Resource not found: {uri}", data)

    def _candidates(self, uri: str, view: ClientView, principal: Principal) -> list[str]:
        """Return the servers that may have an unlisted URI."""
        linked = self._linked.get((principal, uri))
        if linked in view.servers:
            return [linked]
        matching = [place.server for template, place in view.templates.items() if _matches(template, uri)]
        if matching:
            return list(dict.fromkeys(matching))
        listings = self._snapshot().catalogue.servers
        able = [server for server in view.servers if "resources" in listings[server].capabilities]
        if len(able) > 1:
            scheme = scheme_of(uri)
            names = [*view.resources.items(), *view.templates.items()]
            able = list(dict.fromkeys(place.server for name, place in names if scheme and scheme_of(name) == scheme))
        return able

    def template(self, uri: str, view: ClientView, principal: Principal, *, modern: bool) -> ResourceOrigin | Reply:
        """Return the origin of a template or resource named in ``completion/complete``, or an error."""
        return view.templates.get(uri) or self.find(uri, view, principal, modern=modern)

    def note_links(self, principal: Principal, server: str, reply: Reply) -> None:
        """Record the resources that a tool's result links to: even unlisted ones are read from its server."""
        if reply.result is None or len(reply.result) > MAX_SEARCHED_BYTES:
            return
        for uri in resource_links(reply.result):
            self._linked[principal, uri] = server
            self._linked.move_to_end((principal, uri))
        while len(self._linked) > MAX_LINKS:
            self._linked.popitem(last=False)


@lru_cache(maxsize=512)
def _parsed(template: str) -> Any:
    from mcp import UriTemplate

    try:
        return UriTemplate.parse(template)
    except ValueError:
        return None  # it matches nothing


def _matches(template: str, uri: str) -> bool:
    parsed = _parsed(template)
    return parsed is not None and parsed.match(uri) is not None


def with_uri(params: JsonObject, place: ResourceOrigin) -> JsonObject:
    """Return params with the server's own URI; the same object if they have it already."""
    return params if params.get("uri") == place.uri else {**params, "uri": place.uri}
