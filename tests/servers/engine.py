"""Behaviour of a test server on all transports. ``raw_server.py`` describes the scenario's keys."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from typing import Any

from tests.servers.behaviours import BEHAVIOURS, DEFINITIONS, Call
from tests.servers.extended import Extended
from tests.servers.scenario import (
    HANDSHAKE_VERSIONS,
    MODERN_VERSION,
    VERSION_KEY,
    Scenario,
    encode,
    members,
    page,
)

_GRANDCHILD = """
import os, signal, sys, time
if sys.argv[2] == "1":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""


class Channel:
    """Destination of the response to a message, and its state."""

    headers: dict[str, str] = {}  # noqa: RUF012  # replaced, never changed

    def send(self, raw: bytes) -> None:
        """A notification or a request of ours, on the way to this message's answer."""
        raise NotImplementedError

    def answer(self, raw: bytes) -> None:
        """The answer."""
        raise NotImplementedError

    def garbage(self, data: bytes, newline: bool = True) -> None:
        """Bytes that are no message; a no-op where they cannot be sent."""


class Link(Channel):
    """Session of a client."""

    def __init__(self) -> None:
        self.asked: dict[str, queue.SimpleQueue[str]] = {}
        self.running: dict[str, Call] = {}
        self.listening: list[tuple[Channel, Any]] = []
        self.initialized = False
        self.calls = 0

    def broadcast(self, raw: bytes) -> None:
        """A message that belongs to no request."""
        raise NotImplementedError


class Recorder:
    """Writes down what happens, one JSON object a line; nothing where no file was asked for."""

    def __init__(self, path: str | None) -> None:
        self._file = open(path, "ab", buffering=0) if path else None  # noqa: SIM115  # open for the process's life
        self._lock = threading.Lock()

    def write(self, event: str, **values: Any) -> None:
        if self._file is not None:
            line = encode({"event": event, "at": time.time(), **values}) + b"\n"
            with self._lock:
                self._file.write(line)


