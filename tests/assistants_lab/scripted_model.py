"""Model on the loopback that does what a script says, for real assistants: four APIs, each with streaming.

A request's number of tool results says where in the script the conversation is. Where the wanted tool is not among the
tools of a request but one that searches tools is, that one is called first.
"""

from __future__ import annotations

import gzip
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

MODEL = "fake-model"
BETWEEN = "\0"
"""Between the namespace and the name of a tool (Codex)."""


class Step(NamedTuple):
    """Call of the tool whose name ends in ``tool``, after ``before`` was run."""

    tool: str
    arguments: dict[str, Any]
    before: Callable[[], None] | None = None


class Call(NamedTuple):
    """Tool call that the model makes."""

    name: str
    arguments: dict[str, Any]


class Request(NamedTuple):
    """What an assistant sent: the tools as (name, description), and the results and calls so far."""

    tools: list[tuple[str, str]]
    results: list[str]
    calls: list[str]
    body: dict[str, Any]


SEARCHES: dict[str, Callable[[str], dict[str, Any]]] = {
    "ToolSearch": lambda tool: {"query": f"select:mcp__toolnote__{tool}", "max_results": 1},
    "tool_search": lambda tool: {"query": tool},
    "tool_search_tool": lambda tool: {"query": tool},
    "search_tools": lambda tool: {"query": tool},
}


class Script:
    """One conversation: its steps, and all that the assistant sent."""

    def __init__(self, mark: str, steps: Sequence[Step]) -> None:
        self.mark = mark
        self.steps = steps
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._done: set[int] = set()

    def answer(self, request: Request) -> Call | str:
        """Return the model's answer."""
        with self._lock:
            self.requests.append(request)
        explicit = [call for call in request.calls if call in SEARCHES]
        at = len(request.results) - len(explicit)
        if not request.tools and not request.results:
            return "OK"
        if at >= len(self.steps):
            return "DONE"
        step = self.steps[at]
        self._prepare(at, step)
        names = [name for name, _ in request.tools]
        found = next((name for name in names if name.endswith(step.tool)), None)
        if found is not None:
            return Call(found, step.arguments)
        search = next((name for name in names if name in SEARCHES), None)
        if search is not None and request.calls[-1:] != [search]:
            return Call(search, SEARCHES[search](step.tool))
        deferred = next((name for name in names if name == "tool_call"), None)  # Qwen Code
        if deferred is not None:
            return Call(deferred, {"name": f"mcp__toolnote__{step.tool}", "arguments": step.arguments})
        return f"There is no {step.tool} among {len(names)} tools"

    def _prepare(self, at: int, step: Step) -> None:
        with self._lock:
            if step.before is None or at in self._done:
                return
            self._done.add(at)
            step.before()


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    parts = []
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict):
            parts.append(part["text"] if isinstance(part.get("text"), str) else _text(part.get("content")))
    return "\n".join(parts)


def _tools(listed: Iterable[Any]) -> list[tuple[str, str]]:
    found = []
    for tool in listed:
        if tool.get("type") == "namespace":
            found += [(f"{tool['name']}{BETWEEN}{name}", text) for name, text in _tools(tool.get("tools", ()))]
            continue
        inner = tool.get("function", tool)
        found.append((inner.get("name", inner.get("type", "?")), inner.get("description") or ""))
    return found


def read_chat(body: dict[str, Any]) -> Request:
    """Read a request of OpenAI's chat completions."""
    results, calls = [], []
    for message in body.get("messages", ()):
        if message.get("role") == "tool":
            results.append(_text(message.get("content")))
        calls += [call["function"]["name"] for call in message.get("tool_calls") or ()]
    return Request(_tools(body.get("tools") or ()), results, calls, body)


def read_responses(body: dict[str, Any]) -> Request:
    """Read a request of OpenAI's responses."""
    tools, results, calls = _tools(body.get("tools") or ()), [], []
    items = body.get("input")
    for item in items if isinstance(items, list) else ():
        kind = item.get("type")
        if kind in ("function_call_output", "custom_tool_call_output", "tool_search_output"):
            results.append(_text(item.get("output")))
            tools += _tools(item.get("tools") or ())
        elif kind in ("function_call", "custom_tool_call"):
            calls.append(item["name"])
        elif kind == "tool_search_call":
            calls.append("tool_search")
    return Request(tools, results, calls, body)


def read_messages(body: dict[str, Any]) -> Request:
    """Read a request of Anthropic's messages."""
    results, calls = [], []
    for message in body.get("messages", ()):
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block.get("type") == "tool_result":
                results.append(_text(block.get("content")))
            elif block.get("type") == "tool_use":
                calls.append(block["name"])
    return Request(_tools(body.get("tools") or ()), results, calls, body)


def read_gemini(body: dict[str, Any]) -> Request:
    """Read a request of Gemini's generateContent."""
    results, calls = [], []
    for message in body.get("contents", ()):
        for part in message.get("parts", ()):
            if "functionResponse" in part:
                results.append(json.dumps(part["functionResponse"].get("response")))
            elif "functionCall" in part:
                calls.append(part["functionCall"]["name"])
    listed = [one for tool in body.get("tools") or () for one in tool.get("functionDeclarations", ())]
    return Request(_tools(listed), results, calls, body)


Events = list[tuple[str | None, Any]]
_numbers = itertools.count(1)


