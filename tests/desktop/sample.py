"""A realistic library for the window's tests and pictures: nine tool sources, about sixty tools, notes, toolsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from toolnote_desktop.desktop.models.needs_you import EndpointState
from toolnote_desktop.model import json_text
from toolnote_desktop.model.clients import parse_clients
from toolnote_desktop.model.edits import SetFields, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey, exposed_names
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus, parse_servers
from toolnote_desktop.model.settings import parse_settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.review import reviewed_tool
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference, parse_everywhere
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields
from toolnote_desktop.model.toolsets.toolset import parse_toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

if TYPE_CHECKING:
    from toolnote_desktop.desktop.window.window import MainWindow

CREATE_ISSUE = "Creates a new issue in Linear"
TWO_DAYS_AGO = (datetime.now(UTC) - timedelta(days=2, hours=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
LONG_AGO = "2026-01-12T09:30:00Z"

_NAMES: Mapping[str, Sequence[str]] = {
    "Linear": (
        *("create_issue", "search_projects", "update_issue", "list_teams", "add_comment", "list_issues", "get_issue"),
        *("list_users", "get_project", "update_project", "create_project", "list_cycles", "list_labels"),
        *("create_label", "list_documents", "get_document", "get_user", "list_comments", "list_milestones"),
        *("get_team", "search_documentation"),
    ),
    "Git": (
        *("git_status", "git_diff_unstaged", "git_diff_staged", "git_commit", "git_add", "git_log"),
        *("git_create_branch", "git_show"),
    ),
    "Notion": ["search", "fetch", "create_pages", "update_page", "move_pages", "create_database"],
    "Files": ["read_file", "write_file", "list_directory", "search_files", "move_file"],
    "GitHub": ["merge_pull_request", "create_pull_request", "list_pull_requests", "get_file_contents", "search_code"],
    "Slack": ["post_message", "search_messages", "list_channels", "get_thread"],
    "Calendar": ["list_events", "create_event", "find_free_time"],
    "Postgres": ["query", "list_tables"],
    "Jira (old)": ["create_ticket", "search_tickets"],
}

_STATUS: Mapping[str, ServerStatus] = {
    "Notion": ServerStatus(ServerState.NEEDS_SIGN_IN, Problem(Code.SERVER_SIGN_IN, {"server": "Notion"})),
    "Files": ServerStatus(ServerState.STARTING),
    "Postgres": ServerStatus(
        ServerState.FAILED,
        Problem(
            Code.SERVER_EXITED,
            {"server": "Postgres", "status": "1", "stderr": "could not connect to localhost:5432"},
        ),
    ),
    "Jira (old)": ServerStatus(ServerState.DISABLED),
}

_DESCRIPTIONS: Mapping[str, str] = {
    "create_issue": CREATE_ISSUE,
    "search_projects": "Finds projects by name, team or lead.",
    "update_issue": "Changes an issue: its state, assignee, labels or priority.",
    "merge_pull_request": "Merges a pull request into its base branch.",
    "git_commit": "Records changes to the repository.",
    "query": "Runs a read-only query.",
}

_ISSUE_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "The issue's title"},
        "team": {"type": "string", "description": "The team's name or id"},
        "description": {"type": "string", "description": "Markdown"},
        "priority": {"type": "integer", "minimum": 0, "maximum": 4},
        "labels": {"type": "array", "items": {"type": "string"}},
        "project": {"type": "string"},
        "assignee": {"type": "string"},
    },
    "required": ["title", "team"],
}


def servers_document(found: Catalogue | None = None) -> JsonObject:
    """``servers.json`` for the sample, or for another catalogue."""
    entries: JsonObject = {}
    for server in _NAMES if found is None else found.servers:
        if server in ("Linear", "Notion", "Slack"):
            entries[server] = {"type": "http", "url": f"https://mcp.{server.lower()}.com/mcp"}
        else:
            entries[server] = {"type": "stdio", "command": "uvx", "args": [f"mcp-server-{server.split()[0].lower()}"]}
    if "Jira (old)" in entries:
        entries["Jira (old)"]["disabled"] = True
    return {"mcpServers": entries}


def definition(name: str) -> JsonObject:
    """A tool as its server defines it."""
    description = _DESCRIPTIONS.get(name, name.replace("_", " ").capitalize() + ".")
    schema = _ISSUE_SCHEMA if name == "create_issue" else {"type": "object", "properties": {}}
    return {"name": name, "description": description, "inputSchema": schema}


def known_tools(server: str) -> tuple[KnownTool, ...]:
    """The tools of one server; one of GitHub's has changed."""
    tools = []
    for name in _NAMES[server]:
        tool = Tool(server, definition(name))
        accepted = tool
        if name == "merge_pull_request":
            accepted = Tool(server, {**definition(name), "description": "Merges a pull request."})
        tools.append(reviewed_tool(KnownTool(tool, accepted), "show", None))
    return tuple(tools)


