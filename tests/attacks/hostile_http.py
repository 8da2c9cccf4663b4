"""``hostile_http.py MODE``: HTTP server with one tool ``t``, hostile in one way; prints its URL."""

from __future__ import annotations

import contextlib
import gzip
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODE = sys.argv[1] if len(sys.argv) > 1 else ""
MEGABYTE = b"x" * 2**20


class Handler(BaseHTTPRequestHandler):
    """Answers the handshake, and is hostile where the mode says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

    def head(self, status: int, reason: str | None = None, **headers: str) -> None:
        """Send a status line and headers."""
        self.send_response(status, reason)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def answer(self, message: Any) -> None:
        """Answer with JSON."""
        body = json.dumps(message).encode() if not isinstance(message, bytes) else message
        self.head(200, content_type="application/json", content_length=str(len(body)))
        self.wfile.write(body)

    def do_GET(self) -> None:
        """Open the stream of notifications."""
        if MODE == "comments":
            self.head(200, content_type="text/event-stream")
            while True:
                self.wfile.write(b": x\n" * 16384)
        if MODE == "private":
            self.head(200, content_type="application/json", transfer_encoding="chunked")
            while True:
                self.chunk(b" " * 65536)
        if MODE == "event-ids":
            self.head(200, content_type="text/event-stream")
            while True:
                self.wfile.write(b"id: %s\n\nretry: 0\n\n" % (b"x" * 200_000))
        if MODE == "empty-events":
            self.head(200, content_type="text/event-stream")
            while True:
                self.wfile.write(b"data: {}\n\n" * 4096)
        if MODE == "stream-ends":
            self.head(200, content_type="text/event-stream", content_length="0")
        elif MODE == "stream-html":
            self.head(404, content_type="text/html", content_length="6")
            self.wfile.write(b"<html>")
        else:
            self.head(405, content_length="0")

    def do_DELETE(self) -> None:
        """End a session."""
        self.head(200, content_length="0")

    def do_POST(self) -> None:
        """Answer a message."""
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, request_id = message.get("method"), message.get("id")
        if MODE == "reason" and request_id is None:
            self.head(500, "a." * 30_000, content_length="0")
            return
        if MODE == "private":
            place = f"http://127.0.0.1:{self.connection.getsockname()[1]}"
            self.head(401, www_authenticate=f'Bearer resource_metadata="{place}/meta"', content_length="0")
            return
        if MODE == "challenge-header":
            self.head(401, www_authenticate="Bearer " + "scope=a,error=b " * 3_500, content_length="0")
            return
        if MODE == "busy":
            self.head(429, retry_after="1" * 4_000, content_length="0")
            return
        if MODE in ("redirect", "redirect-gzip"):
            self.redirect()
            return
        if MODE == "challenge":
            self.head(401, www_authenticate="Bearer", transfer_encoding="chunked")
            for _ in range(600):
                self.chunk(MEGABYTE)
            return
        if MODE == "headers":
            self.send_response(200)
            for number in range(200_000):
                self.send_header(f"X-{number}", "y" * 100)
            self.end_headers()
            return
        if request_id is None:
            self.head(202, content_length="0")
            return
        if method == "initialize":
            self.initialize(request_id)
        elif method == "tools/list":
            self.list_tools(request_id)
        elif MODE == "mismatch" and method == "server/discover":
            versions = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete"}
            self.answer({"jsonrpc": "2.0", "id": request_id, "result": versions})
        elif MODE == "mismatch" and method == "tools/call":
            error = {"jsonrpc": "2.0", "id": request_id, "error": {"code": -32020, "message": "x" * 60_000}}
            body = json.dumps(error).encode()
            self.head(400, content_type="application/json", content_length=str(len(body)))
            self.wfile.write(body)
        elif method == "server/discover":
            self.answer({"jsonrpc": "2.0", "id": request_id, "error": {"code": -32601, "message": "no"}})
        else:
            self.answer({"jsonrpc": "2.0", "id": request_id, "result": {}})

    def initialize(self, request_id: int) -> None:
        """Answer the handshake."""
        info = {"name": "hostile", "version": "1"}
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
        self.answer({"jsonrpc": "2.0", "id": request_id, "result": result})

    def list_tools(self, request_id: int) -> None:
        """Answer with a list of the mode."""
        if MODE == "endless-json":
            self.head(200, content_type="application/json", transfer_encoding="chunked")
            self.chunk(b'{"jsonrpc":"2.0","id":1,"result":"')
            for _ in range(600):
                self.chunk(MEGABYTE)
        elif MODE == "slow-bytes":
            self.head(200, content_type="application/json", transfer_encoding="chunked")
            while True:
                self.chunk(b" ")
                time.sleep(0.01)
        elif MODE == "one-byte-chunks":
            self.head(200, content_type="application/json", transfer_encoding="chunked")
            while True:
                self.wfile.write(b"1\r\n \r\n" * 8192)
        elif MODE == "coding":
            self.head(200, content_type="application/json", content_encoding="br", content_length="4")
            self.wfile.write(b"abcd")
        elif MODE == "gzip-bomb":
            body = gzip.compress(b'{"a":"' + b"x" * 300_000_000)
            self.head(200, content_type="application/json", content_encoding="gzip", content_length=str(len(body)))
            self.wfile.write(body)
        elif MODE == "event-line":
            self.head(200, content_type="text/event-stream", transfer_encoding="chunked")
            for _ in range(600):
                self.chunk(b"data: " + MEGABYTE)
        elif MODE == "numbers":
            tools = b"[" + b"7," * 4_000_000 + b"7]"
            self.answer(b'{"jsonrpc":"2.0","id":%d,"result":{"tools":%s}}' % (request_id, tools))
        else:
            tool = {"name": "t", "inputSchema": {"type": "object"}}
            again = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"} if MODE == "mismatch" else {}
            self.answer({"jsonrpc": "2.0", "id": request_id, "result": {"tools": [tool], **again}})

    def redirect(self) -> None:
        """Redirect to the same place with a large body."""
        if MODE == "redirect-gzip":
            body = gzip.compress(bytes(300_000_000), 1)
            self.head(307, location="/other", content_encoding="gzip", content_length=str(len(body)))
            self.wfile.write(body)
            return
        self.head(307, location="/other", transfer_encoding="chunked")
        for _ in range(600):
            self.chunk(MEGABYTE)

    def chunk(self, data: bytes) -> None:
        """Send a chunk."""
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))


class Server(ThreadingHTTPServer):
    """Server that is silent about broken connections."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore an error."""


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/mcp", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
