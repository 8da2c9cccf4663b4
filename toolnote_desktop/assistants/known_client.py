"""Description of an MCP client: its configuration files, the shape of its entries, its behaviour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.assistants.entry_parser import NO_CONVENTIONS, ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.base import Format
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem


class FileRole(StrEnum):
    """Use that a client makes of one of its configuration files."""

    LIVE = "live"
    """Read by the client; with two of them the user must choose."""
    ALSO = "also"
    """Read in a part of the client only: a profile, a second edition."""
    PROJECT = "project"
    """Read in one project folder only."""
    DEAD = "dead"
    """Left over: not read by the client as it is installed."""
    OLD = "old"
    """Read by the client, in an older shape that is not written to."""


class ConfigLocation(Struct, frozen=True):
    """Configuration file that a client may have; it need not exist.

    Attributes:
        label: distinction from the client's other files: a profile's name, an edition; "" for the usual one.
    """

    file: Path
    role: FileRole = FileRole.LIVE
    label: str = ""


def stdio_entry(command: Sequence[str]) -> JsonObject:
    """Return the usual entry for a server that is started by a command."""
    return {"command": command[0], "args": list(command[1:])}


def folder_locations(folder: Path, name: str, *, installed: bool = False) -> Sequence[ConfigLocation]:
    """Return the file of a client that is installed where its own folder exists, or ``installed`` is True."""
    return [ConfigLocation(folder / name)] if installed or folder.is_dir() else []


def first_is_live(locations: Iterable[ConfigLocation]) -> Sequence[ConfigLocation]:
    """Return the locations of a client that reads several files and adds servers to the first."""
    return [replace(location, role=FileRole.ALSO if n else FileRole.LIVE) for n, location in enumerate(locations)]


def typed_stdio_entry(command: Sequence[str]) -> JsonObject:
    """Return a stdio entry with its type."""
    return {"type": "stdio", **stdio_entry(command)}


def url_entry(url: str, headers: Mapping[str, str]) -> JsonObject:
    """Return the usual entry for a server at an address."""
    return {"url": url, "headers": dict(headers)}


def http_entry(url: str, headers: Mapping[str, str]) -> JsonObject:
    """Return a URL entry with its type."""
    return {"type": "http", **url_entry(url, headers)}


UrlEntry = Callable[[str, Mapping[str, str]], JsonObject]
"""Function that builds the entry of a server at an address, with headers."""


class FollowsChanges(StrEnum):
    """Use that a running session of a client makes of changed tools and notes."""

    FOLLOWS = "follows"
    """It lists tools again when notified, and its model gets the new text."""
    UNSEEN = "unseen"
    """As FOLLOWS, but a tool that its model has seen in a conversation keeps its old text there."""
    RESTART = "restart"
    """It uses the old list until a new session or a restart."""


class DisableSwitch(Struct, frozen=True):
    """Key of an entry that switches a server off, and the value that does it."""

    key: str = "disabled"
    off: bool = True


class KnownClient(Struct, frozen=True):
    """Known client, as data.

    Attributes:
        id: name in commands (docs/contract.md 4) and of its bridge.
        name: name for users.
        locations: function that returns its configuration files, or nothing where it is not installed. It reads folders
            and small files only, and starts nothing.
        servers_at: keys that lead to the servers in the file.
        more_servers_at: further such keys, for importing only; ``*`` matches any key.
        entry: function that builds the entry of a server that is started by a command.
        by_url: function that builds the entry of a server at an address; None if a bridge is needed.
        by_url_in: functions for the files in folders of these names, where they differ from ``by_url``.
        named_inside: True if an entry repeats its name as ``name``.
        switch: switch for a server in the file; None if the entry has to be removed.
        new_file: content without which the client refuses a new file.
        after_install: advice for reading a changed configuration file. Parameter: client.
        after_change: advice for reading changed tools or notes. Parameter: client. ``follows`` depends on it.
        conventions: meanings that differ from other clients'.
    """

    id: str
    name: str
    locations: Callable[[Environment], Sequence[ConfigLocation]]
    servers_at: tuple[str, ...] = ("mcpServers",)
    more_servers_at: tuple[tuple[str, ...], ...] = ()
    entry: Callable[[Sequence[str]], JsonObject] = stdio_entry
    format: Format = JSON
    by_url: UrlEntry | None = None
    by_url_in: tuple[tuple[str, UrlEntry], ...] = ()
    named_inside: bool = False
    switch: DisableSwitch | None = None
    new_file: str = ""
    after_install: Code = Code.CLIENT_QUIT_AND_OPEN
    after_change: Code = Code.CLIENT_QUIT_AND_OPEN
    conventions: ClientConventions = NO_CONVENTIONS

    def format_of(self, file: Path) -> Format:
        """Return the format of one of its files: JSON by the file's suffix, else the client's own."""
        return JSON if file.suffix in (".json", ".jsonc") else self.format

    @property
    def follows(self) -> FollowsChanges:
        """Use that a running session makes of a change."""
        return _FOLLOWING.get(self.after_change, FollowsChanges.RESTART)

    def url_entry(self, file: Path, url: str, headers: Mapping[str, str]) -> JsonObject | None:
        """Return the entry of a server at an address for one of the client's files; None if a bridge is needed."""
        build = next((build for folder, build in self.by_url_in if folder in file.parts), self.by_url)
        return build(url, headers) if build is not None else None

    def named(self, entry: JsonObject, name: str) -> JsonObject:
        """Return the entry with its name in it, where the client repeats it."""
        return {**entry, "name": name} if self.named_inside else entry

    def advice_after_install(self) -> Problem:
        """Return the advice for the user after a change of the client's file."""
        return Problem(self.after_install, {"client": self.name})

    def advice_after_change(self) -> Problem:
        """Return the advice for the user after a change of tools or notes."""
        return Problem(self.after_change, {"client": self.name})


