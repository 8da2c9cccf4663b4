"""Routing of a client's URI to its server, based on lists and results only, never on a guess."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from toolnote_desktop.guidance.skill_addresses import SKILL
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INVALID_PARAMS
from toolnote_desktop.proxy.routing.resource_names import (
    ResourceOrigin,
    marked,
    resource_links,
    scheme_of,
    unmarked,
)
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply

NOT_FOUND = -32002
"""Error code of the handshake era; the modern one uses invalid params (SEP-2164)."""

MAX_LINKS = 4096
MAX_SKILLS = 8192
MAX_SEARCHED_BYTES = 256 * 1024
"""Bytes of the longest result that is searched for links."""


class ResourceRoutes:
    """Routes of resources.

    Args:
        has_skills: returns True if a server declares the extension of skills.
    """

    def __init__(self, snapshot: Callable[[], Snapshot], has_skills: Callable[[str], bool]) -> None:
        self._snapshot = snapshot
        self._has_skills = has_skills
        self._linked: OrderedDict[tuple[Principal, str], str] = OrderedDict()
        self._skills: OrderedDict[tuple[Principal, str], str] = OrderedDict()

    def find(self, uri: object, view: ClientView, principal: Principal, *, modern: bool) -> ResourceOrigin | Reply:
        """Return the origin of a URI, or an error."""
        if not isinstance(uri, str):
            return error_reply(INVALID_PARAMS, "The uri is missing")
        place = view.resources.get(uri) or unmarked(uri, view.servers)
        if place is not None:
            return place
        if uri in view.pages:
            return ResourceOrigin(view.pages[uri], uri)
        owner = self.skill_owner(principal, uri)
        servers = [owner] if owner in view.servers and owner is not None else self._candidates(uri, view, principal)
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
            of_scheme = dict.fromkeys(place.server for name, place in names if scheme and scheme_of(name) == scheme)
            if uri.startswith(SKILL):
                of_scheme |= dict.fromkeys(server for server in able if self._has_skills(server))
            able = list(of_scheme)
        return able

    def skill_owner(self, principal: Principal, uri: str) -> str | None:
        """Return the server that listed the skill with this URI, or with a folder above it, for this client."""
        if not self._skills:
            return None
        while "/" in uri.partition("://")[2]:
            uri = uri.rpartition("/")[0]
            if (principal, uri) in self._skills:
                return self._skills[principal, uri]
        return self._skills.get((principal, uri))

    def record_skill(self, principal: Principal, root: str, server: str) -> None:
        """Record which server's skill a client knows by this folder."""
        self._skills[principal, root] = server
        self._skills.move_to_end((principal, root))
        while len(self._skills) > MAX_SKILLS:
            self._skills.popitem(last=False)

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
