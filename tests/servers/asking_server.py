#!/usr/bin/env python3
"""A server as most are written, on the SDK over pipes: ``asking_server.py [STARTS]``. Its tools ask in mid-call.

It settles for one era with the first message that it gets, as every server of this SDK does on pipes. STARTS is a file
to which each start adds a line: ``{"pid": …, "beside": [the pids of earlier ones that are still there]}``. Where a file
``STARTS.full`` is, a start fails.
"""

from __future__ import annotations

import json
import os
import sys
import warnings

import psutil
from mcp import types
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPDeprecationWarning
from pydantic import BaseModel

warnings.simplefilter("ignore", MCPDeprecationWarning)  # roots and sampling are deprecated, and tested here

server = MCPServer("asking")


class Person(BaseModel):
    """Fields of a form."""

    name: str


@server.tool()
async def ask_name(ctx: Context) -> str:
    """Asks by a form."""
    answer = await ctx.elicit("Who?", Person)
    return f"{answer.action} {answer.data.name if answer.action == 'accept' else ''}"


@server.tool()
async def ask_url(ctx: Context) -> str:
    """Sends the person to a page."""
    answer = await ctx.elicit_url("Please sign in", "https://sign.in/here", "sign-in-1")
    return str(answer.action)


@server.tool()
async def ask_model(ctx: Context) -> str:
    """Asks the client's model."""
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text="Hello?"))
    answer = await ctx.session.create_message([message], max_tokens=7)
    return str(answer.model_dump_json(by_alias=True, exclude_none=True))


@server.tool()
async def ask_roots(ctx: Context) -> str:
    """Asks for the client's folders."""
    return json.dumps([str(root.uri) for root in (await ctx.session.list_roots()).roots])


@server.tool()
async def who() -> str:
    """Its process id."""
    return str(os.getpid())


@server.tool()
async def crash() -> str:
    """Ends the process."""
    os._exit(3)


def note_start(path: str) -> None:
    """Write down that this process runs, and which earlier ones do."""
    with open(path, "a+", encoding="utf-8") as starts:
        starts.seek(0)
        before = [json.loads(line)["pid"] for line in starts]
        beside = [pid for pid in before if psutil.pid_exists(pid)]
        starts.write(json.dumps({"pid": os.getpid(), "beside": beside}) + "\n")
    if os.path.exists(f"{path}.full"):
        sys.exit("there is no room for another one")


if __name__ == "__main__":
    if sys.argv[1:]:
        note_start(sys.argv[1])
    server.run()
