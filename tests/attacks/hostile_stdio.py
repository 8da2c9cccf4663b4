"""``hostile_stdio.py MODE``: stdio server with one tool ``t``, hostile in one way from its first list on."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from typing import Any

OUT = sys.stdout.buffer


def send(message: Any) -> None:
    """Write one message."""
    OUT.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
    OUT.flush()


def notice(method: str, **params: Any) -> dict[str, Any]:
    """Return a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def numbers(megabytes: float) -> bytes:
    """Return a tools list that is an array of numbers."""
    return b"[" + b"7," * int(megabytes * 500_000) + b"7]"


def flood(mode: str) -> None:
    """Send messages without end, or until the pipe breaks."""
    for number in itertools.count(1):
        send(flood_message(mode, number))


def flood_message(mode: str, number: int) -> Any:
    """Return one message of a flood."""
    return {
        "flood-log": notice("notifications/message", level="info", data="x" * 200),
        "flood-progress": notice("notifications/progress", progressToken=f"toolnote-{number}", progress=1),
        "flood-list-changed": notice("notifications/tools/list_changed"),
        "flood-elicitation-complete": notice("notifications/elicitation/complete", elicitationId="x"),
        "flood-resources-updated": notice("notifications/resources/updated", uri=f"a://{number}"),
        "flood-ping": {"jsonrpc": "2.0", "id": f"p{number}", "method": "ping"},
        "flood-sampling": {
            "jsonrpc": "2.0",
            "id": f"s{number}",
            "method": "sampling/createMessage",
            "params": {"messages": []},
        },
        "flood-noise": b"no message at all " * 10,
        "flood-unknown-replies": {"jsonrpc": "2.0", "id": number + 10**6, "result": {}},
    }[mode]


def after_list(mode: str) -> None:
    """Do what is hostile in this mode."""
    if mode.startswith("flood-"):
        flood(mode)
    elif mode == "endless-line":
        while True:
            OUT.write(b"x" * 65536)
    elif mode == "stderr":
        while True:
            os.write(2, b"a.a.a.a." * 8192)
    elif mode == "stderr-lines":
        while True:
            os.write(2, b"http://user:secret@x/?a=b\n" * 2048)
    elif mode == "exit":
        os._exit(1)
    elif mode == "close-stdout":
        os.close(1)
        time.sleep(3600)
    elif mode == "deep":
        send(b'{"jsonrpc":"2.0","method":"x","params":{"a":' + b"[" * 4_000_000 + b"]" * 4_000_000 + b"}}")
    elif mode == "digits":
        send(b'{"jsonrpc":"2.0","method":"x","params":{"a":' + b"7" * 8_000_000 + b"}}")
    elif mode == "escapes":
        send(b'{"jsonrpc":"2.0","method":"x","params":{"a":"' + b"\\u00e9" * 1_300_000 + b'"}}')
    elif mode == "bad-utf8":
        send(b'{"jsonrpc":"2.0","method":"x","params":{"a":"' + b"\xe9" * 8_000_000 + b'"}}')
    elif mode == "wide-object":
        send({"jsonrpc": "2.0", "method": "x", "params": {f"k{number}": number for number in range(400_000)}})


def main(mode: str) -> None:
    """Serve."""
    tools: list[Any] = [{"name": "t", "inputSchema": {"type": "object"}}]
    begun = False
    for line in sys.stdin.buffer:
        message = json.loads(line)
        method, request_id = message.get("method"), message.get("id")
        if request_id is None:
            continue
        result: Any = {}
        if method == "initialize":
            capabilities = {"tools": {"listChanged": True}, "logging": {}, "resources": {"subscribe": True}}
            info = {"name": "hostile", "version": "1"}
            result = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info}
        elif method == "tools/list":
            if mode == "numbers":
                send(b'{"jsonrpc":"2.0","id":%d,"result":{"tools":%s}}' % (request_id, numbers(8)))
                continue
            if mode == "many-tools":
                tools = [{"name": f"t{n}", "inputSchema": {"type": "object"}} for n in range(60_000)]
            if mode == "huge-tool":
                tools = [{"name": "t", "description": "a.b://" * 500_000, "inputSchema": {"type": "object"}}]
            if mode == "pages":
                send({"jsonrpc": "2.0", "id": request_id, "result": {"tools": tools, "nextCursor": str(time.time())}})
                continue
            if mode == "relist":
                send({"jsonrpc": "2.0", "id": request_id, "result": {"tools": tools}})
                send(notice("notifications/tools/list_changed"))
                continue
            result = {"tools": tools}
        elif method in ("resources/list", "prompts/list", "resources/templates/list"):
            result = {{"resources/list": "resources", "prompts/list": "prompts"}.get(method, "resourceTemplates"): []}
        elif method == "tools/call":
            if mode == "hang":
                time.sleep(3600)
            text = "x" * (8_000_000 if mode == "big-result" else 10)
            result = {"content": [{"type": "text", "text": text}]}
        send({"jsonrpc": "2.0", "id": request_id, "result": result})
        if method == "tools/list" and not begun:
            begun = True
            after_list(mode)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except BrokenPipeError:
        os._exit(0)
