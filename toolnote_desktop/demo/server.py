"""Common parts of the demo servers: raw JSON-RPC over stdio, in all revisions from 2024-11-05 to 2026-07-28."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSION = "2026-07-28"
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_SERVER_KEY = "io.modelcontextprotocol/serverInfo"
_CACHEABLE = ("server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list")
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
}

JSON = dict[str, Any]


class DemoError(Exception):
    """Error that the assistant can correct: becomes a result with ``isError``."""


class RpcError(Exception):
    """JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class DemoTool:
    """Tool: its definition as listed, and its function."""

    def __init__(self, definition: JSON, run: Callable[[JSON], JSON]) -> None:
        self.definition = definition
        self.run = run

    @property
    def name(self) -> str:
        """Name of the tool."""
        return str(self.definition["name"])

    def call(self, arguments: JSON) -> JSON:
        """Return the result of a call: the value of ``run`` as JSON text, and as ``structuredContent`` if the tool
        declares it.
        """
        try:
            check_arguments(self.definition["inputSchema"], arguments)
            value = self.run(arguments)
        except DemoError as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        result: JSON = {"content": [{"type": "text", "text": json.dumps(value, ensure_ascii=False, indent=1)}]}
        if "outputSchema" in self.definition:
            result["structuredContent"] = value
        return result | {"isError": False}


class DemoServer:
    """Server as data: its identity and what it offers."""

    def __init__(
        self,
        name: str,
        title: str,
        instructions: str,
        tools: Sequence[DemoTool],
        resources: Sequence[tuple[JSON, Callable[[], str]]] = (),
        prompts: Sequence[tuple[JSON, Callable[[JSON], str]]] = (),
    ) -> None:
        self.info = {"name": name, "title": title, "version": "1.0.0"}
        self.instructions = instructions
        self.tools = {tool.name: tool for tool in tools}
        self.resources = {str(definition["uri"]): (definition, read) for definition, read in resources}
        self.prompts = {str(definition["name"]): (definition, fill) for definition, fill in prompts}

    def answer(self, message: Any) -> JSON | None:
        """Return the response to one message; None if none is due."""
        if not isinstance(message, dict):
            return _error(None, -32600, "Invalid request: a message is an object")
        method = message.get("method")
        if not isinstance(method, str):
            return None if "result" in message or "error" in message else _error(None, -32600, "Invalid request")
        if "id" not in message:
            return None
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
        try:
            if version not in (None, MODERN_VERSION):
                raise RpcError(-32022, f"Unsupported protocol version; this server has {MODERN_VERSION}")
            result = self.result(method, params)
        except RpcError as error:
            return _error(message["id"], error.code, str(error))
        if version is not None or method == "server/discover":
            cache = {"ttlMs": 60_000, "cacheScope": "private"} if method in _CACHEABLE else {}
            result = {"resultType": "complete", **cache, **result}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def result(self, method: str, params: JSON) -> JSON:
        """Return the result of a request.

        Raises:
            RpcError: it cannot be answered.
        """
        match method:
            case "initialize":
                asked = params.get("protocolVersion")
                version = asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
                return {"protocolVersion": version, **self.introduction(), "serverInfo": self.info}
            case "server/discover":
                return {
                    "supportedVersions": [MODERN_VERSION],
                    **self.introduction(),
                    "_meta": {_SERVER_KEY: self.info},
                }
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [tool.definition for tool in self.tools.values()]}
            case "tools/call":
                arguments = params.get("arguments")
                tool: DemoTool = self._named(self.tools, params, "name", "tool")
                return tool.call(arguments if isinstance(arguments, dict) else {})
            case "resources/list" if self.resources:
                return {"resources": [definition for definition, _ in self.resources.values()]}
            case "resources/templates/list" if self.resources:
                return {"resourceTemplates": []}
            case "resources/read" if self.resources:
                definition, read = self._named(self.resources, params, "uri", "resource")
                content = {"uri": definition["uri"], "mimeType": definition["mimeType"], "text": read()}
                return {"contents": [content]}
            case "prompts/list" if self.prompts:
                return {"prompts": [definition for definition, _ in self.prompts.values()]}
            case "prompts/get" if self.prompts:
                return self.prompt(params)
        raise RpcError(-32601, f"Method not found: {method}")

    def introduction(self) -> JSON:
        """Return the server's information for the first response in both eras."""
        capabilities: JSON = {"tools": {}}
        if self.resources:
            capabilities["resources"] = {}
        if self.prompts:
            capabilities["prompts"] = {}
        return {"capabilities": capabilities, "instructions": self.instructions}

    def prompt(self, params: JSON) -> JSON:
        """Return a prompt with its arguments inserted."""
        definition, fill = self._named(self.prompts, params, "name", "prompt")
        arguments = params.get("arguments")
        arguments = arguments if isinstance(arguments, dict) else {}
        for argument in definition.get("arguments", []):
            if argument.get("required") and not arguments.get(argument["name"]):
                raise RpcError(-32602, f"The prompt needs {argument['name']!r}")
        try:
            text = fill(arguments)
        except DemoError as error:
            raise RpcError(-32602, str(error)) from error
        message = {"role": "user", "content": {"type": "text", "text": text}}
        return {"description": definition["description"], "messages": [message]}

    @staticmethod
    def _named(offered: dict[str, Any], params: JSON, key: str, what: str) -> Any:
        name = params.get(key)
        if not isinstance(name, str) or name not in offered:
            raise RpcError(-32002 if what == "resource" else -32602, f"Unknown {what}: {name}")
        return offered[name]


