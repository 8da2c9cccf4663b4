"""Discovery of installed clients and of the servers in their files. Starts no program, changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.base import FormatError, Node
from toolnote_desktop.assistants.known_client import ConfigLocation, FileRole, KnownClient, choose_location
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.server_locations import find_servers
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError


class FoundFile(Struct, frozen=True):
    """Configuration file of a client.

    Attributes:
        exists: False for an installed client without a file.
        servers: names of the servers in it, without Toolnote's own entries.
        own: names of Toolnote's own entries.
        problem: reason why the file cannot be read; its content is unknown then.
    """

    location: ConfigLocation
    exists: bool = False
    servers: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    problem: Problem | None = None


class FoundClient(Struct, frozen=True):
    """Known client, installed or not.

    Attributes:
        files: its configuration files; empty if it is not installed.
        chosen: file for Toolnote's entry; None if the client is not installed or the user must choose.
        problem: reason why no file is chosen.
        notes: remarks on the choice.
    """

    client: KnownClient
    files: tuple[FoundFile, ...] = ()
    chosen: FoundFile | None = None
    problem: Problem | None = None
    notes: tuple[Problem, ...] = ()

    @property
    def installed(self) -> bool:
        """True if the client is on this system."""
        return bool(self.files)

    @property
    def connected(self) -> bool:
        """True if one of its files has a Toolnote entry."""
        return any(file.own for file in self.files)


def find_clients(
    environment: Environment, identity: ToolnoteIdentity, clients: Iterable[KnownClient] = tuple(CLIENTS.values())
) -> tuple[FoundClient, ...]:
    """Find all clients, in the order given, installed or not. A problem with a file is in its result."""
    return tuple(_find(client, environment, identity) for client in clients)


def detect_client(file: Path, environment: Environment) -> KnownClient | None:
    """Return the client that uses such a file, the user's or a project's, by its name and folder; None if unknown."""
    tail = file.absolute().parts[-2:]
    return next(
        (
            one
            for one in CLIENTS.values()
            if any(location.file.parts[-2:] == tail for location in one.locations(environment))
        ),
        None,
    )


def choose_config_file(client: KnownClient, environment: Environment) -> tuple[Path, tuple[Problem, ...]]:
    """Return the file for Toolnote's entry, and remarks on the choice.

    Raises:
        ToolnoteError: ``client-not-installed``, or ``client-file-ambiguous`` if the user must choose (case C52).
    """
    choice = choose_location(client, client.locations(environment))
    if choice.location is None:
        problem = choice.problem or Problem(Code.CLIENT_NOT_INSTALLED, {"client": client.name})
        raise ToolnoteError(problem.code, **problem.parameters)
    return choice.location.file, choice.notes


def server_entries(client: KnownClient, value: Any) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield the objects that hold servers in a client's file, with their paths: the usual one first."""
    for pattern in (client.servers_at, *client.more_servers_at):
        yield from _objects_at(value, pattern, ())


def _objects_at(value: Any, pattern: Sequence[str], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(value, dict):
        return
    if not pattern:
        yield path, value
        return
    for key in value if pattern[0] == "*" else [pattern[0]]:
        yield from _objects_at(value.get(key), pattern[1:], (*path, key))


def _find(client: KnownClient, environment: Environment, identity: ToolnoteIdentity) -> FoundClient:
    locations = client.locations(environment)
    choice = choose_location(client, locations)
    files = tuple(_read_file(client, location, identity) for location in locations)
    chosen = next((file for file in files if file.location is choice.location), None)
    return FoundClient(client, files, chosen, choice.problem, choice.notes)


def _read_file(client: KnownClient, location: ConfigLocation, identity: ToolnoteIdentity) -> FoundFile:
    """Read one file of a client."""
    try:
        data = read_bytes(location.file)
        if data is None:
            return FoundFile(location)
        kind = client.format_of(location.file)
        value = kind.value(decode(data).text)
    except UnreadableConfigError as error:
        return FoundFile(location, exists=True, problem=_unreadable(client, location, str(error)))
    except FormatError as error:
        return FoundFile(
            location, exists=True, problem=_unreadable(client, location, f"line {error.line}: {error.reason}")
        )
    entries = [entry for _, held in server_entries(client, value) for entry in held.items()]
    if location.role is FileRole.OLD:
        entries += _entries_of_older_file(client, kind.parse(decode(data).text).root)
    entries = [(name, entry) for name, entry in entries if not client.conventions.is_own_part(entry)]
    servers = dict.fromkeys(name for name, entry in entries if not is_own(name, entry, identity))
    own = dict.fromkeys(name for name, entry in entries if is_own(name, entry, identity))
    return FoundFile(location, exists=True, servers=tuple(servers), own=tuple(own))


def _entries_of_older_file(client: KnownClient, root: Node | None) -> list[tuple[str, Any]]:
    """Return the entries of a file whose servers are in lists, a shape that is not written to."""
    paths = [path for path in client.more_servers_at if path[0] == "experimental"]
    found = find_servers(root, paths, lambda _line, _reason: None) if root is not None else []
    return [(name, node.value) for servers in found for name, node in servers.entries.items()]


def _unreadable(client: KnownClient, location: ConfigLocation, reason: str) -> Problem:
    parameters = {"client": client.name, "file": str(location.file), "reason": reason}
    return Problem(Code.CLIENT_FILE_UNREADABLE, parameters)
