"""Skills of servers (SEP-2640): one list for each client, and each skill's requests to the server that listed it.

If two servers have a skill of the same address, the second one's is moved as a whole, by a mark in its path
(``resource_names.py``): its relative references are resolved against the new address.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.in_flight import Caller, error_reply
from toolnote_desktop.proxy.protocol import INTERNAL_ERROR, INVALID_PARAMS
from toolnote_desktop.proxy.routing import era_bridge
from toolnote_desktop.proxy.routing.extensions import SKILLS, ExtensionRoutes
from toolnote_desktop.proxy.routing.own_skill import OwnSkill
from toolnote_desktop.proxy.routing.resource_names import marked
from toolnote_desktop.proxy.routing.resource_routes import ResourceRoutes, with_uri
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply

LIST: Final = "skills/list"
GET: Final = "skills/get"
DIRECTORY: Final = "resources/directory/read"
METHODS: Final = frozenset({LIST, GET, DIRECTORY})

PATIENCE = 10.0
"""Seconds that the list of several servers waits for each of them."""

_MOST_PAGES: Final = 100
_MOST_SKILLS: Final = 5000

logger = logging.getLogger(__name__)

Request = Callable[[str, str, JsonObject, Caller], Awaitable[Reply]]
"""``request(server, method, params, caller)`` returns the server's reply."""


class Skills:
    """Requests of clients about skills."""

    def __init__(self, extensions: ExtensionRoutes, routes: ResourceRoutes, request: Request) -> None:
        self._extensions = extensions
        self._routes = routes
        self._request = request

    def servers(self, method: str, view: ClientView) -> list[str]:
        """Return the servers of a view that have a method of ``METHODS``, in the order of ``servers.json``."""
        found = []
        for server in self._extensions.in_order(view.servers):
            settings = self._extensions.settings(server, SKILLS)
            if settings is not None and (method != DIRECTORY or settings.get("directoryRead") is True):
                found.append(server)
        return found

    async def answer(
        self, method: str, params: JsonObject, view: ClientView, caller: Caller, own: OwnSkill | None
    ) -> Reply:
        """Return the reply to a request of ``METHODS``; ``own`` is the skill of the client's toolset."""
        able = self.servers(method, view)
        if method == LIST:
            return await self._list(params, able, view, caller, own)
        uri = params.get("uri")
        if own is not None and method == GET and uri == own.uri:
            reply = Reply(json_text.dumps({"skill": own.entry}))
            return era_bridge.for_modern(GET, reply) if caller.modern else reply
        if not isinstance(uri, str):
            return error_reply(INVALID_PARAMS, "The uri is missing")
        place = self._routes.find(uri, view, caller.principal, modern=True)
        if isinstance(place, Reply):
            if len(able) != 1:
                return place
            return await self._request(able[0], method, params, caller)  # which knows its unlisted skills
        reply = await self._request(place.server, method, with_uri(params, place), caller)
        return reply if uri == place.uri else _moved_reply(reply, place.server)

    async def _list(
        self, params: JsonObject, able: list[str], view: ClientView, caller: Caller, own: OwnSkill | None
    ) -> Reply:
        if len(able) == 1 and own is None:
            reply = await self._request(able[0], LIST, params, caller)
            moved = self._moved(able[0], _skills(reply), view, caller)
            return _moved_reply(reply, able[0], moved) if moved else reply
        if params.get("cursor") is not None:
            return error_reply(INVALID_PARAMS, "Invalid cursor")  # the list of several servers has one page
        pages = await asyncio.gather(*(self._pages_in_time(server, params, caller) for server in able))
        listed: list[Any] = [own.entry] if own is not None else []
        result: JsonObject = {}
        failed = None
        for server, (skills, reply) in zip(able, pages, strict=True):
            if reply.error is not None:
                failed = failed or reply
                logger.warning("the skills of server %r were not listed", server)
                continue
            moved = self._moved(server, skills, view, caller)
            listed += [_moved_entry(skill, moved, server) for skill in skills] if moved else skills
            result = {**_object(reply), **result}
        if failed is not None and not result and own is None:
            return failed
        result.pop("skills", None)
        result.pop("nextCursor", None)
        whole = Reply(json_text.dumps({**result, "skills": listed[:_MOST_SKILLS]}))
        return era_bridge.for_modern(LIST, whole) if caller.modern else whole

    async def _pages_in_time(self, server: str, params: JsonObject, caller: Caller) -> tuple[list[Any], Reply]:
        """Return what ``_all_pages`` does; an error after a while, so that no server delays the skills of others."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._all_pages(server, params, caller)
        except TimeoutError:
            return [], error_reply(INTERNAL_ERROR, f"The server {server} did not list its skills in time")

    async def _all_pages(self, server: str, params: JsonObject, caller: Caller) -> tuple[list[Any], Reply]:
        """Return a server's skills and its first page, or its error."""
        skills: list[Any] = []
        first: Reply | None = None
        for _ in range(_MOST_PAGES):
            reply = await self._request(server, LIST, params, caller)
            first = first or reply
            page = _object(reply)
            if not isinstance(page.get("skills"), list):
                return (skills, first) if skills else ([], reply if reply.error else _unreadable(server))
            skills += page["skills"]
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or cursor == params.get("cursor") or len(skills) >= _MOST_SKILLS:
                break
            params = {**params, "cursor": cursor}
        assert first is not None
        return skills, first

    def _moved(self, server: str, skills: list[Any], view: ClientView, caller: Caller) -> frozenset[str]:
        """Record a server's skills; return the folders of those whose address is another server's."""
        listed = {_folder(name): place.server for name, place in view.resources.items() if name.endswith("/SKILL.md")}
        moved = set()
        for skill in skills:
            uri = skill.get("uri") if isinstance(skill, dict) else None
            if not isinstance(uri, str):
                continue
            folder = _folder(uri)
            owner = listed.get(folder) or self._routes.skill_owner(caller.principal, uri)
            if owner not in (None, server) and owner in view.servers:
                moved.add(folder)
            else:
                self._routes.record_skill(caller.principal, folder, server)
        return frozenset(moved)


def _folder(uri: str) -> str:
    return uri.rpartition("/")[0]


def _object(reply: Reply) -> JsonObject:
    if reply.result is None:
        return {}
    try:
        read: Any = json_text.loads(reply.result)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _skills(reply: Reply) -> list[Any]:
    skills = _object(reply).get("skills")
    return skills if isinstance(skills, list) else []


def _unreadable(server: str) -> Reply:
    return error_reply(INVALID_PARAMS, f"The server {server} did not list its skills")


def _moved_reply(reply: Reply, server: str, moved: frozenset[str] | None = None) -> Reply:
    """Return a reply with marked URIs: in entries of the folders ``moved``, or in all."""
    read = _object(reply)
    if not read:
        return reply
    for key in ("skills", "resources"):
        if isinstance(read.get(key), list):
            read[key] = [_moved_entry(one, moved, server) for one in read[key]]
    if "skill" in read:
        read["skill"] = _moved_entry(read["skill"], moved, server)
    return Reply(json_text.dumps(read))


def _moved_entry(entry: Any, moved: frozenset[str] | None, server: str) -> Any:
    uri = entry.get("uri") if isinstance(entry, dict) else None
    if not isinstance(uri, str) or (moved is not None and _folder(uri) not in moved):
        return entry
    files = entry.get("resources")
    own: Mapping[str, Any] = {"uri": marked(uri, server)}
    if isinstance(files, list):
        own = {**own, "resources": [_moved_entry(file, None, server) for file in files]}
    return {**entry, **own}
