"""Servers: the entries of ``servers.json`` and the states that a connection can be in (docs/contract.md 2, docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, field

from toolnote_desktop.model.document import Document, MisfitError, Report, parse_entry, without_nulls
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
    """How to sign in to a server that wants to know its programs beforehand, under ``"toolnote": {"signIn": …}``."""

    secret_fields: ClassVar = frozenset({"client_secret"})

    client_id: str | None = None
    """What the server calls us; an https address is that of a client-id metadata document."""
    client_secret: str | None = None
    client_secret_method: Literal["client_secret_post", "client_secret_basic"] = "client_secret_post"
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """The port of the address that the browser comes back to, where the server knows only one."""


class ServerOptions(Document, frozen=True):
    """Our own keys of a server's entry, under ``"toolnote"``."""

    prefix: str | None = None
    per_client: bool = False
    toolset: str | None = None
    """The toolset that this server's tools join when they are seen for the first time."""
    start_timeout: Annotated[float, Meta(gt=0)] | None = None
    """Seconds that the server may take to start; None is the default of its kind."""
    era: Literal["handshake", "modern"] | None = None
    """The era of a server that has to be spoken to in one of two; None leaves it to ``proxy/era_choice.py``."""
    sign_in: SignInOptions = SignInOptions()


class Server(Document, frozen=True):
    """One entry of ``servers.json``. ``${…}`` in its values is expanded at launch only."""

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
    """Seconds for one call; progress restarts it. None: no limit."""
    toolnote: ServerOptions = ServerOptions()

    @classmethod
    def prepared(cls, raw: Any) -> Any:
        """A missing type follows from what is there; other programs' spellings are taken (case C46)."""
        if not isinstance(raw, dict):
            return raw
        raw = without_nulls(raw)  # some programs write null for "not set"
        if "toolnote" in raw:
            ours = raw["toolnote"] = without_nulls(raw["toolnote"])
            if isinstance(ours, dict) and "signIn" in ours:
                ours["signIn"] = without_nulls(ours["signIn"])
        given = raw.get("type")
        if given is None:
            kind = "http" if raw.get("url") and not raw.get("command") else "stdio"
        elif isinstance(given, str) and given in _TYPES:
            kind = _TYPES[given]
        else:
            raise MisfitError(f"type {given!r} is not stdio, http or sse")
        needed = "command" if kind == "stdio" else "url"
        if not raw.get(needed):
            raise MisfitError(f"a server of type {kind} needs a {needed}")
        return {**raw, "type": kind}


def parse_servers(raw: Mapping[str, Any], report: Report) -> dict[str, Server]:
    """The usable entries of ``servers.json``, in the file's order."""
    entries = raw.get("mcpServers")
    if entries is None:
        return {}
    if not isinstance(entries, dict):
        report("mcpServers", "not an object")
        return {}
    servers = {server: parse_entry(Server, entry, f"server {server}", report) for server, entry in entries.items()}
    return {server: entry for server, entry in servers.items() if entry is not None}


def secret_values(server: Server) -> Iterator[str]:
    """What of an entry must be in no log, error or report (docs/contract.md 4): values of env and headers, each behind its
    scheme too, what a url has beside its address, and what of the arguments is secret by its name.
    """
    yield from server.env.values()
    for value in server.headers.values():
        yield value
        yield value.partition(" ")[2]
    yield server.toolnote.sign_in.client_secret or ""
    yield from secrets_in_words(server.args)
    yield from secrets_in_url(server.url or "")


class ServerState(StrEnum):
    """States of a connection (docs/architecture.md, decision 2)."""

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
    """How a server's connection is, and why.

    Attributes:
        problem: what is wrong, for every state but starting, downloading, ready and disabled.
        problems: what is wrong with single things of a ready server (a malformed tool, a list that could not be read).
    """

    state: ServerState
    problem: Problem | None = None
    problems: tuple[Problem, ...] = ()
    protocol_version: str | None = None
    server_info: Mapping[str, Any] = field(default_factory=dict)
    pid: int | None = None
