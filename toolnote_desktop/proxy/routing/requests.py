"""Responses to clients' requests by method: built-in tools, the toolset as a boundary, and forwarding."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from toolnote_desktop.guidance.offline_tools import Unseen, unseen_tools
from toolnote_desktop.guidance.served_tools import ChosenTool
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import GUIDE_PROMPT
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.result import Result
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import lost_rule, override_arguments, read_arguments, reads_paths
from toolnote_desktop.model.tools.catalogue import IN_REVIEW
from toolnote_desktop.model.tools.dialect import Dialect
from toolnote_desktop.model.tools.imitation import without_imitation
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.proxy.aio.time_slices import in_slices
from toolnote_desktop.proxy.aio.worker_thread import import_in_thread
from toolnote_desktop.proxy.in_flight import Caller, error_reply, too_many_values
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import INVALID_PARAMS, METHOD_NOT_FOUND, SKILLS_EXTENSION
from toolnote_desktop.proxy.routing import era_bridge, own_skill, skills
from toolnote_desktop.proxy.routing.approvals import Approvals, Refusal, approval_refused
from toolnote_desktop.proxy.routing.extensions import EXTENSIONS, ExtensionRoutes
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.routing.guide_resource import (
    GUIDE_URI,
    completion_answer,
    prompt_answer,
    resource_answer,
)
from toolnote_desktop.proxy.routing.guide_subscriptions import GuideSubscriptions
from toolnote_desktop.proxy.routing.log_levels import LogLevels, is_level
from toolnote_desktop.proxy.routing.own_skill import OwnSkill, OwnSkills
from toolnote_desktop.proxy.routing.resource_names import ResourceOrigin
from toolnote_desktop.proxy.routing.resource_routes import ResourceRoutes, with_uri
from toolnote_desktop.proxy.routing.resource_subscriptions import Subscriptions
from toolnote_desktop.proxy.routing.served_lists import ClientView, ServedLists
from toolnote_desktop.proxy.routing.skills import Skills
from toolnote_desktop.proxy.tools import CALL_TOOL, SEARCH_TOOL, BuiltInTool, tool_context
from toolnote_desktop.proxy.tools.consent_refusal import refused_result
from toolnote_desktop.proxy.tools.context import ToolContext, ToolsetChoices
from toolnote_desktop.proxy.tools.tool_search import prepare_search
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import RawJson, read_steps
from toolnote_desktop.store.library import Library

METHODS = frozenset(
    {
        "tools/list",
        "tools/call",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "completion/complete",
        "logging/setLevel",
    }
)
"""Methods that are handled here; all others go to the SDK."""

_WITH_ADDRESSES = frozenset({"resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete"})


async def _read_own(tool: BuiltInTool, arguments: Any) -> tuple[Any, RawJson | None]:
    """Return a built-in tool's arguments, without those of the tool that it is to call where they are long, and these.

    Raises:
        ValueError: as ``read_steps``.
    """
    if not isinstance(arguments, RawJson):
        return arguments, None
    passes = tool.name == CALL_TOOL
    read = await in_slices(read_steps(arguments, lambda name: not passes or name != "arguments"))
    inner = read.get("arguments")
    if isinstance(inner, RawJson) and inner.startswith(b"{"):
        return {**read, "arguments": {}}, inner
    return read, None


def _modern_tools(view: ClientView) -> bytes:
    return view.listed_modern.at_once()


class RequestService:
    """Handler of requests, based on the latest snapshot."""

    def __init__(
        self,
        library: Library,
        served_lists: ServedLists,
        choices: ToolsetChoices,
        forwarder: Forwarder,
        levels: LogLevels,
        subscriptions: Subscriptions,
        routes: ResourceRoutes,
        fetched: Callable[[Principal, ClientView, object], None],
        guide: GuideSubscriptions,
        extensions: ExtensionRoutes,
        approvals: Approvals,
    ) -> None:
        self._library = library
        self._approvals = approvals
        self._served_lists = served_lists
        self._choices = choices
        self._forwarder = forwarder
        self._levels = levels
        self._subscriptions = subscriptions
        self._routes = routes
        self._fetched = fetched
        self._guide = guide
        self._extensions = extensions
        self._skills = Skills(extensions, routes, forwarder.request)
        self._own_skills = OwnSkills()
        self._preparing: set[asyncio.Future[None]] = set()  # a task that nothing holds may be collected
        self._unseen: tuple[tuple[int, str | None, Dialect], Unseen] | None = None
        self._lists: Mapping[str, tuple[str, Callable[[ClientView], bytes]]] = {
            "tools/list": ("tools", lambda view: view.listed.at_once()),  # of the handshake era
            "prompts/list": ("prompts", lambda view: view.prompts_list),
            "resources/list": ("resources", lambda view: view.resources_list),
            "resources/templates/list": ("resourceTemplates", lambda view: view.templates_list),
        }
        self._answers: Mapping[str, Callable[[JsonObject, ClientView, Caller], Awaitable[Reply]]] = {
            "tools/call": self._call,
            "prompts/get": self._get_prompt,
            "resources/read": self._read,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._unsubscribe,
            "completion/complete": self._complete,
            "logging/setLevel": self._set_level,
        }

    def view(self, principal: Principal) -> ClientView:
        """Return the present view of a caller."""
        return self._served_lists.view(self._library.snapshot, principal)

    async def answer(self, method: str, params: JsonObject, caller: Caller) -> Reply:
        """Return the reply to a request that ``handles`` accepts."""
        view = self.view(caller.principal)
        if method in self._lists:
            return await self._list(method, params, view, caller)
        if method in _WITH_ADDRESSES and view.templates:
            await import_in_thread("mcp")  # it matches them
        if method in self._answers:
            return await self._answers[method](params, view, caller)
        if method in skills.METHODS:
            own = await self._own_skill(view, caller) if method != skills.DIRECTORY else None
            if self._skills.servers(method, view) or (self._declares_skills(caller) and method != skills.DIRECTORY):
                return await self._skills.answer(method, params, view, caller, own)
        server = self._extensions.find(method, params, view.servers, caller)
        if isinstance(server, Reply):
            return server
        if server is None:
            return error_reply(METHOD_NOT_FOUND, "Method not found")
        return await self._forwarder.request(server, method, params, caller)

    def handles(self, method: object, principal: Principal) -> bool:
        """Return True if ``answer`` has a reply to a request: one of ``METHODS``, or of a server's extension."""
        if not isinstance(method, str) or method in METHODS:
            return isinstance(method, str)
        view = self.view(principal)
        if method in skills.METHODS and (view.tools or self._skills.servers(method, view)):
            return True  # of a client that declares none, ``answer`` refuses it
        return self._extensions.find(method, {}, view.servers, None) is not None

    def _declares_skills(self, caller: Caller) -> bool:
        declared = caller.capabilities.get(EXTENSIONS)
        return isinstance(declared, dict) and SKILLS_EXTENSION in declared

    async def _own_skill(self, view: ClientView, caller: Caller) -> OwnSkill | None:
        if not self._declares_skills(caller):
            return None
        snapshot = self._library.snapshot
        dialect = self._served_lists.guidance.dialect(snapshot, caller.principal)
        return await self._own_skills.find(snapshot, view, dialect)

    async def notify(self, method: str, params: JsonObject, caller: Caller) -> bool:
        """Forward a client's notification to the server whose extension it is of; return False if there is none."""
        servers = self.view(caller.principal).servers
        server = self._extensions.find_notification(method, params, servers, caller.conversation)
        if server is not None:
            await self._forwarder.notify(server, method, params, caller)
        return server is not None

    async def _list(self, method: str, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        if params.get("cursor") is not None:
            return error_reply(INVALID_PARAMS, "Invalid cursor")  # lists have one page, without a cursor
        key, items = self._lists[method]
        text = items
        if method == "tools/list":
            await view.listed.in_slices()
            self._fetched(caller.principal, view, caller.conversation)
            if view.is_searched:
                preparing = asyncio.ensure_future(prepare_search(self._context(caller)))
                self._preparing.add(preparing)
                preparing.add_done_callback(self._preparing.discard)
            if caller.modern:
                await view.listed_modern.in_slices()
                text = _modern_tools
        head = b'"resultType":"complete","ttlMs":0,"cacheScope":"private",' if caller.modern else b""
        return Reply(b'{%s"%s":%s}' % (head, key.encode("ascii"), text(view)))

    async def _call(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        name = params.get("name")
        if not isinstance(name, str):
            return error_reply(INVALID_PARAMS, "tools/call needs the name of a tool")
        if name in view.built_in:
            tool = view.built_in[name]
            await tool.prepare()
            try:
                arguments, passed_on = await _read_own(tool, params.get("arguments"))
            except ValueError:
                return too_many_values()
            if tool.name == CALL_TOOL and isinstance(arguments, dict) and tool.accepts(arguments):
                # The result is that of the called tool, as if it had been called by its name.
                given = {key: value for key, value in arguments.items() if value is not None}
                inner = {key: value for key, value in params.items() if key != "arguments"} | given
                if passed_on is not None:
                    inner["arguments"] = passed_on
                reply = await self._call_served(inner["name"], inner, view, caller)
                if reply is not None:
                    return reply
            return await self._call_built_in(tool, arguments, caller)
        reply = await self._call_served(name, params, view, caller)
        return reply or error_reply(INVALID_PARAMS, f"Unknown tool: {name}")

    async def _call_served(self, name: str, params: JsonObject, view: ClientView, caller: Caller) -> Reply | None:
        """Call a server's tool by its exposed name; None if the client's toolset has none of that name."""
        if name in view.tools:
            return await self._call_upstream(view.tools[name], params, caller)
        return await self._call_unseen(name, params, caller)

    async def _call_unseen(self, name: str, params: JsonObject, caller: Caller) -> Reply | None:
        """Call a tool that is not served at present, after waiting for its server (docs/contract.md 5)."""
        context = self._context(caller)
        unseen = self._unseen_tools(context.snapshot, context.toolset, context.dialect)
        key = unseen.tools.get(name)
        servers = unseen.anywhere if key is None else (key[0],)
        refused = await asyncio.gather(*(self._forwarder.wait_until_ready(server, caller) for server in servers))
        served = self.view(caller.principal).tools
        found = served.get(name) or next((tool for tool in served.values() if tool.known.tool.key == key), None)
        if found is not None:
            return await self._call_upstream(found, params, caller)
        if key is not None:
            return refused[0]
        known = context.snapshot.catalogue.by_exposed_name.get(name)
        if known is not None:  # one that the client was not given, or no longer has
            reply = error_reply(INVALID_PARAMS, f"Unknown tool: {name}")
            self._forwarder.record_refused(caller, *known.tool.key, Code.TOOL_NOT_IN_TOOLSET.value, reply)
        return None

    def _unseen_tools(self, snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect) -> Unseen:
        """Return ``unseen_tools``, kept for the next call of a wrong name: of 5,000 tools they take 10 ms."""
        key = (snapshot.revision, toolset.name if toolset is not None else None, dialect)
        if self._unseen is None or self._unseen[0] != key:
            self._unseen = (key, unseen_tools(snapshot, toolset, dialect))
        return self._unseen[1]

    async def _call_upstream(self, tool: ChosenTool, params: JsonObject, caller: Caller) -> Reply:
        server, own_name = tool.known.tool.key
        given = params
        if tool.plain_key is None:
            arguments = params.get("arguments")
            try:
                definition = tool.known.tool.definition
                if isinstance(arguments, RawJson):
                    arguments = await in_slices(read_steps(arguments, read_arguments(definition, tool.entry)))
                _check_rules(tool)
                if reads_paths(tool.entry):  # a disk may be slow
                    arguments = await asyncio.to_thread(
                        override_arguments, definition, tool.entry, arguments, os.path.realpath
                    )
                else:
                    arguments = override_arguments(definition, tool.entry, arguments)
            except ValueError:
                return too_many_values()
            except ToolnoteError as error:
                reply = _own_reply(refused_result(error.problem), caller)
                self._forwarder.record_refused(caller, server, own_name, error.problem.code.value, reply)
                return reply
            params = {**params, "arguments": arguments}
        if tool.entry.approval == "ask":
            snapshot = self._library.snapshot
            limit = self._served_lists.guidance.dialect(snapshot, caller.principal).call_limit
            toolset = self._choices.toolset_name(caller.principal, snapshot)
            token = self._token(caller.principal)
            checked = await self._approvals.check(tool.known, tool.entry, params, caller, toolset=toolset, limit=limit)
            if isinstance(checked, Reply):
                return checked
            if isinstance(checked, Refusal):
                reply = _own_reply(approval_refused(checked), caller)
                self._forwarder.record_refused(caller, server, own_name, str(checked), reply)
                return reply
            now = self._now(tool, caller)
            if now is None or self._token(caller.principal) != token:
                return error_reply(INVALID_PARAMS, f"Unknown tool: {given.get('name')}")
            if now is not tool:
                return await self._call_upstream(now, given, caller)
            reply = await self._forwarder.call_tool(server, own_name, checked, caller)
            self._approvals.answered(tool.known, checked, caller, reply)
            return reply
        return await self._forwarder.call_tool(server, own_name, params, caller)

    def _token(self, principal: Principal) -> tuple[bool, str | None]:
        """Return what tells whether the user has revoked a client since."""
        known = self._library.snapshot.clients.get(principal.client or "")
        return known is not None, known.token_hash if known is not None else None

    def _now(self, asked: ChosenTool, caller: Caller) -> ChosenTool | None:
        """Return the tool after a question about it: the same one if what the user was asked about still holds; None if
        the client no longer has it.
        """
        served = self.view(caller.principal).tools.values()
        found = next((one for one in served if one.known.tool.key == asked.known.tool.key), None)
        if found is None or found.entry != asked.entry:
            return found
        is_same = found.known.newest.fingerprint == asked.known.newest.fingerprint
        return asked if is_same else found

    async def _call_built_in(self, tool: BuiltInTool, arguments: Any, caller: Caller) -> Reply:
        view = self.view(caller.principal)
        result = await tool.call(arguments, self._context(caller))
        if tool.name == SEARCH_TOOL and result.value is not None:
            whole = [one["name"] for one in result.value["tools"] if "inputSchema" in one]
            keys = [view.tools[name].known.tool.key for name in whole if name in view.tools]
            self._forwarder.record_found(caller, view, keys)
        return _own_reply(result, caller)

    def _context(self, caller: Caller) -> ToolContext:
        return self._context_of(caller.principal)

    def _context_of(self, principal: Principal) -> ToolContext:
        guidance, searched = self._served_lists.guidance, self.view(principal).is_searched
        return tool_context(self._library, principal, self._choices, guidance, is_searched=searched)

    async def _get_prompt(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        if view.has_guide and params.get("name") == GUIDE_PROMPT:
            return _for_era(
                "prompts/get", await asyncio.to_thread(prompt_answer, params, self._context(caller)), caller
            )
        key = view.prompts.get(str(params.get("name")))
        if key is None:
            return error_reply(INVALID_PARAMS, f"Unknown prompt: {params.get('name')}")
        server, name = key
        reply = await self._forwarder.request(server, "prompts/get", {**params, "name": name}, caller)
        known = self._library.snapshot.catalogue.prompts.get(key)
        return reply if known is None or known.latest is None else _with_description(reply, known.tool)

    def _origin(self, params: JsonObject, view: ClientView, caller: Caller) -> ResourceOrigin | Reply:
        return self._routes.find(params.get("uri"), view, caller.principal, modern=caller.modern)

    async def _read(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        if view.has_guide and params.get("uri") == GUIDE_URI:
            return _for_era("resources/read", await asyncio.to_thread(resource_answer, self._context(caller)), caller)
        if str(params.get("uri")).startswith(own_skill.FOLDER):
            skill = await self._own_skill(view, caller)
            if skill is not None and params["uri"] == skill.uri:
                return _for_era("resources/read", skill.read(), caller)
        place = self._origin(params, view, caller)
        if isinstance(place, Reply):
            return place
        return await self._forwarder.request(place.server, "resources/read", with_uri(params, place), caller)

    async def _subscribe(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        return await self.subscribe(params.get("uri"), view, caller)

    async def subscribe(self, uri: object, view: ClientView, caller: Caller) -> Reply:
        """Subscribe the caller's conversation to a resource."""
        if view.has_guide and uri == GUIDE_URI:
            self._guide.add(caller.conversation, caller.principal)
            return Reply(b"{}")
        place = self._origin({"uri": uri}, view, caller)
        if isinstance(place, Reply):
            return place
        return await self._subscriptions.add(caller.conversation, caller, str(uri), place.server, place.uri)

    async def _unsubscribe(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        if params.get("uri") == GUIDE_URI:
            self._guide.remove(caller.conversation)
        return await self._subscriptions.remove(caller.conversation, str(params.get("uri")))

    async def _set_level(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        level = params.get("level")
        if not is_level(level):
            return error_reply(INVALID_PARAMS, f"There is no log level {level!r}")
        caller.log_level = str(level)
        await self._levels.request_level(caller.conversation, caller.principal, str(level))
        return Reply(b"{}")

    async def _complete(self, params: JsonObject, view: ClientView, caller: Caller) -> Reply:
        reference = params.get("ref")
        if not isinstance(reference, dict):
            return error_reply(INVALID_PARAMS, "completion/complete needs a ref")
        if reference.get("type") == "ref/prompt":
            if view.has_guide and reference.get("name") == GUIDE_PROMPT:
                return _for_era("completion/complete", completion_answer(params, self._context(caller)), caller)
            key = view.prompts.get(str(reference.get("name")))
            if key is None:
                return error_reply(INVALID_PARAMS, f"Unknown prompt: {reference.get('name')}")
            server, name = key
            params = {**params, "ref": {**reference, "name": name}}
        else:
            name = str(reference.get("uri"))
            place = self._routes.template(name, view, caller.principal, modern=caller.modern)
            if isinstance(place, Reply):
                return place
            server = place.server
            params = {**params, "ref": {**reference, "uri": place.uri}}
        listing = self._library.snapshot.catalogue.servers[server]
        if "completions" not in listing.capabilities:
            return _for_era("completion/complete", Reply(b'{"completion":{"values":[]}}'), caller)
        return await self._forwarder.request(server, "completion/complete", params, caller)


def _check_rules(tool: ChosenTool) -> None:
    """Raise ToolnoteError (``argument-not-found``) if a change that is not accepted took an argument out that the user
    limits.
    """
    known = tool.known
    if known.review not in IN_REVIEW:
        return
    name = lost_rule(known.accepted.definition, known.newest.definition, tool.entry)
    if name is not None:
        raise ToolnoteError(Code.ARGUMENT_NOT_FOUND, tool=known.tool.name, argument=name)


def _with_description(reply: Reply, prompt: Tool) -> Reply:
    """Return a server's prompt with the description that is served, because the server's own is held."""
    if reply.result is None or not isinstance(result := json_text.loads(reply.result), dict):
        return reply
    texts = {"description": without_imitation(prompt.description)} if prompt.description else {}
    return Reply(json_text.dumps({**{key: value for key, value in result.items() if key != "description"}, **texts}))


def _own_reply(result: Result[Any], caller: Caller) -> Reply:
    """Return the result of a built-in tool as the reply to ``tools/call``."""
    wire: JsonObject = {
        "content": [{"type": "text", "text": result.to_json_str()}],
        "structuredContent": result.to_dict(),
    }
    if not result.success:
        wire["isError"] = True
    return _for_era("tools/call", Reply(json_text.dumps(wire)), caller)


def _for_era(method: str, reply: Reply, caller: Caller) -> Reply:
    """Return a reply of ours in the form of the caller's era."""
    return era_bridge.for_modern(method, reply) if caller.modern else reply
