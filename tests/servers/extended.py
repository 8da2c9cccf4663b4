"""What a server can have beside tools: instructions, extensions, skills, tasks, pages, subscriptions, odd ``_meta``.

Scenario key ``extended`` (``raw_server.py``), on all transports and in both eras. All that is sent depends on the
request alone, so that two runs of the same session can be compared. Standard library only.
"""

from __future__ import annotations

import hashlib
import json
import threading
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tests.servers.scenario import encode
from tests.servers.task_tools import TASKS, TaskTools

if TYPE_CHECKING:
    from tests.servers.behaviours import Arguments, Call
    from tests.servers.engine import Channel, Engine, Link

ODD: dict[str, Any] = {
    "com.example/odd": {"ключ": [1, 2.5, None, "\u2028", {"": ""}], "big": 123456789012345678901234567890},
    "plain": False,
    "a/b-c.d": "é" * 3,
}
PATIENCE = 20.0
INSTRUCTIONS = "Call echo first. It repeats.\n# A heading of its own\nThen read skill://paint/SKILL.md."
UI = "io.modelcontextprotocol/ui"
SKILLS = "io.modelcontextprotocol/skills"
OWN = "com.example/own"
EXTENSIONS = {UI: {}, SKILLS: {"directoryRead": True}, TASKS: {}, OWN: {"odd": {"a/b": {}}}}
PAGE = "ui://extended/panel.html"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
FILES = {
    "skill://paint/SKILL.md": "---\nname: paint\ndescription: Paints.\n---\nRead [forms](refs/FORMS.md).",
    "skill://paint/refs/FORMS.md": "# Forms",
    "skill://acme/sing/SKILL.md": "---\nname: sing\ndescription: Sings.\n---\n",
    "skill://hum/SKILL.md": "---\nname: hum\ndescription: Hums, and is in no list.\n---\n",
    PAGE: "<!doctype html><title>Panel</title>",
    "test://one": "one",
    "test://two": "two",
}


def _skill(root: str, description: str, names: tuple[str, ...]) -> dict[str, Any]:
    files = []
    for name in names:
        raw = FILES[f"{root}/{name}"].encode()
        digest = f"sha256:{hashlib.sha256(raw).hexdigest()}"
        files.append({"uri": f"{root}/{name}", "digest": digest, "size": len(raw)})
    front = {"name": root.rpartition("/")[2], "description": description}
    return {"uri": f"{root}/SKILL.md", "frontmatter": front, "resources": files}


LISTED = [
    _skill("skill://paint", "Paints.", ("SKILL.md", "refs/FORMS.md")),
    _skill("skill://acme/sing", "Sings.", ("SKILL.md",)),
]
ALL_SKILLS = {
    skill["uri"]: skill for skill in (*LISTED, _skill("skill://hum", "Hums, and is in no list.", ("SKILL.md",)))
}