_FOLLOWING: Mapping[Code, FollowsChanges] = {
    Code.CLIENT_FOLLOWS: FollowsChanges.FOLLOWS,
    Code.CLIENT_FOLLOWS_CACHED: FollowsChanges.FOLLOWS,
    Code.CLIENT_FOLLOWS_UNSEEN: FollowsChanges.UNSEEN,
}


class LocationChoice(Struct, frozen=True):
    """Choice of the file to write to, never silent if there are several (case C52).

    Attributes:
        location: None if the client is not installed, or the user must choose.
        problem: reason why there is none.
        notes: remarks, such as files that were not chosen.
    """

    location: ConfigLocation | None
    problem: Problem | None = None
    notes: tuple[Problem, ...] = field(default=())


def choose_location(client: KnownClient, locations: Sequence[ConfigLocation]) -> LocationChoice:
    """Choose the one live file among a client's locations."""
    live = [location for location in locations if location.role is FileRole.LIVE]
    old = next((location for location in locations if location.role is FileRole.OLD), None)
    if not live and old is not None:
        return LocationChoice(None, Problem(Code.CLIENT_FILE_OLD, {"client": client.name, "file": str(old.file)}))
    if not live:
        return LocationChoice(None, Problem(Code.CLIENT_NOT_INSTALLED, {"client": client.name}))
    if len(live) > 1:
        files = " | ".join(str(location.file) for location in live)
        return LocationChoice(None, Problem(Code.CLIENT_FILE_AMBIGUOUS, {"client": client.name, "files": files}))
    others = [location for location in locations if location is not live[0] and _worth_telling(location)]
    if not others:
        return LocationChoice(live[0])
    others_text = " | ".join(
        f"{location.file} ({location.label})" if location.label else str(location.file) for location in others
    )
    parameters: Mapping[str, Any] = {"client": client.name, "file": str(live[0].file), "others": others_text}
    return LocationChoice(live[0], notes=(Problem(Code.CLIENT_FILE_CHOSEN, parameters),))


def _worth_telling(location: ConfigLocation) -> bool:
    if location.role is FileRole.PROJECT:
        return False
    return location.role is FileRole.ALSO or location.file.exists()