def check_arguments(schema: JSON, arguments: JSON) -> None:
    """Check arguments against the part of JSON Schema that the demo tools use.

    Raises:
        DemoError: an argument is missing or invalid, in words.
    """
    properties: dict[str, JSON] = schema["properties"]
    for name in schema.get("required", []):
        if name not in arguments:
            raise DemoError(f"{name} is missing. Needed: {', '.join(schema['required'])}.")
    for name, value in arguments.items():
        wanted = properties.get(name)
        if wanted is None:
            raise DemoError(f"There is no argument {name}. There are: {', '.join(properties)}.")
        check_value(name, wanted, value)


def check_value(name: str, wanted: JSON, value: Any) -> None:
    """Check one value against its schema.

    Raises:
        DemoError: it is invalid.
    """
    kind = wanted["type"]
    if not isinstance(value, _TYPES[kind]) or (kind == "integer" and isinstance(value, bool)):
        raise DemoError(f"{name} must be of type {kind}, not {json.dumps(value)}.")
    if "enum" in wanted and value not in wanted["enum"]:
        raise DemoError(f"{name} must be one of {', '.join(map(str, wanted['enum']))}, not {json.dumps(value)}.")
    if kind == "string" and len(value.strip()) < wanted.get("minLength", 0):
        raise DemoError(f"{name} must not be empty.")
    if kind == "integer" and not wanted.get("minimum", value) <= value <= wanted.get("maximum", value):
        raise DemoError(f"{name} must be from {wanted['minimum']} to {wanted['maximum']}, not {value}.")
    if kind == "array":
        for item in value:
            check_value(f"each of {name}", wanted["items"], item)


def _error(message_id: object, code: int, text: str) -> JSON:
    return {"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": text}}


def serve(server: DemoServer) -> int:
    """Answer stdin, line by line, until it ends."""
    output = sys.stdout.buffer
    try:
        for line in sys.stdin.buffer:
            if not line.strip():
                continue
            answer = answer_line(server, line)
            if answer:
                output.write(json.dumps(answer, separators=(",", ":")).encode("ascii") + b"\n")
                output.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # otherwise the interpreter reports stdout at exit
    return 0


def answer_line(server: DemoServer, line: bytes) -> JSON | list[JSON] | None:
    """Return the response to a line: one message, or a batch (revision 2025-03-26)."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _error(None, -32700, f"Parse error: {error}")
    if isinstance(message, list) and message:
        return [answer for item in message if (answer := server.answer(item)) is not None]
    return server.answer(message)