class Extended:
    """Answers of the extensions; state is per session."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.task_tools = TaskTools()
        self.listens: list[tuple[Link, Channel, Any, dict[str, Any]]] = []
        self.tasks: dict[str, dict[str, Any]] = {}
        self.ended: dict[str, Any] = {}
        self.ending = threading.Condition()
        self.levels: WeakKeyDictionary[Link, str] = WeakKeyDictionary()
        self.subscribed: WeakKeyDictionary[Link, set[str]] = WeakKeyDictionary()
        self.behaviours = {
            "begin_task": self.begin_task,
            "touch": self.touch,
            "finish_task": self.finish_task,
            "held": self.held,
            "ended": self.ended_call,
            "log": self.log,
            "sign_in": self.sign_in,
            "linked": self.linked,
            **self.task_tools.behaviours,
        }

    def tools(self) -> list[dict[str, Any]]:
        """The definitions."""
        names = ("echo", "structured", "fail", "error", "progress", "ask", "raw_result", *self.behaviours)
        tools: list[dict[str, Any]] = [
            {
                "name": name,
                "title": name.title(),
                "description": f"Does {name}.",
                "inputSchema": {"type": "object", "properties": {"any": {}}, "x-odd": [1.0, None]},
                "annotations": {"readOnlyHint": name == "echo", "x-odd": 1},
                "_meta": {**ODD, "of": name},
                "unknownKey": {"kept": [True]},
            }
            for name in names
        ]
        tools[0]["_meta"]["ui"] = {"resourceUri": PAGE, "visibility": ["model", "app"]}
        tools[1]["outputSchema"] = {"type": "object"}
        tools[2]["icons"] = [{"src": "data:image/png;base64,AAAA", "sizes": ["48x48"], "theme": "dark"}]
        return tools

    # -- lists and methods --------------------------------------------------------------------------------------------

    def answer(self, method: str, params: Any, call: Call) -> bool:
        """Answer a request; return False if it is none of these."""
        if self.task_tools.answer(method, params, call):
            return True
        match method:
            case "initialize" if self.engine.scenario.get("era", "both") != "modern":
                asked = params.get("protocolVersion")
                result = self.engine.introduction({"protocolVersion": asked})
                call.result({**result, **self.introduction(modern=False), "_meta": ODD})
            case "server/discover" if self.engine.scenario.get("era", "both") != "handshake":
                result = self.engine.introduction({"supportedVersions": ["2026-07-28"]})
                call.result({**result, **self.introduction(modern=True)}, cacheable=True)
            case "resources/list":
                resources = [
                    {"uri": "test://one", "name": "one", "size": 3, "_meta": ODD, "x-odd": {"a": 1}},
                    {"uri": PAGE, "name": "panel", "mimeType": "text/html;profile=mcp-app"},
                ]
                call.result({"resources": resources, "_meta": ODD}, cacheable=True)
            case "resources/templates/list":
                template = {"uriTemplate": "test://{name}", "name": "any", "_meta": ODD, "x-odd": 1}
                call.result({"resourceTemplates": [template]}, cacheable=True)
            case "prompts/list":
                argument = {"name": "who", "required": True, "x-odd": 1}
                call.result({"prompts": [{"name": "greet", "arguments": [argument], "_meta": ODD}]}, cacheable=True)
            case "prompts/get":
                content = {"type": "text", "text": encode(params.get("arguments") or {}).decode(), "_meta": ODD}
                call.result({"messages": [{"role": "user", "content": content}], "_meta": given_meta(params)})
            case "resources/read":
                self.read(params, call)
            case "resources/subscribe" | "resources/unsubscribe" if not call.modern:
                uris = self.subscribed.setdefault(call.link, set())
                (uris.add if method == "resources/subscribe" else uris.discard)(params.get("uri"))
                call.result({})
            case "logging/setLevel" if not call.modern:
                self.levels[call.link] = params.get("level")
                call.result({})
            case "completion/complete":
                values = [
                    params["argument"]["name"],
                    params["argument"]["value"],
                    encode(params.get("context")).decode(),
                ]
                call.result({"completion": {"values": values, "x-odd": None}, "_meta": given_meta(params)})
            case "skills/list":
                self.list_skills(params, call)
            case "skills/get":
                found = ALL_SKILLS.get(params.get("uri"))
                if found is None:
                    call.error(-32602, "Unknown skill", {"uri": params.get("uri"), "_meta": ODD})
                else:
                    call.result({"skill": found, "_meta": ODD}, cacheable=True)
            case "resources/directory/read":
                if params.get("uri") != "skill://paint":
                    call.error(-32602, "Not a directory")
                else:
                    child = {"uri": "skill://paint/refs", "name": "refs", "mimeType": "inode/directory", "_meta": ODD}
                    call.result({"resources": [child]}, cacheable=True)
            case "tasks/get" | "tasks/update" | "tasks/cancel" | "tasks/result":
                self.task(method, params, call)
            case "subscriptions/listen" if call.modern:
                self.listens.append((call.link, call.channel, json.loads(call.raw_id), params.get("notifications", {})))
                return False
            case "own/echo":
                call.result({"params": without_envelope(params), "_meta": ODD})
            case "own/error":
                call.error(-31999, "odd", {"params": without_envelope(params), "_meta": ODD})
            case "own/progress":
                token = (params.get("_meta") or {}).get("progressToken")
                for step in range(3):
                    call.notify("notifications/progress", {"progressToken": token, "progress": step, "_meta": ODD})
                call.result({})
            case _:
                return False
        return True

    def introduction(self, *, modern: bool) -> dict[str, Any]:
        """The members that such a server adds to the result of a handshake."""
        listed = {"listChanged": True}
        extensions = EXTENSIONS if modern else {key: value for key, value in EXTENSIONS.items() if key != TASKS}
        capabilities: dict[str, Any] = {
            "tools": listed,
            "prompts": listed,
            "resources": {"subscribe": True, **listed},
            "completions": {},
            "logging": {},
            "extensions": extensions,
        }
        if not modern:
            capabilities["tasks"] = {"cancel": {}, "requests": {"tools": {"call": {}}}}
        return {"capabilities": capabilities, "instructions": INSTRUCTIONS}

    def read(self, params: Any, call: Call) -> None:
        """``resources/read``."""
        uri = params.get("uri")
        if uri not in FILES:
            call.error(-32602 if call.modern else -32002, f"Resource not found: {uri}", {"uri": uri})
            return
        kind = "text/html;profile=mcp-app" if uri == PAGE else "text/plain"
        content = {"uri": uri, "mimeType": kind, "text": FILES[uri], "_meta": {**ODD, "ui": {"csp": {}}}}
        call.result({"contents": [content], "_meta": given_meta(params)}, cacheable=True)

    def list_skills(self, params: Any, call: Call) -> None:
        """``skills/list``, a skill a page."""
        at = int(params.get("cursor", "page-0").removeprefix("page-"))
        more = {"nextCursor": f"page-{at + 1}"} if at + 1 < len(LISTED) else {}
        call.result({"skills": [{**LISTED[at], "_meta": ODD}], **more, "_meta": ODD}, cacheable=True)

    def task(self, method: str, params: Any, call: Call) -> None:
        """Requests about a task."""
        task = self.tasks.get(params.get("taskId"))
        if task is None or (call.modern and method == "tasks/result"):
            call.error(-32601 if call.modern and method == "tasks/result" else -32602, "Unknown task")
            return
        result = {"content": [{"type": "text", "text": "done"}], "_meta": ODD}
        if method == "tasks/result":
            call.result(result)
        elif method == "tasks/get":
            task["polls"] += 1
            if task["polls"] > 1 and task["status"] == "working":
                task["status"] = "completed"
            done = {"result": result} if call.modern and task["status"] == "completed" else {}
            call.result({**shown(task, call.modern), **done, "_meta": ODD})
        elif method == "tasks/cancel":
            task["status"] = "cancelled"
            call.result({} if call.modern else shown(task, modern=False))
        else:
            task["update"] = params.get("inputResponses")
            call.result({})

    def notified(self, method: str, params: Any, link: Link) -> None:
        """A notification of our own extension is answered with one, and so is progress of a request of ours."""
        if method.startswith("notifications/own/") or method == "notifications/progress":
            link.broadcast(encode({"jsonrpc": "2.0", "method": "notifications/own/heard", "params": {"said": params}}))

    # -- tools --------------------------------------------------------------------------------------------------------

    def begin_task(self, call: Call, arguments: Arguments) -> None:
        """A task with the id that the arguments name."""
        task = {"taskId": arguments["id"], "status": "working", "polls": 0}
        self.tasks[arguments["id"]] = task
        if call.modern:
            call.result({"resultType": "task", **shown(task, modern=True), "_meta": ODD})
        else:
            call.result({"task": shown(task, modern=False), "_meta": ODD})

    def touch(self, call: Call, arguments: Arguments) -> None:
        """Announce that a resource has changed, to those that subscribed."""
        notice: dict[str, Any] = {"method": "notifications/resources/updated"}
        notice["params"] = {"uri": arguments["uri"], "_meta": ODD}
        if arguments["uri"] in self.subscribed.get(call.link, ()):
            call.link.broadcast(encode({"jsonrpc": "2.0", **notice}))
        self.tell_streams("resourceSubscriptions", arguments["uri"], notice["method"], {"uri": arguments["uri"]})
        call.text_result("touched", _meta=ODD)

    def finish_task(self, call: Call, arguments: Arguments) -> None:
        """Complete a task of the modern era, and tell the streams that want it."""
        task = self.tasks[arguments["id"]]
        task["status"] = "completed"
        done = {**shown(task, modern=True), "result": {"content": [], "_meta": ODD}}
        self.tell_streams("taskIds", arguments["id"], "notifications/tasks", done)
        call.text_result("finished")

    def tell_streams(self, kind: str, name: str, method: str, params: dict[str, Any]) -> None:
        """Send a notification to the streams that named this task or resource."""
        for link, channel, listen_id, wanted in self.listens:
            if name in wanted.get(kind, ()) and any(one == listen_id for _, one in link.listening):
                meta = {**ODD, "io.modelcontextprotocol/subscriptionId": listen_id}
                channel.send(encode({"jsonrpc": "2.0", "method": method, "params": {**params, "_meta": meta}}))

    def held(self, call: Call, arguments: Arguments) -> None:
        """Say that it has begun, and answer nothing until it is cancelled."""
        token = (call.params.get("_meta") or {}).get("progressToken")
        call.notify("notifications/progress", {"progressToken": token, "progress": 1, "_meta": ODD})
        call.cancelled.wait(PATIENCE)
        with self.ending:
            self.ended[arguments["key"]] = {"reason": call.cause.get("reason")} if call.cancelled.is_set() else None
            self.ending.notify_all()

    def ended_call(self, call: Call, arguments: Arguments) -> None:
        """Wait until a call of ``held`` has been cancelled, and tell why."""
        with self.ending:
            self.ending.wait_for(lambda: arguments["key"] in self.ended, PATIENCE)
        call.text_result(encode({"cancelled": self.ended.get(arguments["key"])}).decode())

    def log(self, call: Call, arguments: Arguments) -> None:
        """Messages of the session's level, or in the modern era of the request's."""
        meta = call.params.get("_meta") or {}
        level = meta.get("io.modelcontextprotocol/logLevel") if call.modern else self.levels.get(call.link, "debug")
        for number, said in enumerate(LEVELS):
            if level in LEVELS and LEVELS.index(said) >= LEVELS.index(level):
                data = {"level": said, "logger": "odd", "data": {"number": number}, "_meta": ODD}
                call.notify("notifications/message", data)
        call.text_result("logged")

    def sign_in(self, call: Call, arguments: Arguments) -> None:
        """URLElicitationRequired (2025-11-25)."""
        elicitation = {"mode": "url", "elicitationId": "e-1", "url": "https://example.org/in?a=%20#b", "message": "In"}
        call.error(-32042, "Sign in first", {"elicitations": [elicitation], "_meta": ODD})

    def linked(self, call: Call, arguments: Arguments) -> None:
        """Links to resources, listed or not."""
        link = {"type": "resource_link", "uri": "test://two", "name": "two", "_meta": ODD}
        call.result({"content": [link], "structuredContent": {"a": [1, 1.0, None]}, "_meta": ODD, "x-odd": {}})


def given_meta(params: Any) -> dict[str, Any]:
    """Return the ``_meta`` of a request, without the envelope of the modern era."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    kept = meta if isinstance(meta, dict) else {}
    return {"given": {key: value for key, value in kept.items() if not key.startswith("io.modelcontextprotocol/")}}


def without_envelope(params: Any) -> Any:
    """Return params without the envelope of the modern era."""
    return {**params, "_meta": given_meta(params)["given"]} if isinstance(params, dict) else params


def shown(task: dict[str, Any], modern: bool) -> dict[str, Any]:
    """Return a task as the era writes it."""
    times = {"createdAt": "2026-11-28T00:00:00Z", "lastUpdatedAt": "2026-11-28T00:00:00Z"}
    limits = {"ttlMs": 60000, "pollIntervalMs": 100} if modern else {"ttl": 60000, "pollInterval": 100}
    return {"taskId": task["taskId"], "status": task["status"], **times, **limits}


assert json.loads(encode(ODD)) == ODD
