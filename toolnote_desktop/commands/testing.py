"""``toolnote servers test ID``: a real connection, and its result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import count, print_json, print_note, print_text
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.one_shot.list_servers import list_servers

TEST_SECONDS = 120.0
"""Time limit: the first run through npx or uvx downloads the server."""


def run(arguments: argparse.Namespace, home: Home) -> int:
    """Connect, list and print; exit status 1 if the server does not become ready."""
    with open_library(home) as library:
        if arguments.id not in library.snapshot.servers:
            unusable = [p for p in library.snapshot.problems if p.parameters.get("entry") == f"server {arguments.id}"]
            if unusable:
                raise ToolnoteError(unusable[0].code, **unusable[0].parameters)
            raise ToolnoteError(Code.SERVER_NOT_FOUND, server=arguments.id)
        statuses = list_servers(library, [arguments.id], timeout=TEST_SECONDS, on_status=_print_progress)
        status = statuses.get(arguments.id)
        snapshot = library.snapshot
    if status is None or status.state is ServerState.STARTING:
        problem = Problem(Code.SERVER_SILENT, {"server": arguments.id, "seconds": f"{TEST_SECONDS:.0f}"})
        status = ServerStatus(ServerState.FAILED, problem)
    described = _describe(snapshot, arguments.id, status)
    if arguments.json:
        print_json(described)
    elif status.state is ServerState.READY:
        _print_result(described)
    if status.state is ServerState.READY:
        return 0
    print_note(english(status.problem) if status.problem else f'server "{arguments.id}" is not ready ({status.state})')
    return 1


def _print_progress(server: str, status: ServerStatus) -> None:
    if status.state is ServerState.DOWNLOADING and sys.stderr.isatty():  # for a user who waits, not for a log
        print_note(f"{server} is being downloaded")


def _describe(snapshot: Snapshot, server: str, status: ServerStatus) -> JsonObject:
    listing = snapshot.catalogue.servers[server]
    problems = [*([status.problem] if status.problem else []), *status.problems]
    return {
        "id": server,
        "state": str(status.state),
        "serverInfo": dict(status.server_info),
        "protocolVersion": status.protocol_version,
        "tools": [known.tool.name for known in listing.tools if known.listed],
        "prompts": sum(known.listed for known in listing.prompts),
        "resources": len(listing.resources) + len(listing.resource_templates),
        "problems": [{"code": str(problem.code), "text": english(problem)} for problem in problems],
    }


def _print_result(described: JsonObject) -> None:
    info = described["serverInfo"]
    name = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    offers = [
        count(len(described["tools"]), "tool"),
        count(described["prompts"], "prompt"),
        count(described["resources"], "resource"),
    ]
    print_text(
        f"{described['id']} is ready: {name or 'unnamed'}, protocol {described['protocolVersion']}; {', '.join(offers)}"
    )
    for tool in described["tools"]:
        print_text(f"  {tool}")
    for problem in described["problems"]:
        print_text(f"! {problem['text']}")


RUN: Final[Mapping[str, Command]] = {
    "test": run,
}
