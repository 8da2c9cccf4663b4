"""What clients are answered, method by method: our own tools, the toolset as a boundary, everything else sent up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.result import Result
from toolnote_desktop.proxy.exposure import Exposure, View
from toolnote_desktop.proxy.forward import Caller, Forwarder
from toolnote_desktop.proxy.peer import Reply
from toolnote_desktop.proxy.tools import BuiltInTool
from toolnote_desktop.proxy.tools.context import Choices, Principal, ToolContext
from toolnote_desktop.store.library import Library

INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32002
METHOD_NOT_FOUND = -32601


class ServedCaller(Caller, Protocol):
    """A caller with the identity that its token gives it."""

    principal: Principal


class Service:
    """Answers requests out of the newest snapshot."""

    def __init__(
        self,
        library: Library,
        exposure: Exposure,
        choices: Choices,
        forwarder: Forwarder,
        fetched: Callable[[Principal, View], None],
    ) -> None:
        self._library = library
        self._exposure = exposure
        self._choices = choices
        self._forwarder = forwarder
        self._fetched = fetched
        self._lists: Mapping[str, tuple[str, Callable[[View], bytes]]] = {
            "tools/list": ("tools", lambda view: view.tools_list),
            "prompts/list": ("prompts", lambda view: view.prompts_list),
            "resources/list": ("resources", lambda view: view.resources_list),
            "resources/templates/list": ("resourceTemplates", lambda view: view.templates_list),
        }

    def view(self, principal: Principal) -> View:
        """What a caller sees now."""
        return self._exposure.view(self._library.snapshot, principal)

    async def answer(self, method: str, params: JsonObject, caller: ServedCaller) -> Reply | None:
        """The reply to a request; None for a method that is not ours."""
        view = self.view(caller.principal)
        if method in self._lists:
            return self._list(method, params, view, caller.principal)
        match method:
            case "tools/call":
                return await self._call(params, view, caller)
            case "prompts/get":
                return await self._get_prompt(params, view, caller)
            case "resources/read" | "resources/subscribe" | "resources/unsubscribe":
                return await self._resource(method, params, view, caller)
            case "completion/complete":
                return await self._complete(params, view, caller)
            case "logging/setLevel":
                return Reply(b"{}")
            case _:
                return None

    def _list(self, method: str, params: JsonObject, view: View, principal: Principal) -> Reply:
        if params.get("cursor") is not None:
            return _error(INVALID_PARAMS, "Invalid cursor")  # every list is one page: no cursor was ever given out
        key, items = self._lists[method]
        if method == "tools/list":
            self._fetched(principal, view)
        return Reply(b'{"%s":%s}' % (key.encode("ascii"), items(view)))

    async def _call(self, params: JsonObject, view: View, caller: ServedCaller) -> Reply:
        name = params.get("name")
        if not isinstance(name, str):
            return _error(INVALID_PARAMS, "tools/call needs the name of a tool")
        if name in view.built_in:
            return await self._call_built_in(view.built_in[name], params.get("arguments"), caller)
        tool = view.tools.get(name)
        if tool is None:
            return _error(INVALID_PARAMS, f"Unknown tool: {name}")
        server, own_name = tool.known.tool.key
        return await self._forwarder.call_tool(server, own_name, params, caller)

    async def _call_built_in(self, tool: BuiltInTool, arguments: Any, caller: ServedCaller) -> Reply:
        context = ToolContext(self._library, caller.principal, self._choices)
        return _tool_reply(await tool.call(arguments, context))

    async def _get_prompt(self, params: JsonObject, view: View, caller: ServedCaller) -> Reply:
        key = view.prompts.get(str(params.get("name")))
        if key is None:
            return _error(INVALID_PARAMS, f"Unknown prompt: {params.get('name')}")
        server, name = key
        return await self._forwarder.request(server, "prompts/get", {**params, "name": name}, caller)

    async def _resource(self, method: str, params: JsonObject, view: View, caller: ServedCaller) -> Reply:
        uri = params.get("uri")
        server = self._server_of(uri, view) if isinstance(uri, str) else None
        if server is None:
            return Reply(
                None,
                jsontext.dumps(
                    {"code": RESOURCE_NOT_FOUND, "message": f"Resource not found: {uri}", "data": {"uri": uri}}
                ),
            )
        return await self._forwarder.request(server, method, params, caller)

    def _server_of(self, uri: str, view: View) -> str | None:
        if uri in view.resource_servers:
            return view.resource_servers[uri]
        from mcp import UriTemplate

        for template, server in view.templates.items():
            try:
                matches = UriTemplate.parse(template).match(uri) is not None
            except ValueError:
                continue  # a template that cannot be read matches nothing; the others are still asked
            if matches:
                return server
        listings = self._library.snapshot.catalogue.servers
        with_resources = [server for server in view.servers if "resources" in listings[server].capabilities]
        return with_resources[0] if len(with_resources) == 1 else None

    async def _complete(self, params: JsonObject, view: View, caller: ServedCaller) -> Reply:
        reference = params.get("ref")
        if not isinstance(reference, dict):
            return _error(INVALID_PARAMS, "completion/complete needs a ref")
        if reference.get("type") == "ref/prompt":
            key = view.prompts.get(str(reference.get("name")))
            if key is None:
                return _error(INVALID_PARAMS, f"Unknown prompt: {reference.get('name')}")
            server, name = key
            params = {**params, "ref": {**reference, "name": name}}
        else:
            uri = str(reference.get("uri"))
            found = view.templates.get(uri) or self._server_of(uri, view)
            if found is None:
                return _error(INVALID_PARAMS, f"Resource not found: {uri}")
            server = found
        listing = self._library.snapshot.catalogue.servers[server]
        if "completions" not in listing.capabilities:
            return Reply(b'{"completion":{"values":[]}}')
        return await self._forwarder.request(server, "completion/complete", params, caller)


def _tool_reply(result: Result[Any]) -> Reply:
    wire: JsonObject = {
        "content": [{"type": "text", "text": result.to_json_str()}],
        "structuredContent": result.to_dict(),
    }
    if not result.success:
        wire["isError"] = True
    return Reply(jsontext.dumps(wire))


def _error(code: int, message: str) -> Reply:
    return Reply(None, jsontext.dumps({"code": code, "message": message}))
