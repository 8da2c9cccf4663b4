"""Lists served to each caller, made from a snapshot, encoded tool by tool and cached (docs/architecture.md)."""

from __future__ import annotations

import operator
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.discovery import discovery_of, is_always_listed, is_searched
from toolnote_desktop.guidance.instructions import (
    Instructions,
    missing_toolset_instructions,
    server_instructions,
)
from toolnote_desktop.guidance.reader import Reader
from toolnote_desktop.guidance.served_tools import ChosenTool, ServedTool, Serving, chosen_tools
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import SEARCH_TOOLS
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.toolsets.task_types import TaskType, read_task_types
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.aio.time_slices import Sliced
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.guide_resource import GUIDE_URI, PROMPT, RESOURCE
from toolnote_desktop.proxy.routing.resource_names import (
    ResourceOrigin,
    marked,
    named_resources,
    resource_names,
    with_moved_resources,
)
from toolnote_desktop.proxy.tools import GUIDE_TOOL, BuiltInTool, final_name, served_built_in_tools
from toolnote_desktop.proxy.tools.context import ToolsetChoices
from toolnote_desktop.system.threads import short_turns


class ClientView(Struct, frozen=True, eq=False, weakref=True):
    """View of one caller: all tools, prompts and resources served to it.

    The tools that it may call are known at once. Encoding thousands of tools takes a while: ``listed`` is made on
    demand, in time slices.

    Attributes:
        built_in: final name -> built-in tool.
        tools: exposed name -> upstream tool. The boundary of calls: other tools cannot be called.
        listed: the ``tools`` array of ``tools/list`` as bytes.
        listed_modern: the same for the modern era; the same object as ``listed`` where the eras do not differ.
        prompts: exposed name -> (server, own name).
        resources, templates: origin of each listed URI and template (``resource_names.py``).
        pages: URI -> server, also of unlisted pages and skills that tools name in their ``_meta``.
        servers: servers with a tool in the toolset, in its order.
        serving: the tools and notes that the lists are made of.
        is_searched: only some of the tools are listed; the caller finds the others by searching.
        has_guide: True if the tool guide is among prompts and resources, because the toolset has tools.
    """

    toolset: str | None
    built_in: Mapping[str, BuiltInTool]
    tools: Mapping[str, ChosenTool]
    listed: Sliced[bytes]
    listed_modern: Sliced[bytes]
    prompts: Mapping[str, ToolKey]
    prompts_list: bytes
    resources: Mapping[str, ResourceOrigin]
    resources_list: bytes
    templates: Mapping[str, ResourceOrigin]
    templates_list: bytes
    servers: tuple[str, ...]
    pages: Mapping[str, str]
    serving: Serving
    is_searched: bool = False
    has_guide: bool = False

    @property
    def resources_state(self) -> tuple[bytes, bytes]:
        """Value that changes with the lists of resources."""
        return (self.resources_list, self.templates_list)


class _Encoded(Struct):
    tool: ServedTool
    text: bytes
    modern: bytes
    moved: Mapping[str, str]


class _CachedView(Struct):
    """Cached view and the parts of the snapshot that it was made of, compared by identity."""

    parts: tuple[object, ...]
    view: ClientView
    encoded: dict[ToolKey, _Encoded]


class _CachedInstructions(Struct):
    view: ClientView
    parts: tuple[object, ...]
    instructions: Instructions | None