class Engine:
    """Answers messages of any session by the scenario."""

    def __init__(self, scenario: Scenario, links: list[Link]) -> None:
        self.scenario = scenario
        self.links = links
        self.recorder = Recorder(scenario.get("record", None))
        self.lock = threading.Lock()
        self.frozen = False
        self.withdraw = threading.Event()
        self.streams_released = threading.Event()
        if not scenario.get("holdStreams", False):
            self.streams_released.set()
        self.now = self.most = self._asks = self._turn = 0
        self.extended = Extended(self) if scenario.get("extended", False) else None
        self.lists = [scenario.definitions("tools", self.extended.tools() if self.extended else DEFINITIONS)]
        self.lists += [Scenario({"tools": tools}).definitions("tools", []) for tools in scenario.get("later", [])]
        self.tools = self.lists[0]

    # -- the process ------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Do what the scenario wants before the first message is read."""
        scenario = self.scenario
        if pid_file := scenario.get("pidFile", None):
            with open(pid_file, "w", encoding="ascii") as file:
                file.write(str(os.getpid()))
        if grandchild := scenario.get("grandchild", None):
            flag = "1" if grandchild.get("ignoreSigterm") else "0"
            subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _GRANDCHILD, grandchild["pidFile"], flag], stdin=subprocess.DEVNULL
            )
        stderr = scenario.get("stderr", {})
        sys.stderr.write(stderr.get("start", "") + "e" * stderr.get("startBytes", 0))
        sys.stderr.flush()
        time.sleep(scenario.get("startDelayMs", 0) / 1000)
        if "control" in scenario.settings:
            threading.Thread(target=self.watch_control, daemon=True).start()
        self.act_first(scenario.action("start"))

    def act_first(self, action: Any) -> bool:
        """Carry out the part of an action that needs no message; False: nothing more may happen."""
        if action == "exit" or (isinstance(action, dict) and "exit" in action):
            os._exit(action["exit"] if isinstance(action, dict) else 0)
        if isinstance(action, dict) and "sleepMs" in action:
            time.sleep(action["sleepMs"] / 1000)
        return bool(action != "hang")

    def watch_control(self) -> None:
        """Carry out the lines that tests append to the control file."""
        path, done = self.scenario.settings["control"], 0
        while True:
            try:
                with open(path, encoding="utf-8") as file:
                    lines = file.read().split("\n")[:-1]
            except FileNotFoundError:
                lines = []
            for line in lines[done:]:
                self.command(*line.partition(" ")[::2])
            done = len(lines)
            time.sleep(0.02)

    def command(self, word: str, rest: str) -> None:
        """Carry out a line of the control file."""
        match word:
            case "change":
                self.change()
            case "exit":
                os._exit(int(rest or 0))
            case "freeze" | "thaw":
                self.frozen = word == "freeze"
            case "notify":
                for link in list(self.links):
                    link.broadcast(rest.encode())
            case "withdraw":
                self.withdraw.set()
            case "release":
                self.streams_released.set()
            case "noise":
                for link in list(self.links):
                    link.garbage(rest.encode())
            case "ping" | "ask":
                request = json.loads(rest) if rest else {"method": "ping"}
                for link in list(self.links):
                    threading.Thread(
                        target=self.ask,
                        args=(link, None, request["method"], request.get("params", {})),
                        daemon=True,
                    ).start()
            case _:
                self.recorder.write("unknown command", command=word)

    # -- change and questions ---------------------------------------------------------------------------------------

    def change(self, count: int = 1, tools: list[Any] | None = None) -> None:
        """Move on to the next list (or to these definitions) and announce it ``count`` times."""
        with self.lock:
            self._turn += 1
            following = self.lists[self._turn % len(self.lists)]
            self.tools = following if tools is None else Scenario({"tools": tools}).definitions("tools", [])
        for _ in range(count):
            self.announce("notifications/tools/list_changed")

    def announce(self, method: str) -> None:
        """Send a notification to all sessions, and to the streams of the modern era."""
        for link in list(self.links):
            if link.initialized:
                link.broadcast(encode({"jsonrpc": "2.0", "method": method}))
            with self.lock:
                listening = list(link.listening)
            for channel, listen_id in listening:
                meta = {"io.modelcontextprotocol/subscriptionId": listen_id}
                channel.send(encode({"jsonrpc": "2.0", "method": method, "params": {"_meta": meta}}))

    def ask(self, link: Link, channel: Channel | None, method: str, params: Any, timeout: float = 60.0) -> str | None:
        """Ask the client something; the raw text of its answer, None when none came."""
        with self.lock:
            self._asks += 1
            ask_id = f"ask-{self._asks}"
        waiting = link.asked[ask_id] = queue.SimpleQueue()
        raw = encode({"jsonrpc": "2.0", "id": ask_id, "method": method, "params": params})
        if channel is None:
            link.broadcast(raw)
        else:
            channel.send(raw)
        try:
            return waiting.get(timeout=timeout)
        except queue.Empty:
            return None
        finally:
            link.asked.pop(ask_id, None)

    # -- messages ---------------------------------------------------------------------------------------------------

    def receive(self, raw: bytes, link: Link, channel: Channel) -> None:
        """Handle a message from a client, in a thread of its own if it may take time."""
        text = raw.decode("utf-8", "surrogatepass")
        self.recorder.write("in", raw=text, **({"headers": channel.headers} if channel.headers else {}))
        try:
            message = json.loads(text)
        except ValueError:
            channel.answer(encode({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}))
            return
        if not isinstance(message, dict):
            channel.answer(encode({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "No batches"}}))
            return
        raw_id = members(text).get("id")
        method = message.get("method")
        if method is None:
            self.recorder.write("reply", raw=text)
            if waiting := link.asked.get(str(message.get("id"))):
                waiting.put(text)
        elif raw_id is None:
            self.notified(method, message.get("params") or {}, link)
        elif not self.frozen:
            work = (text, message, raw_id, link, channel)
            if self.slow(method):
                threading.Thread(target=self.request, args=work, daemon=True).start()
            else:
                self.request(*work)

    def slow(self, method: str) -> bool:
        """Return True if a request may block: those run in their own thread, the rest in order."""
        held = method == "subscriptions/listen" and not self.streams_released.is_set()
        return held or method == "tools/call" or method in self.scenario.get("on", {})

    def notified(self, method: str, params: Any, link: Link) -> None:
        """A notification of the client's."""
        if method == "notifications/initialized":
            link.initialized = True
        elif method == "notifications/cancelled":
            self.cancel(link, json.dumps(params.get("requestId")), cause=params)
        elif self.extended:
            self.extended.notified(method, params, link)

    def cancel(self, link: Link, raw_id: str, event: str = "cancelled", cause: Any = None) -> None:
        """Stop a call; over HTTP in the modern era the end of the connection says so."""
        self.recorder.write(event, id=raw_id)
        link.listening = [item for item in link.listening if json.dumps(item[1]) != raw_id]
        if call := link.running.get(raw_id):
            call.cause = cause or {}
            call.cancelled.set()

    def request(self, text: str, message: dict[str, Any], raw_id: str, link: Link, channel: Channel) -> None:
        """Answer a request, or do what `on` says instead."""
        method, params = message["method"], message.get("params") or {}
        meta = params.get("_meta") or {} if isinstance(params, dict) else {}
        modern = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        call = Call(self, link, channel, raw_id, text, params, modern is not None)
        action = self.scenario.action(method)
        if not self.act_first(action):
            return
        if isinstance(action, dict) and not {"exit", "sleepMs"} & set(action):
            if "raw" in action:
                channel.answer(action["raw"].replace("$ID", raw_id).encode("utf-8", "surrogatepass"))
            elif "error" in action:
                call.error(**action["error"])
            else:
                call.result(action.get("result", {}))
            return
        early = not (modern or link.initialized or method in ("initialize", "ping"))
        if early and self.scenario.get("requireInitialized", False):
            call.error(-32600, "Not initialized")
            return
        self.answer(method, params, call, modern)

    def answer(self, method: str, params: Any, call: Call, modern: str | None) -> None:
        """Return the response of a sound server."""
        scenario, era = self.scenario, self.scenario.get("era", "both")
        if self.extended and self.extended.answer(method, params, call):
            return
        match method:
            case "initialize" if era != "modern":
                versions = scenario.get("versions", HANDSHAKE_VERSIONS)
                asked = params.get("protocolVersion")
                call.result(self.introduction({"protocolVersion": asked if asked in versions else versions[-1]}))
            case "server/discover" if era != "handshake":
                call.result(self.introduction({"supportedVersions": [MODERN_VERSION]}), cacheable=True)
            case _ if modern is not None and era == "handshake" and method != "server/discover":
                supported = scenario.get("versions", HANDSHAKE_VERSIONS)
                call.error(-32022, "Unsupported protocol version", {"supported": supported, "requested": modern})
            case _ if modern is not None and modern != MODERN_VERSION:
                call.error(-32022, "Unsupported protocol version", {"supported": [MODERN_VERSION], "requested": modern})
            case "ping" if modern is None:
                call.result({})
            case "tools/list":
                self.list_page("tools", self.tools, params.get("cursor"), call)
            case "resources/list":
                self.list_page("resources", self.scenario.definitions("resources", [RESOURCE]), None, call)
            case "resources/templates/list":
                self.list_page("resourceTemplates", self.scenario.definitions("templates", [TEMPLATE]), None, call)
            case "prompts/list":
                self.list_page("prompts", self.scenario.definitions("prompts", [PROMPT]), None, call)
            case "resources/read":
                text = f"{scenario.get('name', 'raw')} {params.get('uri')}"
                call.result({"contents": [{"uri": params.get("uri"), "text": text}]}, cacheable=True)
            case "prompts/get":
                content = {"type": "text", "text": encode(params.get("arguments") or {}).decode()}
                of_name = (one for one in scenario.get("prompts", ()) if isinstance(one, dict))
                named = next((one for one in of_name if one.get("name") == params.get("name")), {})
                told = {"description": named["description"]} if isinstance(named.get("description"), str) else {}
                call.result({**told, "messages": [{"role": "user", "content": content}]})
            case "completion/complete":
                call.result({"completion": {"values": ["one", "two"]}})
            case "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" if modern is None:
                call.result({})
            case "subscriptions/listen" if modern is not None:
                self.listen(params, call)
            case "tools/call":
                self.call_tool(params, call)
            case _ if scenario.get("unknownMethods", "error") == "error":
                call.error(-32601, "Method not found")

    def introduction(self, versions: dict[str, Any]) -> dict[str, Any]:
        """Return the common part of initialize and server/discover."""
        changed = {"listChanged": bool(self.scenario.get("listChanged", True))}
        default = {"tools": changed, "prompts": changed, "resources": changed, "logging": {}, "completions": {}}
        info = {"name": self.scenario.get("name", "raw"), "version": self.scenario.get("version", "1")}
        result = {**versions, "capabilities": self.scenario.get("capabilities", default)}
        if "supportedVersions" in versions:
            result["_meta"] = {"io.modelcontextprotocol/serverInfo": info}
        else:
            result["serverInfo"] = info
        if instructions := self.scenario.get("instructions", None):
            result["instructions"] = instructions
        return {**result, **self.scenario.get("initialize", {})}

    def list_page(self, key: str, definitions: list[bytes], cursor: str | None, call: Call) -> None:
        """A page of definitions, byte for byte."""
        found = page(self.scenario, definitions, cursor) if key == "tools" else (definitions, None)
        if found is None:
            call.error(-32602, "Invalid cursor")
            return
        items, following = found
        body = b'{"' + key.encode() + b'":[' + b",".join(items) + b"]"
        body += b"" if following is None else b',"nextCursor":' + encode(following)
        call.raw_result(body + b"}", cacheable=True)

    def listen(self, params: dict[str, Any], call: Call) -> None:
        """subscriptions/listen: acknowledge, then keep the answer open for notices."""
        self.streams_released.wait()
        listen_id = json.loads(call.raw_id)
        meta = {"io.modelcontextprotocol/subscriptionId": listen_id}
        acknowledged = {"notifications": params.get("notifications", {}), "_meta": meta}
        with self.lock:  # no change is announced between the two
            if self.scenario.get("acknowledge", True):
                call.notify("notifications/subscriptions/acknowledged", acknowledged)
            call.link.listening.append((call.channel, listen_id))

    def call_tool(self, params: dict[str, Any], call: Call) -> None:
        """Run a tool, counted and cancellable."""
        name = params.get("name")
        own = self.extended.behaviours if self.extended else {}
        behaviour = {**BEHAVIOURS, **own}.get(self.scenario.get("calls", {}).get(name, name))
        if behaviour is None:
            if not any(tool_name(raw) == name for raw in self.tools):
                call.error(-32602, f"Unknown tool: {name}")
                return
            behaviour = BEHAVIOURS["echo"]
        self.recorder.write("call", tool=name, id=call.raw_id)
        call.link.running[call.raw_id] = call
        with self.lock:
            call.link.calls += 1
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            sys.stderr.write("e" * self.scenario.get("stderr", {}).get("callBytes", 0))
            sys.stderr.flush()
            arguments = params.get("arguments")
            behaviour(call, arguments if isinstance(arguments, dict) else {})
            self.recorder.write("answered", id=call.raw_id)
        finally:
            with self.lock:
                self.now -= 1
            call.link.running.pop(call.raw_id, None)


def tool_name(raw: bytes) -> Any:
    """The name in a raw definition, None where there is none."""
    try:
        definition = json.loads(raw.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    return definition.get("name") if isinstance(definition, dict) else None


RESOURCE = {"uri": "test://one", "name": "one", "mimeType": "text/plain"}
TEMPLATE = {"uriTemplate": "test://{name}", "name": "any"}
PROMPT = {"name": "greet", "description": "Greets.", "arguments": [{"name": "who", "required": True}]}