def catalogue(statuses: Mapping[str, ServerStatus] | None = None) -> Catalogue:
    """Everything known, each server in a state of its own."""
    listings = {
        server: ServerListing(
            (statuses or _STATUS).get(server, ServerStatus(ServerState.READY)),
            # a server that is still signing in or starting shows what it had
            known_tools(server),
        )
        for server in _NAMES
    }
    keys: list[ToolKey] = [known.tool.key for listing in listings.values() for known in listing.tools]
    return Catalogue(listings, exposed_names(keys, {}))


def reference(server: str, tool: str) -> JsonObject:
    """How a toolset names a tool."""
    made = Tool(server, definition(tool))
    return {"namespacedName": made.namespaced_name, "refId": made.ref_id}


def toolset_documents() -> dict[str, JsonObject]:
    """``toolsets/*.json``."""
    everything = [reference(server, tool) for server, tools in _NAMES.items() for tool in tools]
    off = next(entry for entry in everything if entry["namespacedName"] == "Git.git_create_branch")
    off["enabled"] = False
    planning = [reference("Linear", tool) for tool in _NAMES["Linear"][:8]] + [reference("Calendar", "list_events")]
    release = [reference("GitHub", tool) for tool in _NAMES["GitHub"]]
    release += [reference("Git", tool) for tool in _NAMES["Git"]]
    release.append({"namespacedName": "Deploys.start_rollout", "refId": "0" * 64})
    return {
        "my-tools": _toolset("my-tools", "My tools", everything, _my_notes()),
        "planning-week": _toolset("planning-week", "Planning week", planning, []),
        "release-day": _toolset(
            "release-day",
            "Release day",
            release,
            [
                {
                    "toolRef": {"namespacedName": "Deploys.start_rollout", "refId": "0" * 64},
                    "notes": [_note("only-after-ten", "Never start a rollout before ten o’clock.")],
                }
            ],
        ),
    }


def notes_document() -> JsonObject:
    """``notes.json``."""
    text = (
        "Always ask which team before creating. Our teams are Engineering, Design and Product; "
        "never guess from the text."
    )
    return {"tools": {"Linear.create_issue": [_note("team-selection", text)]}}


def clients_document() -> JsonObject:
    """``clients.json``."""
    return {
        "clients": {
            "claude-desktop": {"name": "Claude Desktop"},
            "cursor": {"name": "Cursor"},
            "vscode": {"name": "VS Code"},
        }
    }


def settings_document() -> JsonObject:
    """``settings.json``."""
    return {"equippedToolset": "my-tools"}


def snapshot(
    revision: int = 1,
    *,
    found: Catalogue | None = None,
    toolsets: Mapping[str, JsonObject] | None = None,
    settings: JsonObject | None = None,
) -> Snapshot:
    """All of it, read, without a library."""
    documents = toolset_documents() if toolsets is None else toolsets
    return Snapshot(
        revision=revision,
        servers=parse_servers(servers_document(found), _refuse),
        toolsets={name: parse_toolset(name, raw, _refuse) for name, raw in documents.items()},
        settings=parse_settings({**settings_document(), **(settings or {})}, _refuse),
        clients=parse_clients(clients_document(), _refuse),
        notes=parse_everywhere(notes_document(), _refuse),
        catalogue=found or catalogue(),
    )


