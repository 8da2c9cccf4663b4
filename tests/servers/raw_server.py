#!/usr/bin/env python3
"""A raw JSON-RPC MCP server over stdio for odd inputs: ``raw_server.py [SCENARIO]``.

Standard library only; nothing is validated, so that anything can be sent. SCENARIO is a JSON object or the path of a
file with one. ``http_server.py`` takes the same scenario over streamable HTTP. Every key has a default; without any,
it is a well-behaved server of all revisions with the tools below.

Who it says it is
  name "raw", version "1", instructions null
  era            "both" | "handshake" | "modern" (server/discover and 2026-07-28 requests)
  versions       handshake revisions it knows; an unknown one asked for gets the last of them
  capabilities   replaces the advertised capabilities;  listChanged true: what the default ones say
  initialize     object merged into the initialize (and server/discover) result
  unknownMethods "error" | "ignore" (never answers them: SDK clients then wait ten seconds in discover)
  holdStreams    true: streams of notifications (GET, subscriptions/listen) open after control `release`; what is
                 announced before is lost
  acknowledge    false: subscriptions/listen is not acknowledged

  extended       true: tools, lists and methods of ``extended.py`` instead (tasks, skills, pages and so on)

What it lists
  tools          list of definitions. A string is RAW JSON TEXT, sent byte for byte (malformed, duplicate names, lone
                 surrogates, 30-digit integers …); an object is encoded. Default: all tools below.
  toolsFile      instead: a file with one raw definition a line
  later          list of such lists: what `change` moves on to, one after the other, round and round (first: tools)
  pageSize       definitions a page, 0 = all in one
  paging         "normal" | "loop" (the last page points to the first) | "same" (every page names itself as next)
                 | "error" (page 2 is an error) | "empty" (the last page has nextCursor "")
  prompts, resources, templates   like tools, one page; defaults: one each (resources/read, prompts/get answer)

Tools (definitions: behaviours.py; "calls": {NAME: TOOL} makes a tool of any name behave like one of these)
  echo           the raw text of the params it got          structured {..}     structuredContent = arguments
  sleep_ms {ms}  answers later; cancellable                 no_structured       outputSchema, but no structuredContent
  hang           never answers; cancellable                 fail {text}         isError result
  crash {code}   the process exits in the call              error {code, message, data}  JSON-RPC error
  big {kb}       a text that long                           raw_result {text}   the result is this raw JSON text
  progress {steps, ms, message}  notices, caller's token    raw_line {text}     a whole raw message ($ID = the id)
  ask {method, params}  asks the client in mid-call (roots/list, sampling/createMessage, elicitation/create, ping);
                 the answer's raw text comes back. In the modern era an input_required result instead. `withdraw`
                 "at once" or "later" (control `withdraw`): takes the question back and answers without it
  log {level, text, count}  notifications/message, then a result        notify {method, params, count}
  garbage {text} or {hex}: a line on stdout before its answer   endless {kb}  starts a line that never ends
  twice          answers two times                          wrong_id            answers another id first
  concurrency {ms}   how many calls ran at once: {"now", "most"}      counter    calls in this session so far
  process        {"pid", "argv", "cwd", "env"}              headers             HTTP request headers (lower case)
  _change {count, tools}   next list of `later` (or `tools`), announced `count` times (default 1; 0: silently)

How it fails. on: {METHOD or "start": ACTION or [first time, second time, …, ever after]}, an ACTION being null (do as
  usual), "hang", "exit", {"exit": code}, {"sleepMs": n} (then as usual), {"error": {…}}, {"result": {…}},
  {"raw": "text, $ID is the id"}
  startDelayMs n; ignoreSigterm; ignoreEof (stays when stdin ends); exitOnEof code
  grandchild     {"pidFile": path, "ignoreSigterm": true}: a process of its own that sleeps for ten minutes
  noise          {"start": [lines], "before": [lines], "after": [lines]} raw lines on stdout, around every answer
  stderr         {"start": text, "startBytes": n, "callBytes": n}: bytes without a newline
  requireInitialized  refuses everything before notifications/initialized (handshake era)

What it tells a test
  record         file, one JSON object a line: {"event": "in", "raw": text, "headers": {…} over HTTP}, "cancelled" {id},
                 "call" {tool, id}, "answered" {id}, "reply" {raw} (the client's answer to `ask` or ping), "signal"
                 {name}, "eof"; over HTTP also "GET", "GET closed", "DELETE", "refused" (401), "unknown session",
                 "closed" {id} (cancelled by closing), "disconnected" {id}. launch.Record reads it
  pidFile        its own process id
  control        file that is watched; each appended line is a command: `change` | `exit N` | `ping` | `notify JSON` |
                 `ask JSON` | `noise TEXT` | `freeze` (answers nothing more) | `thaw` | `withdraw` | `release` |
                 over HTTP also
                 `forget` (all sessions: 404 from now on), `drop` (GET streams end), `token TEXT` (the old bearer token
                 gets 401)
  SIGUSR1        the same as `change`
  http           see http_server.py
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from tests.servers.engine import Engine, Link
from tests.servers.scenario import Scenario, load_scenario


class Stdio(Link):
    """The one session of a stdio server: everything goes out on stdout, one message a line."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self.scenario = scenario
        self.lock = threading.Lock()

    def write(self, *lines: bytes) -> None:
        """Write whole lines; other threads' lines never come between them."""
        with self.lock:
            write_all(1, b"".join(line + b"\n" for line in lines))

    def write_bare(self, data: bytes) -> None:
        """Write bytes with no newline after them."""
        with self.lock:
            write_all(1, data)

    def send(self, raw: bytes) -> None:
        self.write(raw)

    def answer(self, raw: bytes) -> None:
        noise = self.scenario.noise
        self.write(*noise("before"), raw, *noise("after"))

    def broadcast(self, raw: bytes) -> None:
        self.write(raw)

    def garbage(self, data: bytes, newline: bool = True) -> None:
        if newline:
            self.write(data)
        else:
            self.write_bare(data)