def write_chat(answer: Call | str, body: dict[str, Any]) -> tuple[Any, Events]:
    """Write an answer of chat completions: whole, and as events."""
    number = next(_numbers)
    base = {"id": f"chatcmpl-{number}", "created": int(time.time()), "model": body.get("model", MODEL)}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    message: dict[str, Any] = {"role": "assistant", "content": answer if isinstance(answer, str) else None}
    reason = "stop"
    if isinstance(answer, Call):
        function = {"name": answer.name, "arguments": json.dumps(answer.arguments)}
        message["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
        reason = "tool_calls"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    chunk = {**base, "object": "chat.completion.chunk"}
    events: Events = [
        (None, {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        (None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        (None, {**chunk, "choices": [], "usage": usage}),
        (None, "[DONE]"),
    ]
    return {**base, "object": "chat.completion", "choices": [choice], "usage": usage}, events


def write_responses(answer: Call | str, body: dict[str, Any]) -> tuple[Any, Events]:
    """Write an answer of responses."""
    number = next(_numbers)
    item: dict[str, Any]
    if isinstance(answer, str):
        part = {"type": "output_text", "text": answer, "annotations": []}
        item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": [part]}
    elif answer.name == "tool_search":
        item = {"type": "tool_search_call", "id": f"ts_{number}", "execution": "client", "arguments": answer.arguments}
    else:
        space, _, name = answer.name.rpartition(BETWEEN)
        item = {"type": "function_call", "id": f"fc_{number}", "name": name, "arguments": json.dumps(answer.arguments)}
        if space:
            item["namespace"] = space
    item["status"] = "completed"
    if not isinstance(answer, str):
        item["call_id"] = f"call_{number}"
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    usage_details: dict[str, Any] = {"input_tokens_details": {"cached_tokens": 0}}
    usage_details["output_tokens_details"] = {"reasoning_tokens": 0}
    base = {"id": f"resp_{number}", "object": "response", "created_at": int(time.time()), "model": body.get("model")}
    whole = {**base, "status": "completed", "output": [item], "usage": {**usage, **usage_details}}
    order = itertools.count()

    def event(kind: str, **fields: Any) -> tuple[str, Any]:
        return kind, {"type": kind, "sequence_number": next(order), **fields}

    begun: dict[str, Any] = {**item, "status": "in_progress"}
    events: Events = [
        event("response.created", response={**base, "status": "in_progress", "output": []}),
        event("response.output_item.added", output_index=0, item=begun),
        event("response.output_item.done", output_index=0, item=item),
        event("response.completed", response=whole),
    ]
    return whole, events


def write_messages(answer: Call | str, body: dict[str, Any]) -> tuple[Any, Events]:
    """Write an answer of Anthropic's messages."""
    number = next(_numbers)
    block: dict[str, Any]
    empty: dict[str, Any]
    delta: dict[str, Any]
    if isinstance(answer, str):
        block, reason = {"type": "text", "text": answer}, "end_turn"
        empty, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": answer}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": answer.name, "input": answer.arguments}
        reason = "tool_use"
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    whole = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model"), "usage": usage}
    ended = {"stop_reason": reason, "stop_sequence": None}
    events: Events = [
        ("message_start", {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        ("message_delta", {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 5}}),
        ("message_stop", {"type": "message_stop"}),
    ]
    return {**whole, "content": [block], **ended}, events


def write_gemini(answer: Call | str, body: dict[str, Any]) -> tuple[Any, Events]:
    """Write an answer of generateContent."""
    part: dict[str, Any] = {"text": answer}
    if isinstance(answer, Call):
        part = {"functionCall": {"name": answer.name, "args": answer.arguments}}
    config = body.get("generationConfig", {})
    if config.get("responseMimeType") == "application/json" or config.get("responseJsonSchema"):
        wanted = {"reasoning": "x", "next_speaker": "user", "model_choice": "flash", "complexity_score": 10}
        part = {"text": json.dumps({**wanted, "complexity_reasoning": "x", "title": "t"})}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL}
    return whole, [(None, whole)]


_APIS = {
    "/chat/completions": (read_chat, write_chat),
    "/responses": (read_responses, write_responses),
    "/messages": (read_messages, write_messages),
    ":generateContent": (read_gemini, write_gemini),
    ":streamGenerateContent": (read_gemini, write_gemini),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedModel

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing: the requests are in the scripts."""

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        about = {"object": "model", "created": 1, "owned_by": "lab", "type": "model", "display_name": MODEL}
        self._json({"object": "list", "data": [{"id": MODEL, **about}], "has_more": False, "models": []})

    def do_POST(self) -> None:
        raw = self._body()
        path = self.path.partition("?")[0]
        if path.endswith(("/count_tokens", ":countTokens")):
            self._json({"input_tokens": len(raw) // 4, "totalTokens": len(raw) // 4})
            return
        api = next((api for ending, api in _APIS.items() if path.endswith(ending)), None)
        if api is None:
            self._json({})
            return
        read, write = api
        body = json.loads(raw)
        script = self.server.script
        answer = script.answer(read(body)) if script is not None and script.mark.encode() in raw else "OK"
        whole, events = write(answer, body)
        if body.get("stream") or path.endswith(":streamGenerateContent"):
            self._events(events)
        else:
            self._json(whole)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            raw = b""
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            return gzip.decompress(raw)
        return raw

    def _json(self, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _events(self, events: Events) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, value in events:
            lines = f"event: {name}\n" if name else ""
            self.wfile.write(f"{lines}data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True


class ScriptedModel(ThreadingHTTPServer):
    """Model that follows ``script``; use it as a context manager."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: Script | None = None
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Address without a path."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def server_close(self) -> None:
        """Stop answering, too."""
        self.shutdown()
        super().server_close()