class ServedLists:
    """Views of all callers, cached until a part they are made of changes."""

    def __init__(self, choices: ToolsetChoices, guidance: ClientGuidance) -> None:
        self.guidance = guidance
        self._choices = choices
        self._cached: dict[tuple[object, ...], _CachedView] = {}
        self._snapshot: Snapshot | None = None
        self._views: dict[Principal, ClientView] = {}
        self._instructions: dict[Principal, _CachedInstructions] = {}

    def view(self, snapshot: Snapshot, principal: Principal) -> ClientView:
        """Return the view of ``principal``: the same object as long as nothing of it changed."""
        if snapshot is not self._snapshot:
            self._snapshot = snapshot
            self._views.clear()
        view = self._views.get(principal)
        if view is None:
            with short_turns():
                view = self._views[principal] = self._build_view(snapshot, principal)
        return view

    def clear(self) -> None:
        """Make all views anew: the dialects have changed."""
        self._views.clear()
        self._cached.clear()

    def forget_removed(self, snapshot: Snapshot) -> None:
        """Forget views with tools of servers that are known no more: a view holds the whole list it was made of."""
        known = snapshot.catalogue.servers.keys()

        def is_old(view: ClientView) -> bool:
            return not known >= set(view.servers)

        for key in [key for key, one in self._cached.items() if is_old(one.view)]:
            del self._cached[key]
        for principal in [principal for principal, view in self._views.items() if is_old(view)]:
            del self._views[principal]
        for principal in [principal for principal, one in self._instructions.items() if is_old(one.view)]:
            del self._instructions[principal]

    def introduce(self, principal: Principal, client_info: JsonObject) -> bool:
        """Record a client's information, which may change its dialect; return True if it is new."""
        is_new = self.guidance.introduce(principal, client_info)
        if is_new:
            self._views.pop(principal, None)
        return is_new

    def instructions(self, snapshot: Snapshot, principal: Principal) -> Instructions | None:
        """Return the server instructions for a caller; None if no toolset is in use."""
        name = self._choices.toolset_name(principal, snapshot)
        if name and name not in snapshot.toolsets:
            return Instructions(missing_toolset_instructions(name))
        view = self.view(snapshot, principal)
        toolset = snapshot.toolsets.get(view.toolset) if view.toolset is not None else None
        dialect = self.guidance.dialect(snapshot, principal)
        listings = [snapshot.catalogue.servers[server] for server in view.servers]
        client = snapshot.clients.get(principal.client) if principal.client is not None else None
        withheld = client.without_instructions if client is not None else ()
        options = (snapshot.servers[server].toolnote for server in view.servers if server in snapshot.servers)
        texts = ((one.instructions, one.accepted_instructions, one.server_info, one.resources) for one in listings)
        preferences = snapshot.settings.preferences
        if client is not None:
            preferences = client.preferences.over(preferences)
        parts = (dialect, withheld, snapshot.settings.offer_notes, preferences, *texts, *options)
        cached = self._instructions.get(principal)
        if cached is not None and cached.view is view and cached.parts == parts:
            return cached.instructions
        reader = Reader(
            is_connected=True,
            own_tools={tool.name: dialect.shown_name(name) for name, tool in view.built_in.items()},
            is_lazy=view.is_searched,
            preferences=preferences,
        )
        made = server_instructions(snapshot, toolset, reader, dialect, tuple(view.tools.values()), withheld)
        self._instructions[principal] = _CachedInstructions(view, parts, made)
        return made

    def _build_view(self, snapshot: Snapshot, principal: Principal) -> ClientView:
        name = self._choices.toolset_name(principal, snapshot)
        toolset = snapshot.toolsets.get(name) if name is not None else None
        types: dict[str, TaskType] = {}
        if toolset is not None:
            types = read_task_types(toolset.task_types, self.guidance.task_types, lambda entry, reason: None)
        client = snapshot.clients.get(principal.client) if principal.client is not None else None
        dialect, discovery = self.guidance.dialect(snapshot, principal), discovery_of(snapshot.settings, client)
        paused = snapshot.settings.notes_paused
        # Whether those for searching are listed depends on the list, where a client's discovery is automatic.
        own = served_built_in_tools(snapshot, principal, tuple(types), is_searched=True)
        key = (toolset.name if toolset is not None else None, tuple(own.items()), dialect.key, discovery, paused)
        parts = (toolset, snapshot.notes, snapshot.tool_settings, *_parts(snapshot.catalogue))
        kept = self._cached.get(key)
        if kept is not None and len(kept.parts) == len(parts) and all(map(operator.is_, kept.parts, parts)):
            return kept.view
        encoded = kept.encoded if kept is not None else {}
        chosen = chosen_tools(snapshot, toolset, dialect)
        searched = is_searched(snapshot, client, toolset, dialect, chosen)
        built_in = own if searched else {name: tool for name, tool in own.items() if tool.name not in SEARCH_TOOLS}
        view = _make_view(snapshot, toolset, built_in, encoded, dialect, chosen, searched=searched)
        self._cached[key] = _CachedView(parts, view, encoded)
        return view


def _parts(catalogue: Catalogue) -> Iterator[object]:
    """Return the parts of a catalogue that a view depends on: of a server's state only whether it is disabled."""
    yield catalogue.exposed
    yield catalogue.exposed_prompts
    yield catalogue.reserved
    for listing in catalogue.servers.values():
        yield listing.tools
        yield listing.prompts
        yield listing.resources
        yield listing.resource_templates
        yield listing.status.state is ServerState.DISABLED


