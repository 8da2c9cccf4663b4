#!/usr/bin/env python3
"""The scenarios of ``raw_server.py`` over streamable HTTP: ``http_server.py [--port N] [SCENARIO]``, on 127.0.0.1.

Prints one line when it listens: {"url": "http://127.0.0.1:PORT/mcp", "pid": N}. Any path is served.
The scenario's own key "http" is an object:

  answer     "json" | "sse" | "auto" (JSON unless something is said before the answer). Default "auto"; with "json"
             what a call says on its way is lost, as with a real server that answers in JSON only
  token      the bearer token that is required; anything else gets 401. Default none; control `token TEXT` changes it
  sessions   true: initialize gives an Mcp-Session-Id, other handshake-era messages without one get 400, with an
             unknown one 404 (control `forget`); false: stateless
  get        true: GET opens a stream, which replaces an older one; false: 405
  refuseGets list of statuses: the first GETs are refused with these
  checkHeaders  true: a modern request whose MCP-Protocol-Version, Mcp-Method or Mcp-Name header does not fit its body
             gets 400 with error -32020; default false
  closeEach  true: `Connection: close` on every answer
  closeIdle  true: every connection is closed after its first answer WITHOUT saying so (a stale kept connection)
  dropAfterRead  {METHOD: n}: the first n requests with this method are read, and the connection is closed unanswered
  forgetAt   {METHOD: n}: the first n requests with this method find their session forgotten, and all others with it
  gather     {METHOD: n}: the first n requests with this method are looked at when all of them are there
  notFound   true: 404 with the error that a method is unknown
  redirect   true: anything but /mcp/ gets 307 to /mcp/
  crlf       true: event streams use CRLF line ends;  comments true: with ": ping" comments and events without data
  split      n: bodies are written in pieces of n bytes
"""

from __future__ import annotations

import json
import os
import queue
import select
import socket
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tests.servers.engine import Channel, Engine, Link
from tests.servers.scenario import VERSION_KEY, Scenario, encode, load_scenario

_NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    **dict.fromkeys(("tasks/get", "tasks/update", "tasks/cancel"), "taskId"),
}


class Session(Link):
    """Session of a client; messages of no request wait here until a GET stream takes them."""

    def __init__(self) -> None:
        super().__init__()
        self.outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.stream: object = None

    def broadcast(self, raw: bytes) -> None:
        self.outbox.put(raw)


class Exchange(Channel):
    """POST and its response."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.headers = headers
        self.said: queue.SimpleQueue[tuple[bool, bytes]] = queue.SimpleQueue()

    def send(self, raw: bytes) -> None:
        self.said.put((False, raw))

    def answer(self, raw: bytes) -> None:
        self.said.put((True, raw))


class HttpScenarioServer(ThreadingHTTPServer):
    """Sessions and settings that all connections share."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, scenario: Scenario) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.http: dict[str, Any] = scenario.get("http", {})
        self.token: str | None = self.http.get("token")
        self.sessions: dict[str, Session] = {}
        self.common = Session()  # of requests without a session: the modern era, or "sessions": false
        self.links: list[Link] = [self.common]
        self.engine = HttpEngine(scenario, self)
        self.counted: dict[tuple[str, str], int] = {}
        self.gatherings = {method: threading.Barrier(n) for method, n in self.http.get("gather", {}).items()}
        self.lock = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError):
            super().handle_error(request, client_address)

    def open_session(self) -> tuple[str, Session]:
        """A new session and its id."""
        name, session = uuid.uuid4().hex, Session()
        self.sessions[name] = session
        self.links.append(session)
        return name, session

    def close_session(self, name: str) -> None:
        """End a session and its stream; requests that name it get 404."""
        session = self.sessions.pop(name, None)
        if session is not None:
            self.links.remove(session)
            session.outbox.put(None)

    def forget(self) -> None:
        """End all sessions."""
        for name in list(self.sessions):
            self.close_session(name)


class HttpEngine(Engine):
    """The engine, with the commands that only make sense over HTTP."""

    def __init__(self, scenario: Scenario, server: HttpScenarioServer) -> None:
        super().__init__(scenario, server.links)
        self.server = server

    def command(self, word: str, rest: str) -> None:
        match word:
            case "forget":
                self.server.forget()
            case "drop":
                for session in [self.server.common, *self.server.sessions.values()]:
                    session.outbox.put(None)
            case "token":
                self.server.token = rest
            case _:
                super().command(word, rest)


