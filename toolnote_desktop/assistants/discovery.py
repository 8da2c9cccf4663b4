"""Which clients are installed on this system, and what servers they have. Starts no program and changes nothing."""

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
    """One configuration file of a client.

    Attributes:
        exists: whether there is one; a client may be installed and have none yet.
        servers: the names of the servers in it, without Toolnote's own.
        own: the names of Toolnote's own entries in it.
        problem: why it cannot be read; then nothing is known of what is in it.
    """

    location: ConfigLocation
    exists: bool = False
    servers: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    problem: Problem | None = None


class FoundClient(Struct, frozen=True):
    """One client, installed here or not.

    Attributes:
        files: its configuration files; none when it is not installed.
        chosen: the one that Toolnote goes into; None when it is not installed or a person must choose_location.
        problem: why there is no chosen one.
        notes: what to tell about the choice.
    """

    client: KnownClient
    files: tuple[FoundFile, ...] = ()
    chosen: FoundFile | None = None
    problem: Problem | None = None
    notes: tuple[Problem, ...] = ()

    @property
    def installed(self) -> bool:
        """Whether the client is on this system."""
        return bool(self.files)

    @property
    def connected(self) -> bool:
        """Whether one of its files has Toolnote in it."""
        return any(file.own for file in self.files)


def find_clients(
    environment: Environment, identity: ToolnoteIdentity, clients: Iterable[KnownClient] = tuple(CLIENTS.values())
) -> tuple[FoundClient, ...]:
    """Every client, in the order given, whether it is installed or not. What is wrong with a file is told in it."""
    return tuple(_find(client, environment, identity) for client in clients)


def detect_client(file: Path, environment: Environment) -> KnownClient | None:
    """Whose configuration a file is, the user's or a project's: by its name and its folder's. None for anybody's."""
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
    """The file that Toolnote goes into, and what to tell about the choice.

    Raises:
        ToolnoteError: ``client-not-installed``, or ``client-file-ambiguous`` when a person must say which (case C52).
    """
    choice = choose_location(client, client.locations(environment))
    if choice.location is None:
        problem = choice.problem or Problem(Code.CLIENT_NOT_INSTALLED, {"client": client.name})
        raise ToolnoteError(problem.code, **problem.parameters)
    return choice.location.file, choice.notes


def server_entries(client: KnownClient, value: Any) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every object of a client's file that holds servers, with its path: the usual one first, then projects'."""
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
    files = tuple(_look_into(client, location, identity) for location in locations)
    chosen = next((file for file in files if file.location is choice.location), None)
    return FoundClient(client, files, chosen, choice.problem, choice.notes)


def _look_into(client: KnownClient, location: ConfigLocation, identity: ToolnoteIdentity) -> FoundFile:
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
    """Its servers stand in lists, which a file that is written to has not."""
    paths = [path for path in client.more_servers_at if path[0] == "experimental"]
    found = find_servers(root, paths, lambda _line, _reason: None) if root is not None else []
    return [(name, node.value) for servers in found for name, node in servers.entries.items()]


def _unreadable(client: KnownClient, location: ConfigLocation, reason: str) -> Problem:
    parameters = {"client": client.name, "file": str(location.file), "reason": reason}
    return Problem(Code.CLIENT_FILE_UNREADABLE, parameters)