def _make_view(
    snapshot: Snapshot,
    toolset: Toolset | None,
    built_in: Mapping[str, BuiltInTool],
    encoded: dict[ToolKey, _Encoded],
    dialect: Dialect,
    chosen: Sequence[ChosenTool],
    *,
    searched: bool,
) -> ClientView:
    texts = [_built_in_text(tool, name) for name, tool in built_in.items()]
    shown = [tool for tool in chosen if is_always_listed(tool)] if searched else chosen
    has_guide = bool(chosen) and final_name(built_in, GUIDE_TOOL) is not None
    servers = tuple(dict.fromkeys(tool.known.tool.server for tool in chosen))
    catalogue = snapshot.catalogue
    prompts, prompt_texts = _prompts(snapshot, servers)
    # In the order of servers.json, not of the toolset: sorting tools does not change the origin of a URI.
    sources = [(server, listing) for server, listing in catalogue.servers.items() if server in servers]
    own = GUIDE_URI if has_guide else None
    resources = resource_names("uri", ((server, listing.resources) for server, listing in sources), own)
    templates = resource_names("uriTemplate", ((server, listing.resource_templates) for server, listing in sources))
    pages = {name: place.server for name, place in resources.places.items() if name == place.uri}
    moved = _assign_pages(pages, chosen, catalogue)
    serving = Serving(snapshot, toolset, dialect)
    listed = Sliced(_list_texts(texts, shown, serving, encoded, moved))
    eras_differ = any(tool.known.tool.valid.modern is not tool.known.tool.valid.entry for tool in shown)
    return ClientView(
        toolset=toolset.name if toolset is not None else None,
        built_in=built_in,
        tools={tool.name: tool for tool in chosen},
        listed=listed,
        listed_modern=Sliced(_list_texts(texts, shown, serving, encoded, moved, modern=True))
        if eras_differ
        else listed,
        prompts=prompts,
        prompts_list=_array([PROMPT, *prompt_texts] if has_guide else prompt_texts),
        resources=resources.places,
        resources_list=_array([RESOURCE, *resources.listed] if has_guide else resources.listed),
        templates=templates.places,
        templates_list=_array(templates.listed),
        servers=servers,
        pages=pages,
        serving=serving,
        is_searched=searched,
        has_guide=has_guide,
    )


def _assign_pages(
    pages: dict[str, str], tools: Sequence[ChosenTool], catalogue: Catalogue
) -> dict[ToolKey, dict[str, str]]:
    """Add unlisted pages to ``pages``; return the new URIs for tools that name one with the URI of another server's."""
    named = [(tool.known.tool.key, uri) for tool in tools for uri in named_resources(tool.known.tool.definition)]
    order = {server: place for place, server in enumerate(catalogue.servers)} if named else {}
    for (server, _), uri in sorted(named, key=lambda pair: order[pair[0][0]]):
        pages.setdefault(uri, server)
    moved: dict[ToolKey, dict[str, str]] = {}
    for key, uri in named:
        if pages[uri] != key[0]:
            moved.setdefault(key, {})[uri] = marked(uri, key[0])
    return moved


def _list_texts(
    built_in: Sequence[bytes],
    tools: Sequence[ChosenTool],
    serving: Serving,
    encoded: dict[ToolKey, _Encoded],
    moved: Mapping[ToolKey, Mapping[str, str]],
    *,
    modern: bool = False,
) -> Generator[None, None, bytes]:
    """Encode the array of tools. ``encoded`` caches the text of each tool between views."""
    texts = [*built_in]
    for chosen in tools:
        key = chosen.known.tool.key
        before = encoded.get(key)
        served = serving.serve(chosen, None if before is None else before.tool)
        pages = moved.get(key, {})
        if before is None or before.tool is not served or before.moved != pages:
            text = _tool_text(served.definition, pages)
            other = served.modern
            modern_text = _tool_text(other, pages) if other else text
            before = encoded[key] = _Encoded(served, text, modern_text, pages)
        texts.append(before.modern if modern else before.text)
        yield
    for key in encoded.keys() - {chosen.known.tool.key for chosen in tools}:
        del encoded[key]
    return _array(texts)


def _tool_text(definition: JsonObject, moved: Mapping[str, str]) -> bytes:
    return json_text.dumps_for_clients(with_moved_resources(definition, moved) if moved else definition)


_built_in_texts: dict[tuple[object, ...], bytes] = {}


_MOST_TEXTS: Final = 500


def _built_in_text(tool: BuiltInTool, name: str) -> bytes:
    key = (tool.name, name, tool.instructions, tool.task_types)
    if len(_built_in_texts) > _MOST_TEXTS:
        _built_in_texts.clear()
    if key not in _built_in_texts:
        _built_in_texts[key] = json_text.dumps_for_clients(tool.definition(name))
    return _built_in_texts[key]


def _array(texts: Sequence[bytes]) -> bytes:
    return b"[%s]" % b",".join(texts)


def _prompts(snapshot: Snapshot, servers: tuple[str, ...]) -> tuple[dict[str, ToolKey], list[bytes]]:
    catalogue, settings = snapshot.catalogue, snapshot.tool_settings
    routes: dict[str, ToolKey] = {}
    texts = []
    for server in servers:
        for known in catalogue.servers[server].prompts:
            prompt = known.tool
            name = catalogue.exposed_prompts[prompt.key]
            if name not in routes and known.listed and settings.is_prompt_on(prompt.namespaced_name):
                routes[name] = prompt.key
                texts.append(json_text.dumps({**prompt.definition, "name": name}))
    return routes, texts


def is_waitable(state: ServerState) -> bool:
    """Return True if a call should wait for a server in this state."""
    return state in (ServerState.STARTING, ServerState.DOWNLOADING, ServerState.RECONNECTING)