def write_all(descriptor: int, data: bytes) -> None:
    """Write everything; the reader having gone ends the process, as it does with most servers."""
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except BrokenPipeError:
        os._exit(0)


def serve(scenario: Scenario) -> int:
    """Answer stdin until it ends."""
    link = Stdio(scenario)
    engine = Engine(scenario, [link])
    watch_signals(engine)
    engine.begin()
    if start_noise := scenario.noise("start"):
        link.write(*start_noise)
    pending = b""
    while True:
        data = os.read(0, 1 << 18)
        if not data:
            break
        *lines, pending = (pending + data).split(b"\n")
        for line in lines:
            if line.strip():
                engine.receive(line.strip(), link, link)
    engine.recorder.write("eof")
    if scenario.get("ignoreEof", False):
        threading.Event().wait()
    return int(scenario.get("exitOnEof", 0))


def watch_signals(engine: Engine) -> None:
    """SIGTERM is recorded, and ignored if the scenario says so; SIGUSR1 changes the list."""

    def on_terminate(number: int, frame: FrameType | None) -> None:
        # a thread, for the main thread may hold a lock just now
        threading.Thread(target=terminated, daemon=True).start()

    def terminated() -> None:
        engine.recorder.write("signal", name="SIGTERM")
        if not engine.scenario.get("ignoreSigterm", False):
            os._exit(143)

    def on_change(number: int, frame: FrameType | None) -> None:
        threading.Thread(target=engine.change, daemon=True).start()

    signal.signal(signal.SIGTERM, on_terminate)
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, on_change)


if __name__ == "__main__":
    try:
        status = serve(load_scenario(sys.argv[1] if len(sys.argv) > 1 else "{}"))
    except KeyboardInterrupt:
        status = 130
    os._exit(status)
