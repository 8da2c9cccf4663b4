"""Checks of ``toolnote doctor``, part by part. Each yields findings and changes nothing."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from toolnote_desktop.assistants.discovery import FoundClient, find_clients
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.installing.plan import plan_install
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.commands.library import toolnote_identity
from toolnote_desktop.commands.output import count
from toolnote_desktop.commands.tool_settings import LOST_RULES
from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.scanner import scan_snapshot
from toolnote_desktop.guidance.served_tools import resolve_toolset
from toolnote_desktop.meaning.client import is_available
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc_of
from toolnote_desktop.model.tools.catalogue import ReviewState
from toolnote_desktop.model.tools.review import instructions_review
from toolnote_desktop.paths import DEFAULT_PORT, Home, belongs_to_user
from toolnote_desktop.store.audit import check_chain
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.quarantine import quarantined_files

SERVER_SECONDS = 60.0
HEALTH_SECONDS = 5.0
_PROBE_BYTES = 64 * 1024
"""Bytes that a home must have room for: an edit writes a file, and a backup of it."""


class ReportLine(Struct, frozen=True):
    """Line of the report; ``wrong`` marks a problem, the rest is information."""

    part: str
    text: str
    wrong: bool = False
    code: str | None = None


# Reported without counting as problems: such a tool is served, such a client works.
_INFORMATIVE = frozenset(
    [
        *(Code.TOOL_ODD, Code.ENTRY_ODD, Code.TOOL_CHANGED, Code.PROMPT_CHANGED, Code.INSTRUCTIONS_CHANGED),
        *(Code.CLIENT_FILE_CHOSEN, Code.FILE_DUPLICATE_KEY),
    ]
)


def _finding(part: str, problem: Problem) -> ReportLine:
    return ReportLine(part, english(problem), problem.code not in _INFORMATIVE, str(problem.code))


def check_files(library: Library, home: Home) -> Iterator[ReportLine]:
    """Check the files of the home folder."""
    snapshot = library.snapshot
    yield ReportLine("files", f"the files are in {home.root}")
    for problem in snapshot.problems:
        if problem.code is not Code.NOTE_WITHOUT_TOOL:
            yield _finding("files", problem)
    for document in snapshot.lost_rules:
        text = f"{LOST_RULES[document]} Set them again, or bring the file back, then `toolnote tool lost-rules --drop`."
        yield ReportLine("files", text, wrong=True)
    reported = {problem.parameters.get("kept") for problem in snapshot.problems}
    for one in quarantined_files(home):
        if one.kept.name not in reported:
            instead = f"{one.backup} was used instead" if one.backup else "there is no backup of it"
            text = f"{one.name} was unreadable and was set aside as {one.kept}, and {instead}"
            yield ReportLine("files", text, code=str(Code.FILE_UNREADABLE))
    if sys.platform != "win32" and (mode := _public_mode(home.root)):
        yield ReportLine(
            "files", f"{home.root} can be read by other users (mode {mode:o}); run chmod 700 on it", wrong=True
        )
    if home.run.is_dir() and not belongs_to_user(home.run):
        text = f"{home.run} belongs to another user: the app does not start with it, and no client can connect"
        yield ReportLine("files", text, wrong=True)
    for folder in (home.toolsets, home.run, home.backups):
        if folder.is_dir() and not os.access(folder, os.W_OK):
            yield ReportLine("files", f"{folder} is not writable: changes in it will not be saved", wrong=True)
    if (reason := _write_problem(home.root)) is not None:
        yield ReportLine("files", f"{home.root} cannot be written: {reason}; changes will not be saved", wrong=True)
    shared = snapshot.settings.equipped_toolset
    if shared and shared not in snapshot.toolsets:
        yield _finding("files", Problem(Code.TOOLSET_NOT_FOUND, {"name": shared}))
    for client, entry in snapshot.clients.items():
        if entry.toolset and entry.toolset not in snapshot.toolsets:
            text = english(Problem(Code.TOOLSET_NOT_FOUND, {"name": entry.toolset}))
            yield ReportLine("files", f"client {client}: {text}", wrong=True, code=str(Code.TOOLSET_NOT_FOUND))


def _write_problem(folder: Path) -> str | None:
    """Return the reason why no file can be written, such as a full disk or a quota; None if one can be."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_PROBE_BYTES))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return reason_of(error)
    return None


def _public_mode(folder: Path) -> int | None:
    mode = os.stat(folder).st_mode & 0o777
    return mode if mode & 0o077 else None


