"""Servers: entries of ``servers.json`` and connection states (docs/contract.md 2, docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.clients import is_lost
from toolnote_desktop.model.document import Document, InvalidEntryError, Report, parse_entry, without_nulls
from toolnote_desktop.model.edits import INHERIT_ALL, OWN_KEY
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.secrets.secret_masks import secrets_in_url, secrets_in_words

_TYPES = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamableHttp": "http",
    "streamable_http": "http",
    "sse": "sse",
}


class SignInOptions(Document, frozen=True):
    """Sign-in to a server that requires pre-registered clients, under ``"toolnote": {"signIn": …}``."""

    secret_fields: ClassVar = frozenset({"client_secret"})

    client_id: str | None = None
    """OAuth client id; an https URL is that of a client-id metadata document."""
    client_secret: str | None = None
    client_secret_method: Literal["client_secret_post", "client_secret_basic"] = "client_secret_post"
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port of the redirect URI, for servers that registered a single one."""


class ReviewDecision(Document, frozen=True):
    """Decision of the user on a changed definition or text, under ``review`` (docs/contract.md 3).

    Attributes:
        decision: ``keep`` serves the accepted definition until another one is accepted.
        fingerprint: of the definition that was decided on; ``accept`` counts for no other.
    """

    decision: Literal["accept", "keep"]
    fingerprint: str


SOURCE_TITLE_LIMIT: Final = 80
"""Characters of a source's title."""


class ServerOptions(Document, frozen=True):
    """Toolnote's own keys in a server's entry, under ``"toolnote"``."""

    title: str = ""
    """The user's name for it, shown instead of its id; assistants, commands and documents go on using the id."""
    prefix: str | None = None
    per_client: bool = False
    toolset: str | None = None
    """Toolset to which this server's tools are added when they are first seen."""
    start_timeout: Annotated[float, Meta(gt=0)] | None = None
    """Seconds that the server may take to start; None: the default of its kind."""
    inherit: tuple[str, ...] | None = None
    """Variables that it gets beside the usual ones, among them those that are withheld (``system/environment.py``);
    None for an entry that gets all of them, because it is older than this key (``edits.INHERIT_ALL``)."""
    era: Literal["handshake", "modern"] | None = None
    """Protocol era to use; None: detected (``proxy/upstream``)."""
    record_contents: Annotated[int, Meta(ge=1, le=365)] | None = None
    """Days for which arguments and results of its calls are recorded; None: they are not (docs/contract.md 2)."""
    sign_in: SignInOptions = SignInOptions()
    instructions: bool = True
    """Send the server's own instructions to clients."""
    about: str = ""
    """What the server is for, in the user's words: for the first line of instructions."""
    registry_text: str = ""
    """The public registry's description of it, from when it was added."""
    instructions_note: str = ""
    """The user's words on the server as a whole, after its own instructions."""
    changes: Literal["accept", "show", "hold-meaning", "hold"] = "show"
    """Treatment of definitions that the server changed (``tools/review.py``)."""
    keeps_heading: bool = False
    """Serve a heading like that of the user's notes in its texts as it is (``tools/imitation.py``)."""
    instructions_review: ReviewDecision | None = None
    """Decision on the server's changed instructions."""


class Server(Document, frozen=True):
    """Entry of ``servers.json``. ``${…}`` in its values is expanded at launch only."""

    secret_fields: ClassVar = frozenset({"env", "url", "headers"})

    type: str = "stdio"
    command: str | None = None
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    disabled: bool = False
    timeout: Annotated[float, Meta(gt=0)] | None = None
    """Seconds for one call, restarted by progress. None: no limit."""
    toolnote: ServerOptions = ServerOptions()

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        """Derive a missing type and normalize other programs' spellings (case C46)."""
        if not isinstance(raw, dict):
            return raw
        raw = without_nulls(raw)  # some programs write null for "unset"
        if "toolnote" in raw:
            own = raw["toolnote"] = without_nulls(raw["toolnote"])
            if isinstance(own, dict) and "signIn" in own:
                own["signIn"] = without_nulls(own["signIn"])
        given = raw.get("type")
        if given is None:
            kind = "http" if raw.get("url") and not raw.get("command") else "stdio"
        elif isinstance(given, str) and given in _TYPES:
            kind = _TYPES[given]
        else:
            raise InvalidEntryError(f"type {given!r} is not stdio, http or sse")
        needed = "command" if kind == "stdio" else "url"
        if not raw.get(needed):
            raise InvalidEntryError(f"a server of type {kind} needs a {needed}")
        return {**raw, "type": kind}


def parse_servers(raw: Mapping[str, Any], report: Report) -> dict[str, Server]:
    """Parse ``servers.json`` into its usable entries, in the file's order."""
    entries = raw.get("mcpServers")
    if entries is None:
        return {}
    if not isinstance(entries, dict):
        report("mcpServers", "not an object")
        return {}
    servers = {server: parse_entry(Server, entry, f"server {server}", report) for server, entry in entries.items()}
    own = raw.get(OWN_KEY)
    all_inherited = own.get(INHERIT_ALL) if isinstance(own, dict) else None
    found = {
        server: _withholding(entry) if isinstance(all_inherited, list) and server not in all_inherited else entry
        for server, entry in servers.items()
        if entry is not None
    }
    return {server: _holding(entry, entries[server]) for server, entry in found.items()} if is_lost(raw) else found


def _holding(server: Server, raw: Mapping[str, Any]) -> Server:
    """Return an entry whose changes are held, unless it says something else: those of before are not known."""
    if (raw.get(OWN_KEY) or {}).get("changes") is not None:
        return server
    return replace(server, toolnote=replace(server.toolnote, changes="hold"))


def _withholding(server: Server) -> Server:
    """Return an entry that was added since variables can be named, with the ones that it names."""
    if server.toolnote.inherit is not None or server.type != "stdio":
        return server
    return replace(server, toolnote=replace(server.toolnote, inherit=()))


def secret_values(server: Server) -> Iterator[str]:
    """Yield the parts of an entry that must not appear in logs, errors or reports (docs/contract.md 4): values of env
    and headers, the latter also without their scheme, all of a URL but its address, and arguments that are secret by
    name.
    """
    yield from server.env.values()
    for value in server.headers.values():
        yield value
        yield value.partition(" ")[2]
    yield server.toolnote.sign_in.client_secret or ""
    yield from secrets_in_words(server.args)
    yield from secrets_in_url(server.url or "")


class ServerState(StrEnum):
    """Connection states (docs/architecture.md, decision 2)."""

    STARTING = "starting"
    DOWNLOADING = "downloading"
    READY = "ready"
    RECONNECTING = "reconnecting"
    NEEDS_PROGRAM = "needs-program"
    NEEDS_VALUE = "needs-value"
    NEEDS_SIGN_IN = "needs-sign-in"
    FAILED = "failed"
    DISABLED = "disabled"


class ServerStatus(Struct, frozen=True):
    """State of a server's connection, with its reasons.

    Attributes:
        problem: set in every state except starting, downloading, ready and disabled.
        problems: faults of a ready server (a malformed tool, a list that could not be read).
        since: seconds since the epoch from when the server has had a problem; None without one.
    """

    state: ServerState
    problem: Problem | None = None
    problems: tuple[Problem, ...] = ()
    protocol_version: str | None = None
    server_info: Mapping[str, Any] = field(default_factory=dict)
    pid: int | None = None
    since: float | None = None