class Handler(BaseHTTPRequestHandler):
    """Handle a connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: HttpScenarioServer

    def log_message(self, format: str, *args: Any) -> None:
        """Print no log on stderr."""

    def do_POST(self) -> None:
        """A message from the client."""
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.refused():
            return
        try:
            message = json.loads(raw)
        except ValueError:
            message = None
        method = message.get("method") if isinstance(message, dict) else None
        if self.among_first("dropAfterRead", method):
            self.close_connection = True
            return
        if self.among_first("gather", method):
            self.server.gatherings[method].wait(20)
        if self.among_first("forgetAt", method):
            self.server.forget()
        modern = self.modern_version(message)
        if modern is not None and (problem := self.header_problem(message, modern)):
            error = {"code": -32020, "message": problem}
            self.reply(400, encode({"jsonrpc": "2.0", "id": message["id"], "error": error}))
            return
        found = self.session(method, modern is not None)
        if found is None:
            return
        session, session_id = found
        exchange = Exchange({key.lower(): value for key, value in self.headers.items()})
        self.server.engine.receive(raw, session, exchange)
        has_answer = not isinstance(message, dict) or ("id" in message and method is not None)
        if not has_answer:
            self.reply(202, b"")
            return
        raw_id = json.dumps(message.get("id")) if isinstance(message, dict) else "null"
        self.relay(exchange, session, raw_id, session_id, modern is not None)

    def do_GET(self) -> None:
        """Open the stream for what belongs to no request."""
        self.server.engine.recorder.write("GET", headers={k.lower(): v for k, v in self.headers.items()})
        if self.refused():
            return
        if not self.server.http.get("get", True):
            self.reply(405, b"")
            return
        if refusals := self.server.http.get("refuseGets"):
            self.reply(refusals.pop(0), b"")
            return
        found = self.session("GET", False)
        if found is None:
            return
        session = found[0]
        if not self.server.engine.streams_released.is_set():
            self.server.engine.streams_released.wait()
            while not session.outbox.empty():  # sent while no stream was open: lost
                session.outbox.get()
        self.begin_stream(None)
        session.stream = self
        while True:
            try:
                raw = session.outbox.get(timeout=0.05)
                if session.stream is not self:  # the newest stream of a session takes over
                    session.outbox.put(raw)
                    return
            except queue.Empty:
                if self.gone():
                    self.server.engine.recorder.write("GET closed")
                    return
                continue
            if raw is None:
                self.end_stream()
                return
            self.event(raw)

    def do_DELETE(self) -> None:
        """End a session."""
        name = self.headers.get("mcp-session-id", "")
        self.server.engine.recorder.write("DELETE", session=name)
        if not self.refused():
            known = name in self.server.sessions
            self.server.close_session(name)
            self.reply(200 if known else 404, b"")

    # -- before anything runs ---------------------------------------------------------------------------------------

    def refused(self) -> bool:
        """Return True if the request was answered already: a wrong token, a redirect."""
        if self.server.http.get("redirect") and urlsplit(self.path).path != "/mcp/":
            self.reply(307, b"", {"location": "/mcp/"})
            return True
        token = self.server.token
        if token is not None and self.headers.get("authorization") != f"Bearer {token}":
            self.server.engine.recorder.write("refused")
            self.reply(401, b'{"error":"unauthorized"}', {"www-authenticate": "Bearer"})
            return True
        return False

    def among_first(self, key: str, method: Any) -> bool:
        """Return True if this request is one of the first with its method that a setting is for."""
        limit = self.server.http.get(key, {}).get(method, 0)
        with self.server.lock:
            count = self.server.counted.get((key, str(method)), 0)
            self.server.counted[key, str(method)] = count + 1
        return bool(count < limit)

    def modern_version(self, message: Any) -> str | None:
        """The revision a modern request names in its envelope."""
        params = message.get("params") if isinstance(message, dict) else None
        meta = params.get("_meta") if isinstance(params, dict) else None
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        return version if isinstance(version, str) else None

    def header_problem(self, message: dict[str, Any], version: str) -> str | None:
        """Return the mismatch between headers and body."""
        if not self.server.http.get("checkHeaders"):
            return None
        method = message.get("method", "")
        wanted = {"mcp-protocol-version": version, "mcp-method": method}
        if key := _NAMED.get(method):
            wanted["mcp-name"] = message["params"].get(key)
        for header, value in wanted.items():
            if self.headers.get(header) != value:
                return f"{header} is {self.headers.get(header)!r}, the body says {value!r}"
        return None

    def session(self, method: str | None, modern: bool) -> tuple[Session, str | None] | None:
        """The session this request belongs to and, if it is new, its id; None: refused."""
        if modern or not self.server.http.get("sessions", True):
            return self.server.common, None
        if method == "initialize":
            name, session = self.server.open_session()
            return session, name
        given = self.headers.get("mcp-session-id")
        if given is None and method == "server/discover":
            return self.server.common, None
        known = self.server.sessions.get(given or "")
        if known is None:
            code = 400 if given is None else 404
            error = {"code": -32600, "message": "Missing session" if given is None else "Session not found"}
            self.server.engine.recorder.write("unknown session", session=given)
            self.reply(code, encode({"jsonrpc": "2.0", "id": "server-error", "error": error}))
            return None
        return known, None

    # -- answers ----------------------------------------------------------------------------------------------------

    def relay(self, exchange: Exchange, session: Session, raw_id: str, session_id: str | None, modern: bool) -> None:
        """Send what is said until the answer is there; a client that goes away cancels, in the modern era."""
        mode = self.server.http.get("answer", "auto")
        streaming = mode == "sse"
        if streaming:
            self.begin_stream(session_id)
        while True:
            try:
                final, raw = exchange.said.get(timeout=0.05)
            except queue.Empty:
                if self.gone():
                    self.server.engine.recorder.write("disconnected", id=raw_id)
                    if modern:
                        self.server.engine.cancel(session, raw_id, "closed")
                    return
                continue
            if not streaming and not final and mode == "auto":
                streaming = True
                self.begin_stream(session_id)
            if streaming:
                self.event(raw)
            elif final:
                unknown = self.server.http.get("notFound") and b'"code":-32601' in raw
                self.reply(404 if unknown else 200, raw, {"mcp-session-id": session_id} if session_id else None)
            if final:
                if streaming:
                    self.end_stream()
                return

    def reply(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        """A whole answer."""
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        if body:
            self.send_header("content-type", "application/json")
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.finish_headers()
        self.write(body)

    def finish_headers(self) -> None:
        """The connection's own header, and the end of them."""
        if self.server.http.get("closeEach"):
            self.send_header("connection", "close")
        self.end_headers()
        if self.server.http.get("closeIdle"):
            self.close_connection = True

    def begin_stream(self, session_id: str | None) -> None:
        """The headers of an event stream."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        if session_id:
            self.send_header("mcp-session-id", session_id)
        self.finish_headers()

    def event(self, raw: bytes) -> None:
        """Return a message as an event."""
        end = b"\r\n" if self.server.http.get("crlf") else b"\n"
        text = b"".join([b"event: message", end, *(b"data: " + line + end for line in raw.split(b"\n")), end])
        if self.server.http.get("comments"):
            text = b": ping" + end + end + b"id: 7" + end + b"data:" + end + end + text
        self.write(b"%x\r\n" % len(text) + text + b"\r\n")

    def end_stream(self) -> None:
        """The last chunk."""
        self.write(b"0\r\n\r\n")

    def write(self, data: bytes) -> None:
        """Write in pieces if asked to."""
        size = self.server.http.get("split") or max(1, len(data))
        for start in range(0, len(data), size):
            self.wfile.write(data[start : start + size])
            self.wfile.flush()

    def gone(self) -> bool:
        """Return True if the client has closed its end."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except ConnectionError:
            return True


def main(arguments: list[str]) -> None:
    """Serve until the process is ended."""
    port = 0
    if arguments[:1] == ["--port"]:
        port, arguments = int(arguments[1]), arguments[2:]
    server = HttpScenarioServer(port, load_scenario(arguments[0] if arguments else "{}"))
    server.engine.begin()
    address = f"http://127.0.0.1:{server.server_address[1]}/mcp"
    sys.stdout.write(json.dumps({"url": address, "pid": os.getpid()}) + "\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        os._exit(130)