def large_catalogue(count: int, servers: int = 10) -> Catalogue:
    """``count`` tools of several servers, each with a description of ordinary length."""
    listings: dict[str, ServerListing] = {}
    for server in (f"source-{number}" for number in range(servers)):
        tools = []
        for number in range(count // servers):
            words = f"Reads record {number} of {server} and answers with its fields, its owner and its history. " * 2
            tool = Tool(server, {"name": f"read_{number}", "description": words, "inputSchema": {"type": "object"}})
            tools.append(KnownTool(tool, tool))
        listings[server] = ServerListing(ServerStatus(ServerState.READY), tuple(tools))
    return Catalogue(listings, {known.tool.key: known.tool.name for one in listings.values() for known in one.tools})


def _my_notes() -> list[JsonObject]:
    label = "Bug reports get the label “bug”, wishes get “enhancement”. Nothing else without asking."
    urgent = "For anything called urgent set priority to 1; the words “asap” and “today” count as urgent."
    return [
        {
            "toolRef": reference("Linear", "create_issue"),
            "notes": [
                _note("label-convention", label),
                _note("urgent-means-one", urgent, author="claude-desktop", createdAt=TWO_DAYS_AGO),
            ],
        },
        {
            "toolRef": reference("Linear", "search_projects"),
            "notes": [_note("active-only", "Leave out projects that are done or cancelled.")],
        },
        {
            "toolRef": reference("Linear", "update_issue"),
            "notes": [
                _note("no-silent-close", "Never close an issue without saying so in a comment."),
                _note("keep-assignee", "Leave the assignee as it is unless the user names somebody."),
            ],
        },
    ]


def _note(name: str, text: str, **more: object) -> JsonObject:
    return {"name": name, "note": text, "enabled": True, "author": "user", "createdAt": LONG_AGO, **more}


def _toolset(name: str, title: str, tools: list[JsonObject], notes: list[JsonObject]) -> JsonObject:
    return {
        "name": name,
        "title": title,
        "description": "",
        "version": "1.0.0",
        "createdAt": LONG_AGO,
        "lastModified": LONG_AGO,
        "tools": tools,
        "toolNotes": notes,
    }


def _refuse(entry: str, reason: str) -> None:
    raise ValueError(f"{entry}: {reason}")


# --- the same as a library on disk


def write_home(home: Home, found: Catalogue) -> None:
    """The sample's documents as files of a home."""
    home.toolsets.mkdir(parents=True)
    files = {
        home.servers: servers_document(found),
        home.settings: settings_document(),
        home.clients: clients_document(),
        home.notes: notes_document(),
        **{home.toolset(name): raw for name, raw in toolset_documents().items()},
    }
    if len(found.tools) > 200:
        everything = [
            {"namespacedName": one.tool.namespaced_name, "refId": one.tool.ref_id} for one in found.tools.values()
        ]
        files[home.toolset("release-day")] = _toolset("release-day", "Release day", everything, [])
    for path, raw in files.items():
        path.write_bytes(json_text.dumps_pretty(raw))


def open_library(home: Home, name: str = "sample") -> Library:
    """A real library: ``sample``, ``empty`` (a first run), ``long`` (awkward texts), ``full`` (300 tools)."""
    if name == "empty":
        return Library.open(home, watch=False)
    found = large_catalogue(300, 9) if name == "full" else catalogue()
    write_home(home, found)
    library = Library.open(home, watch=False)
    library.publish_catalogue(found)
    if name == "long":
        _make_long(library)
    if name == "guided":
        _guide(library)
    return library


def pretend_to_serve(window: MainWindow) -> None:
    """For pictures: the window as it is while assistants are connected."""
    link = window._link
    clients = (
        ConnectedAssistant("cursor", "cursor-vscode", False),
        ConnectedAssistant("claude-desktop", "claude-ai", True),
    )
    link.clients = lambda: clients  # type: ignore[method-assign,assignment,return-value]
    window._serving = EndpointState(url="http://127.0.0.1:8377/mcp")
    link.clients_changed.emit(clients)


@dataclass(frozen=True)
class ConnectedAssistant:
    """What the window asks of a client that is connected."""

    id: str
    name: str
    up_to_date: bool
    version: str = "3.2"
    changes_behind: int = 0


def _make_long(library: Library) -> None:
    words = "Ask which of the teams it is for, and do not go on before the answer is clear to you and to the user. "
    place = NoteTarget.in_toolset("my-tools", ToolReference(namespaced_name="Linear.create_issue"))
    library.submit(
        AddNote(place, _note("a-name-that-is-as-long-as-a-name-of-a-note-may-be", words * 12)),
        AddNote(
            place, _note("lines", "One line.\nAnother line.\n\nAnd https://example.com/" + "a-path-without-end/" * 12)
        ),
        SetFields(toolset_document("my-tools"), {"title": "Everything that the product team uses in an ordinary week"}),
    )


def _guide(library: Library) -> None:
    """Everything set that can be set, and more text than some assistants read."""
    document = toolset_document("my-tools")
    linear = ToolReference(namespaced_name="Linear.create_issue")
    fields = {
        "hints": {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": True},
        "consent": {"reason": "Everybody in the team is told of a new issue."},
        "whenToUse": "When somebody reports a bug or wishes for something.",
        "category": "Planning",
        "argumentDefaults": {"project": "Toolnote", "priority": 3},
        "hiddenArguments": ["project"],
    }
    text = "Ask which of the teams it is for, and do not go on before the answer is clear to you and to the user. "
    place = NoteTarget.in_toolset("my-tools", linear)
    library.submit(
        SetToolFields(document, linear, fields),
        AddNote(place, _note("which-team-in-full", text * 16)),
    )
