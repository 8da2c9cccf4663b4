"""A demo server over streamable HTTP, behind the real proxy: the same tools, notes and answers as over pipes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.proxy.running import TOOLSET, running
from toolnote_desktop.demo.server import DemoServer
from toolnote_desktop.demo.tracker import tracker
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.paths import Home


@contextmanager
def over_http(server: DemoServer) -> Iterator[str]:
    """The address of a demo server for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = server.answer(message)
            body = b"" if answer is None else json.dumps(answer).encode()
            self.send_response(200 if body else 202)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.send_response(405)
            self.send_header("content-length", "0")
            self.end_headers()

        do_DELETE = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listening.serve_forever, name="demo over HTTP")
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.server_port}/mcp"
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def test_a_demo_server_over_http_is_listed_noted_and_called(home: Home) -> None:
    with over_http(tracker()) as url:
        entry = {"type": "http", "url": url, "toolnote": {"toolset": TOOLSET}}
        with running(home, {"tracker": entry}) as proxy:
            client = proxy.client()
            client.initialize()
            place = NoteTarget.in_toolset(TOOLSET, ToolReference(namespaced_name="tracker.list_teams"))
            proxy.library.submit(AddNote(place, {"name": "first", "note": "Look here first."}))
            listed = client.tool("tracker_list_teams")["description"]
            assert listed.endswith("### Additional Tool Notes\n\n• **first**: Look here first.")
            teams = json.loads(client.call("tracker_list_teams").result["content"][0]["text"])["teams"]
            assert "Engineering" in [team["name"] for team in teams]
            assert client.call("tracker_get_issue", {"id": "no-such-issue"}).result["isError"] is True