def check_endpoint(snapshot: Snapshot, home: Home) -> Iterator[ReportLine]:
    """Check that a running app answers, or else that its port is free."""
    running = read_endpoint(home)
    if running is not None:
        address = f"{running.host}:{running.port}"
        try:
            connection = http.client.HTTPConnection(running.host, running.port, timeout=HEALTH_SECONDS)
            connection.request("GET", "/health")
            status = connection.getresponse().status
            connection.close()
        except OSError as error:
            yield ReportLine(
                "app", f"the app (process {running.pid}) does not answer at {address}: {error}", wrong=True
            )
            return
        except http.client.HTTPException:
            yield ReportLine("app", f"the program at {address} is not Toolnote: it does not answer as one", wrong=True)
            return
        healthy = status == 200
        yield ReportLine(
            "app", f"the app (process {running.pid}) answers at {address} with status {status}", wrong=not healthy
        )
        return
    yield ReportLine("app", "no app is running; a client's bridge will start it")
    wanted = snapshot.settings.port
    port = DEFAULT_PORT if wanted is None else wanted
    if _is_in_use(port):  # 0, which means any free one, never is
        yield ReportLine("app", f"port {port} is used by another program: the app will use another port", wrong=True)


def _is_in_use(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def check_servers(library: Library) -> tuple[list[ReportLine], dict[str, ServerStatus]]:
    """Connect to each server that is switched on, all at once."""
    snapshot = library.snapshot
    switched_on = [server for server, entry in snapshot.servers.items() if not entry.disabled]
    findings = [
        ReportLine("servers", f'server "{server}" is switched off')
        for server, entry in snapshot.servers.items()
        if entry.disabled
    ]
    if not switched_on:
        return [*findings, ReportLine("servers", "no server is switched on")], {}
    from toolnote_desktop.proxy.one_shot.list_servers import list_servers

    statuses = list_servers(library, switched_on, timeout=SERVER_SECONDS)
    for server in switched_on:
        findings += _check_server(library.snapshot, server, statuses.get(server))
    return findings, statuses


def _check_server(snapshot: Snapshot, server: str, status: ServerStatus | None) -> Iterator[ReportLine]:
    if status is None or status.state is ServerState.STARTING:
        yield _finding("servers", Problem(Code.SERVER_SILENT, {"server": server, "seconds": f"{SERVER_SECONDS:.0f}"}))
        return
    if status.state is not ServerState.READY:
        problem = status.problem or Problem(Code.SERVER_NOT_READY, {"server": server, "state": str(status.state)})
        yield _finding("servers", problem)
        if problem.code is Code.PROGRAM_MISSING and (path := problem.parameters.get("path")):
            yield ReportLine("servers", f"looked for {problem.parameters['program']} in {path}")
        return
    listing = snapshot.catalogue.servers[server]
    tools = [known for known in listing.tools if known.listed]
    yield ReportLine("servers", f'server "{server}" is ready with {count(len(tools), "tool")}')
    for problem in status.problems:
        yield _finding("servers", problem)
    if instructions_review(listing, snapshot.servers[server].toolnote) in (ReviewState.SHOWN, ReviewState.HELD):
        yield _finding("servers", Problem(Code.INSTRUCTIONS_CHANGED, {"server": server}))
    for known in listing.prompts:
        if known.changed and known.listed:
            yield _finding("servers", Problem(Code.PROMPT_CHANGED, {"server": server, "name": known.tool.name}))
    for known in tools:
        if known.changed:
            yield _finding("servers", Problem(Code.TOOL_CHANGED, {"server": server, "tool": known.tool.name}))


def check_toolsets(snapshot: Snapshot) -> Iterator[ReportLine]:
    """Check that the tool of each entry and note exists."""
    for toolset in snapshot.toolsets.values():
        yield ReportLine("toolsets", f"toolset {toolset.name} has {count(len(toolset.tools), 'tool')}")
        for resolved in resolve_toolset(snapshot, toolset):
            known = resolved.known
            if resolved.problem is not None:
                text = f"toolset {toolset.name}: {english(resolved.problem)}"
                yield ReportLine("toolsets", text, wrong=True, code=str(resolved.problem.code))
            elif known is not None and not known.listed:
                text = f"toolset {toolset.name}: server {known.tool.server} no longer lists the tool {known.tool.name}"
                yield ReportLine("toolsets", text, wrong=True)
            elif known is not None and snapshot.servers[known.tool.server].disabled and resolved.enabled:
                text = f"toolset {toolset.name}: {known.tool.namespaced_name} is not served: its server is switched off"
                yield ReportLine("toolsets", text)
        for group in toolset.notes:
            reference = group.reference
            found = [known.tool for known in snapshot.catalogue.resolve(reference) if known.listed]
            if any(snapshot.catalogue.note_applies(reference, tool) for tool in found):
                continue
            tool = reference.namespaced_name or reference.ref_id or "?"
            for note in group.notes:
                parameters = {"toolset": toolset.name, "tool": tool, "name": note.name}
                yield _finding("toolsets", Problem(Code.NOTE_WITHOUT_TOOL, parameters))


def check_texts(snapshot: Snapshot) -> Iterator[ReportLine]:
    """Check what servers and assistants wrote for planted instructions; ``toolnote scan`` shows each."""
    found: dict[str, list[str]] = {}
    for one in scan_snapshot(snapshot):
        place = ".".join(part for part in (one.server, one.tool) if part)
        found.setdefault(place, []).append(str(one.kind))
    for place, kinds in found.items():
        text = f"{place} may try to mislead assistants ({', '.join(dict.fromkeys(kinds))}); see: toolnote scan"
        yield ReportLine("texts", text, code="text-suspicious")
    if not found:
        yield ReportLine("texts", "no planted instructions were found in what servers and assistants wrote")


def check_global_notes(snapshot: Snapshot) -> Iterator[ReportLine]:
    """Check that notes outside toolsets have a server or tool to apply to."""
    catalogue = snapshot.catalogue
    for server in snapshot.notes.servers:
        if server not in snapshot.servers:
            yield _finding("notes", Problem(Code.SERVER_NOT_FOUND, {"server": server}))
    for tool, notes in snapshot.notes.tools.items():
        found = [known for known in catalogue.by_namespaced_name.get(tool, ()) if known.listed]
        if len(found) > 1:
            yield _finding("notes", Problem(Code.TOOL_NAME_SHARED, {"tool": tool}))
        elif not found and notes:
            yield _finding("notes", Problem(Code.TOOL_NOT_FOUND, {"tool": tool}))


def check_clients(snapshot: Snapshot, home: Home) -> Iterator[ReportLine]:
    """Check the configuration files of each assistant."""
    identity = toolnote_identity(home, snapshot)
    for found in find_clients(current_environment(), identity):
        name = found.client.name
        if not found.installed:
            continue
        problems = [file.problem for file in found.files if file.problem]
        for problem in problems:
            yield _finding("assistants", problem)
        for note in found.notes:
            yield _finding("assistants", note)
        if not found.connected:
            yield ReportLine("assistants", f"{name} is installed but not connected")
            continue
        if found.problem is not None:
            yield _finding("assistants", found.problem)
        yield from _check_connected(found, home)


def _check_connected(found: FoundClient, home: Home) -> Iterator[ReportLine]:
    name = found.client.name
    for file in found.files:
        if len(file.own) > 1:
            names = ", ".join(file.own)
            yield ReportLine(
                "assistants", f"{name} contains Toolnote more than once in {file.location.file}: {names}", wrong=True
            )
        if not file.own or found.chosen is None or file.location is not found.chosen.location:
            continue
        try:
            plan = plan_install(found.client, file.location.file, home, toolnote_identity(home, Snapshot()))
        except ToolnoteError as error:
            yield _finding("assistants", error.problem)
            continue
        edited = [note for note in plan.notes if note.code is Code.CLIENT_ENTRY_EDITED]
        if edited:
            yield ReportLine("assistants", english(edited[0]), code=str(edited[0].code))
        elif plan.changes:
            text = f"{name}'s entry differs from what this version of Toolnote writes; toolnote clients install "
            yield ReportLine("assistants", f"{text}{found.client.id} --dry-run shows the difference")
        else:
            yield ReportLine("assistants", f"{name} is connected")


def check_audit(home: Home) -> Iterator[ReportLine]:
    """Check the chain of hashes of the audit."""
    import sqlite3

    try:
        found = check_chain(home)
    except sqlite3.Error as error:
        yield ReportLine("audit", f"{home.audit.name} cannot be read: {error}", wrong=True)
        return
    if found is None:
        yield ReportLine("audit", "there is no audit yet")
        return
    entries, fault = found
    if fault is None:
        yield ReportLine("audit", f"the audit has {count(entries, 'entry', 'entries')} in an unbroken chain")
        return
    about = ""
    if fault.entry is not None:
        moment = iso_utc_of(fault.entry.time / 1000)
        about = f" ({moment}, {fault.entry.actor}: {fault.entry.kind} {fault.entry.action} {fault.entry.subject})"
    text = f"entry {fault.id} of the audit was {fault.how}{about}: the chain of hashes is broken there"
    yield ReportLine("audit", text, wrong=True, code=f"audit-{fault.how}")


def check_search_model() -> Iterator[ReportLine]:
    """Check that the search can use its model."""
    if not is_available():
        yield ReportLine("search", "NumPy is not installed: tools are searched by their words alone")


def check_programs() -> Iterator[ReportLine]:
    """Check for the programs that start many servers."""
    for program, purpose in (("npx", "servers from npm"), ("uvx", "servers from PyPI")):
        path = shutil.which(program)
        yield ReportLine(
            "programs", f"{program} is {path}" if path else f"{program} is not on the PATH; it starts {purpose}"
        )
